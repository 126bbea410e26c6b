import type { Part } from '../email/content.ts';

/** The counts of the emails of one combination, or of one part, on one day; without a day, since the beginning. */
export type Counts = { id: string; day?: string; sent: number; clicked: number };

export const VERDICTS = ['better', 'worse', 'no_difference', 'not_enough_data'] as const;
export type Verdict = (typeof VERDICTS)[number];

export type ComparedRow = {
  id: string;
  sent: number;
  clicked: number;
  verdict: Verdict;
  ratio_from: number | null;
  ratio_to: number | null;
  detectable_ratio: number | null;
};

export type Comparison = { result: 'not_enough_data' | 'no_difference' | 'difference'; rows: ComparedRow[] };

/** At most so many of all differences that are named together are expected to be none, however often they are read. */
const MOST_FALSE = 0.05;

/** Nothing is claimed before both sides would have so many clicks at the common rate of both. */
const LEAST_CLICKS = 20;

/** No difference is said to be found only where one of this ratio would have been found in half of cases. */
const DETECTABLE = 1.5;

/** Evidence reaches its limit at some look in half of cases if what is expected at the last one is so much of it (measured). */
const OF_LIMIT = 0.65;

/** How many times as high as that of the rest a click rate may be, and how likely each ratio is before anything is known. */
const BETTER = [
  { log: Math.log(1.04), weight: 0.05 },
  { log: Math.log(1.1), weight: 0.1 },
  { log: Math.log(1.25), weight: 0.3 },
  { log: Math.log(1.5), weight: 0.45 },
  { log: Math.log(2.5), weight: 0.1 },
];
const KNOTS = [...BETTER.map(({ log }) => -log), 0, ...BETTER.map(({ log }) => log)].sort((a, b) => a - b);
const EQUAL = KNOTS.indexOf(0);

/** All that comparisons need of the days of an id: sums, so that ended months are kept without their days. */
export type Sums = {
  sent: number;
  clicked: number;
  /** Its clicks, and all clicks, on the days on which it was sent beside others. */
  own: number;
  all: number;
  /** By ratio: the logarithm of how many times as many clicks there would be. For the ratio 1, the expected own clicks. */
  logs: number[];
};
export type SumsById = Map<string, Sums>;

export const noSums = (): Sums => ({ sent: 0, clicked: 0, own: 0, all: 0, logs: KNOTS.map(() => 0) });

export function addSums(to: SumsById, added: SumsById): void {
  for (const [id, { sent, clicked, own, all, logs }] of added) {
    const sums = to.get(id) ?? noSums();
    to.set(id, {
      sent: sums.sent + sent,
      clicked: sums.clicked + clicked,
      own: sums.own + own,
      all: sums.all + all,
      logs: sums.logs.map((log, at) => log + (logs[at] ?? 0)),
    });
  }
}

/** If the rate of an id does not differ, its share of the clicks of a day is its share of the emails, whatever the rate. */
export function sumsOf(counts: Counts[], leftOut: ReadonlySet<string> = new Set()): SumsById {
  const byId: SumsById = new Map();
  for (const [day = '', ofDay] of Map.groupBy(summed(counts), ({ day }) => day)) {
    const all = total(ofDay.map(({ sent }) => sent));
    const clicks = total(ofDay.map(({ clicked }) => clicked));
    for (const { id, sent, clicked } of ofDay) {
      const sums = byId.get(id) ?? noSums();
      byId.set(id, sums);
      sums.sent += sent;
      sums.clicked += clicked;
      // A day with only one id has nothing to compare.
      if (sent === 0 || sent === all || clicks === 0 || leftOut.has(day)) continue;
      const share = sent / all;
      sums.own += clicked;
      sums.all += clicks;
      sums.logs = sums.logs.map(
        (log, at) => log + clicks * (at === EQUAL ? share : Math.log1p(share * Math.expm1(KNOTS[at] ?? 0))),
      );
    }
  }
  return byId;
}

