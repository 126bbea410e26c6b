import { expect, it } from 'vitest';
import { addSums, compare, type SumsById, sumsOf } from '#shared/report/significance.ts';
import { type Random, randomFrom } from '#test/simulation/random.ts';
import { binomial } from '#test/support/binomial.ts';
import { extent } from '#test/support/prove.ts';

/** By automation: the rates of its combinations. */
type Page = number[][];

/** Conversions are ten times as rare, and come for up to a month after their email, on whose day they count. */
const KINDS = {
  clicks: { rate: 0.03, daily: 150, daysLate: 1 },
  conversions: { rate: 0.003, daily: 1_500, daysLate: 30 },
};
type Kind = keyof typeof KINDS;
const BY_KIND = (Object.keys(KINDS) as Kind[]).map(kind => ({ kind }));

const START = Date.parse('2030-01-01');
const dayOf = (nth: number) => new Date(START + nth * 86_400_000).toISOString().slice(0, 10);

type Looks = { days: number; daily: number; daysLate?: number };

/** Looks at a page of automations each day, of which each combination is sent `daily` times. */
function* looks(random: Random, page: Page, { days, daily, daysLate = 1 }: Looks) {
  const all = page.map((): SumsById => new Map());
  /** The last days, for which something still comes. */
  const open = page.map((): Late[][] => []);
  for (let nth = 0; nth < days; nth++) {
    const shown = page.map((rates, at) => {
      const [ended, recent] = [all[at] as SumsById, open[at] as Late[][]];
      recent.push(
        rates.map((rate, id) => {
          const left = binomial(random, daily, rate);
          return { id: `${id}`, day: dayOf(nth), sent: daily, clicked: 0, left };
        }),
      );
      for (const [place, counts] of recent.entries())
        for (const one of counts) {
          const daysLeft = daysLate - (recent.length - 1 - place);
          const now = daysLeft > 1 ? binomial(random, one.left, 1 / daysLeft) : one.left;
          one.clicked += now;
          one.left -= now;
        }
      if (recent.length === daysLate) addSums(ended, sumsOf(recent.shift() ?? []));
      const sums: SumsById = new Map(ended);
      addSums(sums, sumsOf(recent.flat()));
      return sums;
    });
    yield compare(shown);
  }
}
type Late = { id: string; day: string; sent: number; clicked: number; left: number };

type Look = ReturnType<typeof compare>;

function isAny(all: Iterable<Look>, isWanted: (look: Look) => boolean): boolean {
  for (const look of all) if (isWanted(look)) return true;
  return false;
}

/** How many times as high the rate of one is as that of all others, which are sent as often. */
function ratioOf(rates: number[], id: string): number {
  const others = rates.filter((_, at) => `${at}` !== id);
  return (rates[Number(id)] as number) / (others.reduce((sum, rate) => sum + rate, 0) / others.length);
}

const claimsOf = (page: Page, look: Look) =>
  look.flatMap(({ rows }, at) =>
    rows
      .filter(({ verdict }) => verdict === 'better' || verdict === 'worse')
      .map(row => ({ ...row, ratio: ratioOf(page[at] as number[], row.id) })),
  );

const equal = (rate: number): Page => Array(10).fill([rate, rate]);

it.each(BY_KIND)(
  'on a page of ten automations that are equal, compared by $kind and looked at daily, anything is ever claimed in at most 5% of runs',
  ({ kind }) => {
    const { rate, ...of } = KINDS[kind];
    const random = randomFrom(39);
    const runs = extent(40, 1_000);
    const claimed = Array.from({ length: runs }, () =>
      isAny(looks(random, equal(rate), { days: 40, ...of }), look => claimsOf(equal(rate), look).length > 0),
    ).filter(isClaimed => isClaimed);
    expect(claimed.length).toBeLessThanOrEqual(0.05 * runs);
  },
);

