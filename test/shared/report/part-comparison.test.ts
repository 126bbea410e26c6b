import { expect, it } from 'vitest';
import { type CombinationCounts, countsOfVariants, partComparisons } from '#shared/report/part-comparison.ts';
import { randomFrom } from '#test/simulation/random.ts';
import { binomial } from '#test/support/binomial.ts';
import { extent } from '#test/support/prove.ts';

const RUNS = extent(60, 200);
const DAY = '2026-11-23';

/** Three subject lines by three texts of the button, of which the last one clicks twice as often, under one footer. */
const GRID: CombinationCounts[] = ['s1', 's2', 's3'].flatMap(subject_line =>
  ['c1', 'c2', 'c3'].map(cta_text => ({
    id: `${subject_line}${cta_text}`,
    day: DAY,
    sent: 1_000,
    clicked: cta_text === 'c3' ? 60 : 30,
    parts: { subject_line, cta_text, footer: 'f1' },
  })),
);

it('each part with at least two variants has a comparison of its own', () => {
  expect(partComparisons(GRID).map(({ part, comparison }) => ({ part, comparison }))).toEqual([
    {
      part: 'subject_line',
      comparison: { result: 'no_difference', better: [], worse: [], enough: ['s1', 's2', 's3'] },
    },
    {
      part: 'cta_text',
      comparison: { result: 'difference', better: ['c3'], worse: ['c1', 'c2'], enough: ['c1', 'c2', 'c3'] },
    },
  ]);
});

it('a variant has the sums of all combinations that hold it, and templates hold none', () => {
  const template = { id: 't', day: DAY, sent: 5_000, clicked: 900, parts: {} };
  expect(countsOfVariants([...GRID, template], 'cta_text')).toEqual([
    { id: 'c1', day: DAY, sent: 3_000, clicked: 90 },
    { id: 'c2', day: DAY, sent: 3_000, clicked: 90 },
    { id: 'c3', day: DAY, sent: 3_000, clicked: 180 },
  ]);
});

it('equal subject lines are told apart in at most 5% of runs, whatever the texts of the button do', () => {
  const random = randomFrom(23);
  const claimed = Array.from({ length: RUNS }, () => {
    const counts = GRID.map(row => ({ ...row, sent: 0, clicked: 0 }));
    return Array.from({ length: 30 }).some(() => {
      for (const row of counts) {
        const sent = binomial(random, 400, 0.25);
        row.sent += sent;
        row.clicked += binomial(random, sent, row.parts.cta_text === 'c3' ? 0.09 : 0.03);
      }
      return partComparisons(counts)[0]?.comparison.result === 'difference';
    });
  }).filter(isClaimed => isClaimed);
  expect(claimed.length).toBeLessThanOrEqual(0.05 * RUNS);
});