function summed(rows: Counts[]): Counts[] {
  const days = new Map<string, Map<string, Counts>>();
  for (const { id, day = '', sent, clicked } of rows) {
    const ofDay = days.get(day) ?? new Map<string, Counts>();
    days.set(day, ofDay);
    const known = ofDay.get(id);
    if (known) {
      known.sent += sent;
      known.clicked += clicked;
    } else ofDay.set(id, { id, day, sent, clicked });
  }
  const all = [...days.values()].flatMap(ofDay => [...ofDay.values()]);
  // A click may be counted before the batch of its email is.
  for (const one of all) one.clicked = Math.min(one.sent, one.clicked);
  return all;
}

// With equal shares, none was so many standard deviations off on any day of 1,500 times two months (measured).
const UNEVEN = 5;

/** Whether what was sent between two changes of the content was not chosen as often as its alternatives. */
export function hasUnevenShares(counts: Counts[], changed: ReadonlySet<string> = new Set()): boolean {
  const changes = [...changed].sort();
  const unchanged = summed(counts).filter(({ day = '', sent }) => sent > 0 && !changed.has(day));
  const periods = Map.groupBy(unchanged, ({ day = '' }) => changes.findIndex(change => change > day));
  const differences = new Map<string, { sent: number; variance: number }>();
  for (const period of periods.values()) {
    const ids = Map.groupBy(period, ({ id }) => id);
    const share = 1 / ids.size;
    const all = total(period.map(({ sent }) => sent));
    for (const [id, ofId] of ids) {
      const before = differences.get(id) ?? { sent: 0, variance: 0 };
      const sent = before.sent + total(ofId.map(({ sent }) => sent)) - all * share;
      differences.set(id, { sent, variance: before.variance + all * share * (1 - share) });
    }
  }
  return [...differences.values()].some(({ sent, variance }) => sent ** 2 > UNEVEN ** 2 * variance);
}

const total = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);

/** The counts of a combination, with the ids of its assets by part; a template has none. */
export type CombinationCounts = Counts & { parts: Partial<Record<Part, string>> };

/** The other parts are chosen at random for all variants alike, so they do not favour any. */
export const countsOfVariants = <C extends CombinationCounts>(
  combinations: C[],
  part: Part,
): Omit<C, 'parts'>[] =>
  combinations.flatMap(({ parts, ...counts }) => {
    const id = parts[part];
    return id === undefined ? [] : [{ ...counts, id }];
  });

/** Sequential, so that it may be repeated at any time (docs/decisions/0130-comparisons-are-sequential-tests.md). */
export function compare(all: SumsById[]): Comparison[] {
  const claims = all.flatMap(claimsAbout).sort((a, b) => b.evidence - a.evidence);
  // e-BH: it holds however the comparisons depend on each other.
  const limitOf = (found: number) => claims.length / (found * MOST_FALSE);
  const found = claims.findLastIndex(({ evidence }, at) => evidence >= limitOf(at + 1)) + 1;
  const verdicts = new Map<Sums, { verdict: Verdict; place: number }>();
  for (const [at, { better, worse }] of claims.slice(0, found).entries()) {
    if (better) verdicts.set(better, { verdict: 'better', place: at - found });
    if (worse) verdicts.set(worse, { verdict: 'worse', place: at });
  }
  const place = (sums: Sums) => verdicts.get(sums)?.place ?? found;
  return all.map(byId => {
    const rows = [...byId]
      .filter(([, { sent }]) => sent > 0)
      .sort(([a, one], [b, other]) => place(one) - place(other) || other.sent - one.sent || (a < b ? -1 : 1))
      .map(([id, sums]): ComparedRow => {
        const { sent, clicked } = sums;
        const row = { id, sent, clicked, ratio_from: null, ratio_to: null, detectable_ratio: null };
        const { verdict } = verdicts.get(sums) ?? {};
        if (verdict) {
          const boundAt = (sign: 1 | -1) => boundOf(sums, sign, limitOf(found));
          return { ...row, verdict, ratio_from: boundAt(1), ratio_to: boundAt(-1) };
        }
        const detectable_ratio = isReady(sums) ? detectableOf(sums, limitOf(found + 1)) : null;
        return { ...row, verdict: detectable_ratio ? 'no_difference' : 'not_enough_data', detectable_ratio };
      });
    if ([...byId.values()].some(sums => verdicts.has(sums))) return { result: 'difference', rows };
    const known = total(rows.map(({ verdict, sent }) => (verdict === 'not_enough_data' ? -sent : sent)));
    return { result: known > 0 ? 'no_difference' : 'not_enough_data', rows };
  });
}

