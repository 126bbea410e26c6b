import { expect, it } from 'vitest';
import {
  type CombinationCounts,
  type Counts,
  comparison,
  comparisonSentence,
  countsOfVariants,
  partComparisons,
} from '#shared/report/significance.ts';
import { type Random, randomFrom } from '#test/simulation/random.ts';
import { binomial } from '#test/support/binomial.ts';
import { extent } from '#test/support/prove.ts';

const sentenceFor = (...clicks: number[]) =>
  comparisonSentence(
    comparison(clicks.map((clicked, at) => ({ id: 'ABCDEFGH'[at] as string, sent: 1_000, clicked }))),
  );

type Experiment = { rates: number[]; daily: number; days: number };

/** The first day on which the report claims that combinations differ, and what; it is looked at every day. */
function firstClaim(random: Random, { rates, daily, days }: Experiment) {
  const counts = rates.map((_, at) => ({ id: `${at}`, sent: 0, clicked: 0 }));
  for (let day = 1; day <= days; day++) {
    rates.forEach((rate, at) => {
      const one = counts[at] as Counts;
      one.sent += daily;
      one.clicked += binomial(random, daily, rate);
    });
    const { result, better } = comparison(counts);
    if (result === 'difference') return { sent: day * daily, better };
  }
  return undefined;
}

const RUNS = extent(200, 1_000);

const firstClaims = (runs: number, experiment: Experiment) => {
  const random = randomFrom(2026);
  return Array.from({ length: runs }, () => firstClaim(random, experiment));
};

it('of 20 equal combinations, looked at daily for 60 days, a difference is claimed in at most 5% of runs', () => {
  const claims = firstClaims(RUNS, { rates: Array(20).fill(0.03), daily: 100, days: 60 });
  expect(claims.filter(claim => claim).length).toBeLessThanOrEqual(0.05 * RUNS);
});

it.each([0.003, 0.03, 0.2])('of two combinations with the same rate of %d, too', rate => {
  const claims = firstClaims(RUNS, { rates: [rate, rate], daily: Math.round(3 / rate), days: 60 });
  expect(claims.filter(claim => claim).length).toBeLessThanOrEqual(0.05 * RUNS);
});

/** A z-test that is looked at once finds 79.7% at 2,500 each, and no test with 5% errors finds more. */
it('3% against 4.5% is found with 5,500 sends each in 90% of runs, and with 2,500 in half of them', () => {
  const claims = firstClaims(RUNS, { rates: [0.03, 0.045], daily: 50, days: 110 });
  const found = claims.filter(claim => claim?.better.join() === '1');
  expect(found.length).toBeGreaterThanOrEqual(0.9 * RUNS);
  const early = found.filter(claim => claim && claim.sent <= 2_500);
  expect(early.length).toBeGreaterThanOrEqual(0.48 * RUNS);
  expect(early.length).toBeLessThan(0.797 * RUNS);
});

it('one of 20 that clicks 4.5% instead of 3% is found with 5,000 sends each in 90% of runs', () => {
  const claims = firstClaims(extent(50, 200), {
    rates: [0.045, ...Array(19).fill(0.03)],
    daily: 100,
    days: 50,
  });
  expect(claims.filter(claim => claim?.better.join() === '0').length).toBeGreaterThanOrEqual(extent(45, 180));
});

it.each([
  { clicks: [], sentence: 'Not enough data yet' },
  { clicks: [500], sentence: 'Not enough data yet' },
  { clicks: [19, 0], sentence: 'Not enough data yet' },
  // The other one would have 19.5 at the rate of both.
  { clicks: [39, 0], sentence: 'Not enough data yet' },
  { clicks: [40, 0], sentence: 'A clicks better than the rest' },
  // Only one of them has 20.
  { clicks: [21, 12, 12, 12], sentence: 'Not enough data yet' },
  { clicks: [30, 31], sentence: 'No difference found' },
  { clicks: [30, 90], sentence: 'B clicks better than the rest' },
  { clicks: [90, 30, 32, 28], sentence: 'A clicks better than the rest' },
  { clicks: [90, 92, 30, 32], sentence: 'B and A click better than the rest' },
  { clicks: [60, 60, 60, 60, 60, 20], sentence: 'F clicks worse than the rest' },
  {
    clicks: [150, 150, 150, 150, 10, 10, 10, 10],
    sentence: 'A, B, C, and 1 more click better than the rest',
  },
])('of 1,000 sends each, $clicks clicks: $sentence', ({ clicks, sentence }) => {
  expect(sentenceFor(...clicks)).toBe(sentence);
});

