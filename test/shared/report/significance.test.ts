import { expect, it } from 'vitest';
import {
  type CombinationCounts,
  type ComparedRow,
  type Counts,
  compare,
  countsOfVariants,
  hasUnevenShares,
  sumsOf,
} from '#shared/report/significance.ts';
import { comparisonSentence } from '#shared/report/verdict-texts.ts';
import { type Random, randomFrom } from '#test/simulation/random.ts';
import { binomial } from '#test/support/binomial.ts';
import { extent } from '#test/support/prove.ts';

const alone = (counts: Counts[]) => compare([sumsOf(counts)])[0] as ReturnType<typeof compare>[number];
const idsOf = ({ rows }: { rows: ComparedRow[] }, wanted: ComparedRow['verdict']) =>
  rows.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
const shown = (counts: Counts[]) => {
  const compared = alone(counts);
  return { result: compared.result, better: idsOf(compared, 'better'), worse: idsOf(compared, 'worse') };
};

const sentenceFor = (...clicks: number[]) =>
  comparisonSentence(
    alone(clicks.map((clicked, at) => ({ id: 'ABCDEFGH'[at] as string, sent: 1_000, clicked }))),
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
    const { result, better } = shown(counts);
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
  const runs = extent(40, 1_000);
  const claims = firstClaims(runs, { rates: Array(20).fill(0.03), daily: 100, days: 60 });
  expect(claims.filter(claim => claim).length).toBeLessThanOrEqual(0.05 * runs);
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
  { clicks: [40, 0], sentence: 'A is clicked more often than B: 4.0% against 0%, at least 260% more' },
  { clicks: [30, 31], sentence: 'Not enough data yet' },
  { clicks: [74, 74], sentence: 'Not enough data yet' },
  { clicks: [76, 76], sentence: 'No difference found: 50% would have shown in half of cases' },
  { clicks: [300, 310], sentence: 'No difference found: 25% would have shown in half of cases' },
  { clicks: [30, 90], sentence: 'B is clicked more often than A: 9.0% against 3.0%, 62% to 510% more' },
  {
    clicks: [90, 30, 32, 28],
    sentence: 'A is clicked more often than the rest: 9.0% against 3.0%, 78% to 410% more',
  },
  { clicks: [90, 92, 30, 32], sentence: 'B and A are clicked more often than the rest: 18% to 170% more' },
  {
    clicks: [60, 60, 60, 60, 60, 20],
    sentence: 'F is clicked less often than the rest: 2.0% against 6.0%, 28% to 88% less',
  },
  {
    clicks: [150, 150, 150, 150, 10, 10, 10, 10],
    sentence: 'A, B, C, and 1 more are clicked more often than the rest: 61% to 180% more',
  },
])('of 1,000 sends each, $clicks clicks: $sentence', ({ clicks, sentence }) => {
  expect(sentenceFor(...clicks)).toBe(sentence);
});

it('rates of all days together are left out where they do not agree with the days, and where rows are missing', () => {
  const row = (id: string, clicked: number, verdict: 'better' | 'worse') => {
    const [ratio_from, ratio_to] = verdict === 'better' ? [1.5, 3] : [0.3, 0.7];
    return { id, sent: 1000, clicked, verdict, ratio_from, ratio_to, detectable_ratio: null };
  };
  const said = (clicked: number, left_out = 0) =>
    comparisonSentence({
      result: 'difference',
      rows: [row('A', clicked, 'better'), row('B', 20, 'worse')],
      left_out,
    });
  expect(said(50)).toBe('A is clicked more often than B: 5.0% against 2.0%, 50% to 200% more');
  expect(said(19)).toBe('A is clicked more often than B: 50% to 200% more');
  expect(said(50, 1)).toBe('A is clicked more often than the rest: 50% to 200% more');
});

it('of two, that one is better says that the other one is worse', () => {
  const counts = [
    { id: 'a', sent: 5_000, clicked: 150 },
    { id: 'b', sent: 5_000, clicked: 250 },
  ];
  expect(shown(counts)).toMatchObject({ result: 'difference', better: ['b'], worse: ['a'] });
});

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
const least = (rest: number, others: number, limit: number) => {
  let own = rest;
  while (evidence(own, rest, others) < limit) own++;
  return own;
};

it.each([
  { others: 1, claims: 2 },
  { others: 5, claims: 12 },
])(
  'one of $others + 1 is named once its clicks are 20 times as likely as there are claims: $claims',
  ({ others, claims }) => {
    const enough = least(60, others, claims / 0.05);
    const rest = Array(others).fill(60);
    expect(sentenceFor(enough - 1, ...rest)).not.toContain('more often');
    expect(sentenceFor(enough, ...rest)).toMatch(/^A is clicked more often/);
  },
);