const rounded = (log: number) => Number(Math.exp(log).toPrecision(4));

type Claim = { better?: Sums; worse?: Sums; evidence: number };

/** The claims about those compared. If there are two, "one is better" and "the other one is worse" are the same claim. */
function claimsAbout(sums: SumsById): Claim[] {
  const those = [...sums.values()].filter(({ all }) => all > 0);
  const ready = those.filter(isReady);
  const [first, second] = those;
  if (first && second && those.length === 2)
    return ready.map(one => {
      return { better: one, worse: one === first ? second : first, evidence: evidence(one, 1) };
    });
  return ready.flatMap(one => [
    { better: one, evidence: evidence(one, 1) },
    { worse: one, evidence: evidence(one, -1) },
  ]);
}

/** Of what was sent alone, not of what was clicked: the number of claims must not depend on their evidence. */
const isReady = ({ all, logs }: Sums) => {
  const expected = logs[EQUAL] ?? 0;
  return Math.min(expected, all - expected) >= LEAST_CLICKS;
};

/** How many times as likely the clicks are if its ratio is higher (or lower, if the sign is -1) than that of `log`. */
function evidence(sums: Sums, sign: 1 | -1, log = 0): number {
  const base = growthAt(sums, log);
  return total(
    BETTER.map(
      ({ log: step, weight }) =>
        weight * Math.exp(sums.own * sign * step - growthAt(sums, log + sign * step) + base),
    ),
  );
}

/** The logarithm of how many times as many clicks there would be at this ratio: as with the share that fits the nearest sums. */
function growthAt({ all, logs }: Sums, log: number): number {
  const shareAt = (at: number) =>
    at === EQUAL ? (logs[at] ?? 0) / all : Math.expm1((logs[at] ?? 0) / all) / Math.expm1(KNOTS[at] ?? 0);
  const next = KNOTS.findIndex(knot => knot > log);
  const to = next < 0 ? KNOTS.length - 1 : Math.max(next, 1);
  const [low = 0, high = 0] = [KNOTS[to - 1], KNOTS[to]];
  const part = Math.min(Math.max((log - low) / (high - low), 0), 1);
  return all * Math.log1p((shareAt(to - 1) * (1 - part) + shareAt(to) * part) * Math.expm1(log));
}

const FARTHEST = 5;
const STEPS = 24;

/** The point up to which something holds that holds at the first one and not at the second one. */
function lastThatHolds(holds: number, fails: number, isHeld: (log: number) => boolean): number {
  let [from, to] = [holds, fails];
  for (let step = 0; step < STEPS; step++) {
    const middle = (from + to) / 2;
    [from, to] = isHeld(middle) ? [middle, to] : [from, middle];
  }
  return from;
}

/** A bound of its ratio: it is higher than all for which there is so much evidence, or lower. */
function boundOf(sums: Sums, sign: 1 | -1, limit: number): number | null {
  const isRefuted = (log: number) => evidence(sums, sign, log) >= limit;
  const far = -sign * FARTHEST;
  return isRefuted(far) ? rounded(lastThatHolds(far, -far, isRefuted)) : sign === 1 ? 0 : null;
}

/** Null if it is higher than what has to be found. */
function detectableOf({ all, logs, ...sums }: Sums, limit: number): number | null {
  const share = (logs[EQUAL] ?? 0) / all;
  const isHidden = (log: number) => {
    const growth = 1 + share * Math.expm1(log);
    const own = share * all * Math.exp(log);
    const expected = { ...sums, own, all: all * growth, logs: logs.map(one => one * growth) };
    return evidence(expected, 1) < limit * OF_LIMIT;
  };
  const last = Math.log(DETECTABLE);
  return isHidden(last) ? null : rounded(lastThatHolds(0, last, isHidden));
}