it('of two, that one is better says that the other one is worse', () => {
  const counts = [
    { id: 'a', sent: 5_000, clicked: 150 },
    { id: 'b', sent: 5_000, clicked: 250 },
  ];
  expect(comparison(counts)).toMatchObject({ result: 'difference', better: ['b'], worse: ['a'] });
});

it('the evidence has to be 40 times as likely for two, which are one comparison in two directions, and 240 for six', () => {
  const evidence = (own: number, rest: number, others: number) => {
    const share = 1 / (others + 1);
    const ratios = [
      [1.04, 0.05],
      [1.1, 0.1],
      [1.25, 0.3],
      [1.5, 0.45],
      [2.5, 0.1],
    ] as const;
    return ratios.reduce(
      (sum, [ratio, weight]) =>
        sum + (weight * ratio ** own) / (1 + share * (ratio - 1)) ** (own + rest * others),
      0,
    );
  };
  const least = (others: number, limit: number) => {
    let own = 60;
    while (evidence(own, 60, others) < limit) own++;
    return own;
  };
  const two = least(1, 2 / 0.05);
  expect(sentenceFor(two - 1, 60)).toBe('No difference found');
  expect(sentenceFor(two, 60)).toBe('A clicks better than the rest');
  const six = least(5, 12 / 0.05);
  expect(sentenceFor(six - 1, 60, 60, 60, 60, 60)).toBe('No difference found');
  expect(sentenceFor(six, 60, 60, 60, 60, 60)).toBe('A clicks better than the rest');
});

it('of three, once one is established 100 times as likely is enough for the next', () => {
  const counts = [
    { id: 'a', sent: 1_000, clicked: 72 },
    { id: 'b', sent: 1_000, clicked: 23 },
    { id: 'c', sent: 1_000, clicked: 60 },
  ];
  // That b is worse is 77,000 times as likely, that a is better 105 times: alone it would need 120.
  expect(comparison(counts)).toMatchObject({ result: 'difference', better: ['a'], worse: ['b'] });
});

it('a combination with few sends cannot be told from others, and does not keep them from being compared', () => {
  const few = { id: 'few', sent: 5, clicked: 5 };
  const many = { id: 'many', sent: 10_000, clicked: 300 };
  const other = { id: 'other', sent: 10_000, clicked: 305 };
  expect(comparison([many, few]).result).toBe('not_enough_data');
  expect(comparison([many, other, few]).result).toBe('no_difference');
});

it('one that began on days on which all click more is compared on those days alone', () => {
  const day = (day: string, id: string, clicked: number) => ({ day, id, sent: 10_000, clicked });
  const days = [day('2026-11-02', 'a', 200), day('2026-11-03', 'a', 400), day('2026-11-03', 'b', 400)];
  expect(comparison(days).result).toBe('no_difference');
  expect(comparison(days.map(({ day: _, ...sinceTheBeginning }) => sinceTheBeginning)).better).toEqual(['b']);
});

it('the order of days and rows changes nothing', () => {
  const random = randomFrom(7);
  const rows = ['2026-11-02', '2026-11-03', '2026-11-04'].flatMap(day =>
    ['a', 'b', 'c'].map(id => ({
      id,
      day,
      sent: 1_000,
      clicked: binomial(random, 1_000, id === 'b' ? 0.1 : 0.04),
    })),
  );
  const expected = { result: 'difference', better: ['b'] };
  expect(comparison(rows)).toMatchObject(expected);
  expect(comparison(random.shuffle(rows))).toMatchObject(expected);
});

it('a click that was counted before its email counts for nobody', () => {
  const counts = (sent: number) => [
    { id: 'a', sent: 1_000, clicked: 40 },
    { id: 'b', sent: 1_000, clicked: 40 },
    { id: 'new', sent, clicked: 400 },
  ];
  expect(comparison(counts(0)).result).toBe('no_difference');
  expect(comparison(counts(1)).result).toBe('no_difference');
});

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
  const claimed = Array.from({ length: extent(60, 200) }, () => {
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
  expect(claimed.length).toBeLessThanOrEqual(0.05 * extent(60, 200));
});