it.each(BY_KIND)(
  'where some automations differ, at most 5% of the claims of a page by $kind are false, and so are at most 5% of the sizes',
  ({ kind }) => {
    const { rate, ...of } = KINDS[kind];
    const differing = [
      [1, 1.5],
      [1, 1.33, 1],
      [1, 1, 0.67, 1],
      [1, 2],
    ];
    const page: Page = [...equal(rate), ...differing.map(ratios => ratios.map(ratio => ratio * rate))];
    const random = randomFrom(40);
    const runs = extent(25, 400);
    const shares = Array.from({ length: runs }, () => {
      // At the last look of each run, and at the first one with a claim, at which it is most tempting to stop.
      const claims = [...looks(random, page, { days: 40, ...of })].map(look => claimsOf(page, look));
      return [claims.find(some => some.length > 0) ?? [], claims.at(-1) ?? []].map(some => ({
        most: some.length,
        false: some.filter(({ verdict, ratio }) => (verdict === 'better' ? ratio <= 1 : ratio >= 1)).length,
        missed: some.filter(
          ({ ratio, ratio_from, ratio_to }) => ratio < (ratio_from ?? 0) || ratio > (ratio_to ?? Infinity),
        ).length,
      }));
    });
    for (const stop of [0, 1]) {
      const at = shares.map(of => of[stop] as (typeof of)[number]);
      const mean = (wrong: 'false' | 'missed') =>
        at.reduce((sum, one) => sum + one[wrong] / Math.max(1, one.most), 0) / runs;
      expect(mean('false')).toBeLessThanOrEqual(0.05);
      expect(mean('missed')).toBeLessThanOrEqual(0.05);
      expect(at.some(({ most }) => most > 0)).toBe(true);
    }
  },
);

it.each([
  { ratio: 1.5, others: 1 },
  { ratio: 1.25, others: 1 },
  { ratio: 1.5, others: 4 },
])(
  'no difference is found once $ratio times as often as $others would have shown in half of cases',
  ({ ratio, others }) => {
    const rate = 0.03;
    const detectable = (sent: number) => {
      const counts = Array.from({ length: others + 1 }, (_, at) => ({
        id: `${at}`,
        sent,
        clicked: sent * rate,
      }));
      return compare([sumsOf(counts)])[0]?.rows[0]?.detectable_ratio ?? Infinity;
    };
    let sent = 1_000;
    while (detectable(sent) > ratio) sent *= 1.01;
    const random = randomFrom(41);
    const runs = extent(40, 1_000);
    const page: Page = [[rate * ratio, ...Array(others).fill(rate)]];
    const found = Array.from({ length: runs }, () =>
      isAny(looks(random, page, { days: 30, daily: Math.round(sent / 30) }), ([one]) =>
        Boolean(one?.rows.some(({ id, verdict }) => id === '0' && verdict === 'better')),
      ),
    ).filter(isFound => isFound);
    const [least, most] = extent([0.37, 0.7], [0.45, 0.6]);
    expect(found.length / runs).toBeGreaterThan(least);
    expect(found.length / runs).toBeLessThan(most);
  },
);

it('sums of months say the same as the days that they consist of, also where shares change', () => {
  const random = randomFrom(42);
  const counts = Array.from({ length: 90 }, (_, nth) =>
    [400, 40 + nth * 30, nth % 7 === 0 ? 900 : 20].map((sent, at) => ({
      id: `${at}`,
      day: dayOf(nth),
      sent,
      clicked: binomial(random, sent, at === 1 ? 0.05 : 0.03),
    })),
  );
  const months: SumsById = new Map();
  for (const month of [counts.slice(0, 31), counts.slice(31, 59), counts.slice(59)]) {
    addSums(months, sumsOf(month.flat()));
  }
  const [whole] = compare([sumsOf(counts.flat())]);
  expect(whole?.result).toBe('difference');
  expect(compare([months])[0]).toEqual(whole);
});

