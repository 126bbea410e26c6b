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
  /** Of one that is better or worse: how many times as often as the rest it is clicked. Null: without such a bound. */
  ratio_from: number | null;
  ratio_to: number | null;
  /** If no difference was found: the least ratio that would have been found by now in half of cases. */
  detectable_ratio: number | null;
};

export type Comparison = {
  result: 'not_enough_data' | 'no_difference' | 'difference';
  /** Higher click rates than the rest first, then lower ones, the surest first; then the others by how many were sent. */
  rows: ComparedRow[];
};

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

const noSums = (): Sums => ({ sent: 0, clicked: 0, own: 0, all: 0, logs: KNOTS.map(() => 0) });

const DECIMALS = 1e6;
export const packed = ({ sent, clicked, own, all, logs }: Sums): number[] => [
  sent,
  clicked,
  own,
  all,
  ...logs.map(log => Math.round(log * DECIMALS) / DECIMALS),
];
export const unpacked = ([sent = 0, clicked = 0, own = 0, all = 0, ...logs]: number[]): Sums => ({
  sent,
  clicked,
  own,
  all,
  logs,
});

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
      sums.logs = sums.logs.map((log, at) => log + clicks * gainAt(share, at));
    }
  }
  return byId;
}

const gainAt = (share: number, at: number) =>
  at === EQUAL ? share : Math.log1p(share * Math.expm1(KNOTS[at] as number));

function summed<Row extends Counts>(
  rows: Row[],
  idOf: (row: Row) => string | undefined = ({ id }) => id,
): Counts[] {
  const days = new Map<string | undefined, Map<string, Counts>>();
  for (const row of rows) {
    const { day, sent, clicked } = row;
    const id = idOf(row);
    if (id === undefined) continue;
    const ofDay = days.get(day) ?? new Map<string, Counts>();
    days.set(day, ofDay);
    const known = ofDay.get(id);
    if (known) {
      known.sent += sent;
      known.clicked += clicked;
    } else ofDay.set(id, day === undefined ? { id, sent, clicked } : { id, day, sent, clicked });
  }
  const all = [...days.values()].flatMap(ofDay => [...ofDay.values()]);
  // A click may be counted before the batch of its email is.
  for (const one of all) one.clicked = Math.min(one.sent, one.clicked);
  return all;
}

const total = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);

/** The counts of a combination, with the ids of its assets by part; a template has none. */
export type CombinationCounts = Counts & { parts: Partial<Record<Part, string>> };

/** The other parts are chosen at random for all variants alike, so they do not favour any. */
export const countsOfVariants = (combinations: CombinationCounts[], part: Part): Counts[] =>
  summed(combinations, ({ parts }) => parts[part]);

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
          const [from, to] = [boundOf(sums, 1, limitOf(found)), boundOf(sums, -1, limitOf(found))];
          return { ...row, verdict, ratio_from: rounded(from), ratio_to: rounded(to) };
        }
        const detectable = isReady(sums) ? detectableOf(sums, limitOf(found + 1)) : undefined;
        return detectable === undefined
          ? { ...row, verdict: 'not_enough_data' }
          : { ...row, verdict: 'no_difference', detectable_ratio: rounded(detectable) };
      });
    const sentOf = (some: ComparedRow[]) => total(some.map(({ sent }) => sent));
    const isMostCompared =
      sentOf(rows.filter(({ verdict }) => verdict !== 'not_enough_data')) * 2 > sentOf(rows);
    const isDifferent = [...byId.values()].some(sums => verdicts.has(sums));
    return {
      result: isDifferent ? 'difference' : isMostCompared ? 'no_difference' : 'not_enough_data',
      rows,
    };
  });
}

const rounded = (ratio: number) => (Number.isFinite(ratio) ? Number(ratio.toPrecision(4)) : null);

type Claim = { better?: Sums; worse?: Sums; evidence: number };

/** The claims about those compared. If there are two, "one is better" and "the other one is worse" are the same claim. */
function claimsAbout(sums: SumsById): Claim[] {
  const those = [...sums.values()].filter(({ all }) => all > 0);
  const ready = those.filter(isReady);
  const [first, second] = those;
  if (first && second && those.length === 2)
    return ready.map(better => ({
      better,
      worse: better === first ? second : first,
      evidence: evidence(better, 1),
    }));
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
  const [to, from] = [
    next < 0 ? KNOTS.length - 1 : next,
    Math.max(next < 0 ? KNOTS.length - 1 : next - 1, 0),
  ];
  const [low = 0, high = 0] = [KNOTS[from], KNOTS[to]];
  const part = high > low ? (log - low) / (high - low) : 0;
  return all * Math.log1p((shareAt(from) * (1 - part) + shareAt(to) * part) * Math.expm1(log));
}

const FARTHEST = 5;
const STEPS = 24;

/** The point up to which something holds that holds at the first one and not at the second one. */
function lastThatHolds(holds: number, fails: number, isHeld: (log: number) => boolean): number {
  let [from, to] = [holds, fails];
  for (let step = 0; step < STEPS; step++) {
    const middle = (from + to) / 2;
    if (isHeld(middle)) from = middle;
    else to = middle;
  }
  return from;
}

/** A bound of its ratio: it is higher than all for which there is so much evidence, or lower. */
function boundOf(sums: Sums, sign: 1 | -1, limit: number): number {
  const isRefuted = (log: number) => evidence(sums, sign, log) >= limit;
  if (!isRefuted(-sign * FARTHEST)) return Math.exp(-sign * Number.POSITIVE_INFINITY);
  return Math.exp(lastThatHolds(-sign * FARTHEST, sign * FARTHEST, isRefuted));
}

/** Undefined if it is higher than what has to be found. */
function detectableOf({ all, logs, ...sums }: Sums, limit: number): number | undefined {
  const share = (logs[EQUAL] ?? 0) / all;
  const isHidden = (log: number) => {
    const growth = 1 + share * Math.expm1(log);
    const own = share * all * Math.exp(log);
    const expected = { ...sums, own, all: all * growth, logs: logs.map(one => one * growth) };
    return evidence(expected, 1) < limit * OF_LIMIT;
  };
  const last = Math.log(DETECTABLE);
  return isHidden(last) ? undefined : Math.exp(lastThatHolds(0, last, isHidden));
}
