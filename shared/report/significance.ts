import { PART_NAMES, type Part } from '../email/content.ts';

/** The counts of the emails of one combination, or of one part, on one day; without a day, since the beginning. */
export type Counts = { id: string; day?: string; sent: number; clicked: number };

export type Comparison = {
  result: 'not_enough_data' | 'no_difference' | 'difference';
  /** The ids with a higher click rate than all others together, the surest first. */
  better: string[];
  /** The ids with a lower click rate, the surest first. */
  worse: string[];
  /** The ids of which enough was sent for a verdict. */
  enough: string[];
};

export const VERDICTS = ['better', 'worse', 'no_difference', 'not_enough_data'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The probability that anything false is ever claimed, however often the comparison is read. */
const MOST_ERRORS = 0.05;

/** Nothing is claimed before both sides have so many clicks, or would have at the common rate of both. */
const LEAST_CLICKS = 20;

/** How many times as high as that of the rest a click rate may be, and how likely each ratio is before anything is known. */
const BETTER = [
  { ratio: 1.04, weight: 0.05 },
  { ratio: 1.1, weight: 0.1 },
  { ratio: 1.25, weight: 0.3 },
  { ratio: 1.5, weight: 0.45 },
  { ratio: 2.5, weight: 0.1 },
];
const WORSE = BETTER.map(({ ratio, weight }) => ({ ratio: 1 / ratio, weight }));

/** Sequential, so that it may be repeated at any time (docs/decisions/0130-comparisons-are-sequential-tests.md). */
export function comparison(counts: Counts[]): Comparison {
  const days = Map.groupBy(summed(counts), ({ day }) => day);
  const shares = Map.groupBy([...days.values()].flatMap(sharesOfDay), ({ id }) => id);
  const compared = [...shares].map(([id, days]) => ({ id, days, hasEnough: hasEnough(days) }));

  const claims = established(claimsAbout(compared));
  const better = claims.flatMap(claim => claim.better ?? []);
  const worse = claims.flatMap(claim => claim.worse ?? []);
  const enough = compared.flatMap(({ id, hasEnough }) => (hasEnough ? [id] : []));
  if (claims.length > 0) return { result: 'difference', better, worse, enough };

  const sentOfThose = (those: Compared[]) => sum(those.flatMap(({ days }) => days).map(({ sent }) => sent));
  const isMostCompared =
    sentOfThose(compared.filter(({ hasEnough }) => hasEnough)) * 2 > sentOfThose(compared);
  return { result: isMostCompared ? 'no_difference' : 'not_enough_data', better, worse, enough };
}

export function verdictsOf({ better, worse, enough }: Comparison): (id: string) => Verdict {
  const verdicts = new Map<string, Verdict>([
    ...enough.map(id => [id, 'no_difference'] as const),
    ...better.map(id => [id, 'better'] as const),
    ...worse.map(id => [id, 'worse'] as const),
  ]);
  return id => verdicts.get(id) ?? 'not_enough_data';
}

const ownId = ({ id }: Counts): string | undefined => id;

export function summed<Row extends Counts>(
  rows: Row[],
  idOf: (row: Row) => string | undefined = ownId,
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

type ShareOfDay = { id: string; sent: number; clicked: number; share: number; clicks: number };

/** The shares of each id on a day. A day with only one id has nothing to compare. */
function sharesOfDay(counts: Counts[]): ShareOfDay[] {
  const all = sum(counts.map(({ sent }) => sent));
  const clicks = sum(counts.map(({ clicked }) => clicked));
  return counts
    .map(({ id, sent, clicked }) => ({ id, sent, clicked, share: sent / all, clicks }))
    .filter(({ share }) => share > 0 && share < 1);
}

function hasEnough(days: ShareOfDay[]): boolean {
  const own = sum(days.map(({ clicked }) => clicked));
  const all = sum(days.map(({ clicks }) => clicks));
  const expected = sum(days.map(({ clicks, share }) => clicks * share));
  return Math.max(own, expected) >= LEAST_CLICKS && Math.max(all - own, all - expected) >= LEAST_CLICKS;
}

type Compared = { id: string; days: ShareOfDay[]; hasEnough: boolean };
type Claim = { better?: string; worse?: string; evidence: number };

/** The claims about those compared. If there are two, "one is better" and "the other one is worse" are the same claim. */
const claimsAbout = (compared: Compared[]): Claim[] =>
  compared.length === 2
    ? compared.map((one, at) => ({
        better: one.id,
        worse: (compared[1 - at] as Compared).id,
        evidence: evidence(one, BETTER),
      }))
    : compared.flatMap(one => [
        { better: one.id, evidence: evidence(one, BETTER) },
        { worse: one.id, evidence: evidence(one, WORSE) },
      ]);

/** If its rate does not differ, its share of the clicks of a day is its share of the emails, whatever the rate. */
function evidence({ days, hasEnough }: Compared, ratios: typeof BETTER): number {
  if (!hasEnough) return 0;
  const clicked = sum(days.map(day => day.clicked));
  let total = 0;
  for (const { ratio, weight } of ratios) {
    let logarithm = clicked * Math.log(ratio);
    for (const { clicks, share } of days) logarithm -= clicks * Math.log1p(share * (ratio - 1));
    total += weight * Math.exp(logarithm);
  }
  return total;
}

/** The permitted error is divided among all claims; each established one leaves its part to the others (Holm). */
function established(claims: Claim[]): Claim[] {
  const sorted = claims.toSorted((a, b) => b.evidence - a.evidence);
  const missed = sorted.findIndex(({ evidence }, at) => evidence < (claims.length - at) / MOST_ERRORS);
  return missed < 0 ? sorted : sorted.slice(0, missed);
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

const AND = new Intl.ListFormat('en', { type: 'conjunction' });
const MOST_NAMES = 3;

export function comparisonSentence(
  { result, better, worse }: Omit<Comparison, 'enough'>,
  nameOf = (id: string) => id,
): string {
  if (result === 'not_enough_data') return 'Not enough data yet';
  if (result === 'no_difference') return 'No difference found';
  const [those, how] = better.length > 0 ? [better, 'better'] : [worse, 'worse'];
  const names = those.slice(0, MOST_NAMES).map(nameOf);
  const others = those.length - names.length;
  const subject = AND.format(others > 0 ? [...names, `${others} more`] : names);
  return `${subject} ${those.length === 1 ? 'clicks' : 'click'} ${how} than the rest`;
}

/** The counts of a combination, with the ids of its assets by part; a template has none. */
export type CombinationCounts = Counts & { parts: Partial<Record<Part, string>> };

export const countsOfVariants = (combinations: CombinationCounts[], part: Part): Counts[] =>
  summed(combinations, ({ parts }) => parts[part]);

/** The other parts are chosen at random for all variants alike, so they do not favour any. */
export const partComparisons = (
  combinations: CombinationCounts[],
): { part: Part; comparison: Comparison; counts: Counts[] }[] =>
  PART_NAMES.flatMap(part => {
    const counts = countsOfVariants(combinations, part);
    const variants = new Set(counts.map(({ id }) => id));
    return variants.size > 1 ? [{ part, comparison: comparison(counts), counts }] : [];
  });