it('the size of a difference is what the evidence of the single days refutes, though only their sums are kept', () => {
  const shares = [0.02, 0.1, 0.35, 0.6, 0.9];
  const days = shares.map((share, nth) => {
    const sent = Math.round(50_000 * share);
    const own = Math.round(sent * 0.045);
    return { day: dayOf(nth), share, own, all: own + Math.round((50_000 - sent) * 0.03), sent };
  });
  const counts = days.flatMap(({ day, sent, own, all }) => [
    { id: 'a', day, sent, clicked: own },
    { id: 'b', day, sent: 50_000 - sent, clicked: all - own },
  ]);
  const [from = 0, to = 0] = (compare([sumsOf(counts)])[0]?.rows ?? [])
    .filter(({ id }) => id === 'a')
    .flatMap(({ ratio_from, ratio_to }) => [ratio_from ?? 0, ratio_to ?? 0]);
  const weights = { 1.04: 0.05, 1.1: 0.1, 1.25: 0.3, 1.5: 0.45, 2.5: 0.1 };
  const against = (ratio: number, sign: 1 | -1) =>
    Object.entries(weights).reduce((sum, [step, weight]) => {
      const other = ratio * Number(step) ** sign;
      const logs = days.map(
        ({ own, all, share }) =>
          own * Math.log(other / ratio) -
          all * (Math.log1p(share * (other - 1)) - Math.log1p(share * (ratio - 1))),
      );
      return sum + weight * Math.exp(logs.reduce((total, log) => total + log, 0));
    }, 0);
  // One of two claims is established: 2 / 5%.
  for (const [bound, sign] of [
    [from, 1],
    [to, -1],
  ] as const) {
    expect(against(bound * 0.998 ** sign, sign)).toBeGreaterThan(40);
    expect(against(bound * 1.002 ** sign, sign)).toBeLessThan(40);
  }
});

/** Two for a year, 60 emails a day each, in the sums of months: on which days is the second one said to click better? */
function yearOf(random: Random, rates: number[]): boolean[] {
  const kept: SumsById = new Map();
  const month: SumsById = new Map();
  return Array.from({ length: 365 }, (_, nth) => {
    const counts = rates.map((rate, at) => ({
      id: `${at}`,
      day: dayOf(nth),
      sent: 60,
      clicked: binomial(random, 60, rate),
    }));
    addSums(month, sumsOf(counts));
    if (dayOf(nth + 1).endsWith('-01')) {
      addSums(kept, month);
      month.clear();
    }
    const all: SumsById = new Map(kept);
    addSums(all, month);
    return compare([all])[0]?.result === 'difference';
  });
}

it('in a year of sums, 4.5% instead of 3% is named on most days, as a quarter forgot it, and a false one in at most 5% of years', () => {
  const runs = extent(20, 500);
  const random = randomFrom(43);
  const named = Array.from({ length: runs }, () => yearOf(random, [0.03, 0.045])).flat();
  expect(named.filter(isNamed => isNamed).length).toBeGreaterThan(0.8 * named.length);
  const wrong = Array.from({ length: runs }, () => yearOf(random, [0.03, 0.03]).some(isNamed => isNamed));
  expect(wrong.filter(isNamed => isNamed).length).toBeLessThanOrEqual(extent(0.1, 0.05) * runs);
});

it('content that begins at 14:00, where mornings click twice as often, is named by that day alone, so that day is left out', () => {
  const random = randomFrom(44);
  const runs = extent(40, 1_000);
  const claims = (leftOut: Set<string>) =>
    Array.from({ length: runs }, () => {
      const sums: SumsById = new Map();
      return Array.from({ length: 5 }).some((_, nth) => {
        const morning = nth === 0 ? [5_800, 0] : [2_900, 2_900];
        const counts = morning.map((early, at) => {
          const clicked = binomial(random, early, 0.04) + binomial(random, 2_100, 0.02);
          return { id: `${at}`, day: dayOf(nth), sent: early + 2_100, clicked };
        });
        addSums(sums, sumsOf(counts, leftOut));
        return compare([sums])[0]?.result === 'difference';
      });
    }).filter(isClaimed => isClaimed).length;
  expect(claims(new Set())).toBeGreaterThan(0.5 * runs);
  expect(claims(new Set([dayOf(0)]))).toBeLessThanOrEqual(0.05 * runs);
});