it('on a page of ten pairs, one has to be ten times as likely, two of them five times each', () => {
  const pair = (better: number) =>
    sumsOf([
      { id: 'a', sent: 1_000, clicked: better },
      { id: 'b', sent: 1_000, clicked: 60 },
    ]);
  const resultsOf = (...better: number[]) =>
    compare(Array.from({ length: 10 }, (_, at) => pair(better[at] ?? 60))).map(({ result }) => result);
  const different = (...better: number[]) => resultsOf(...better).filter(one => one === 'difference').length;
  const [forOne, forTwo] = [least(60, 1, 20 / 0.05), least(60, 1, 10 / 0.05)];
  expect(forTwo).toBeLessThan(forOne);
  expect([different(forOne - 1), different(forOne)]).toEqual([0, 1]);
  expect([different(forTwo - 1, forTwo - 1), different(forTwo, forTwo)]).toEqual([0, 2]);
});

it('a combination with few sends cannot be told from others, and does not keep them from being compared', () => {
  const few = { id: 'few', sent: 5, clicked: 5 };
  const many = { id: 'many', sent: 10_000, clicked: 300 };
  const other = { id: 'other', sent: 10_000, clicked: 305 };
  expect(shown([many, few]).result).toBe('not_enough_data');
  expect(shown([many, other, few]).result).toBe('no_difference');
});

it('one that began on days on which all click more is compared on those days alone', () => {
  const day = (day: string, id: string, clicked: number) => ({ day, id, sent: 10_000, clicked });
  const days = [day('2026-11-02', 'a', 200), day('2026-11-03', 'a', 400), day('2026-11-03', 'b', 400)];
  expect(shown(days).result).toBe('no_difference');
  expect(shown(days.map(({ day: _, ...sinceTheBeginning }) => sinceTheBeginning)).better).toEqual(['b']);
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
  expect(shown(rows)).toMatchObject(expected);
  expect(shown(random.shuffle(rows))).toMatchObject(expected);
});

it('a click that was counted before its email counts for nobody', () => {
  const counts = (sent: number) => [
    { id: 'a', sent: 1_000, clicked: 140 },
    { id: 'b', sent: 1_000, clicked: 140 },
    { id: 'new', sent, clicked: 400 },
  ];
  expect(shown(counts(0)).result).toBe('no_difference');
  expect(shown(counts(1)).result).toBe('no_difference');
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

it('a variant has the sums of all combinations that hold it, and templates hold none', () => {
  const template = { id: 't', day: DAY, sent: 5_000, clicked: 900, parts: {} };
  const variants = sumsOf(countsOfVariants([...GRID, template], 'cta_text'));
  expect([...variants].map(([id, { sent, clicked }]) => [id, sent, clicked])).toEqual([
    ['c1', 3_000, 90],
    ['c2', 3_000, 90],
    ['c3', 3_000, 180],
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
      return alone(countsOfVariants(counts, 'subject_line')).result === 'difference';
    });
  }).filter(isClaimed => isClaimed);
  expect(claimed.length).toBeLessThanOrEqual(0.05 * extent(60, 200));
});

/** Each day, the emails go to two variants, and to three from the 30th day on, each as likely. `missing`: so much of the last one. */
function chosenAtRandom(random: Random, { daily, missing = 0 }: { daily: number; missing?: number }) {
  return Array.from({ length: 60 }, (_, at): Counts[] => {
    const day = new Date(Date.UTC(2030, 0, 1 + at)).toISOString().slice(0, 10);
    const sent = [binomial(random, daily, at < 30 ? 1 / 2 : 1 / 3)];
    sent.push(at < 30 ? daily - (sent[0] ?? 0) : binomial(random, daily - (sent[0] ?? 0), 1 / 2));
    if (at >= 30) sent.push(daily - (sent[0] ?? 0) - (sent[1] ?? 0));
    const last = sent.length - 1;
    return sent.map((all, id) => ({
      id: `${id}`,
      day,
      sent: id === last ? all - binomial(random, all, missing) : all,
      clicked: 0,
    }));
  });
}
const ADDED_ON = new Set(['2030-01-31']);

it('of variants that are chosen at random, unequal shares are claimed on no day of two months', () => {
  const random = randomFrom(7);
  for (let run = 0; run < extent(50, 1_000); run++) {
    const days = chosenAtRandom(random, { daily: 300 });
    const claims = days.filter((_, at) => hasUnevenShares(days.slice(0, at + 1).flat(), ADDED_ON));
    expect(claims).toEqual([]);
  }
});

it('that a tenth of the emails of one variant is missing shows in its share', () => {
  const days = chosenAtRandom(randomFrom(8), { daily: 1_000, missing: 0.1 });
  expect(hasUnevenShares(days.flat(), ADDED_ON)).toBe(true);
});

it('a variant that was added later has a smaller share, which is not claimed to be unequal', () => {
  const days = chosenAtRandom(randomFrom(9), { daily: 1_000 }).flat();
  expect(hasUnevenShares(days, ADDED_ON)).toBe(false);
  expect(hasUnevenShares(days)).toBe(true);
});
