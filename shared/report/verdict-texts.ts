import type { ComparedBy } from '../comparisons.ts';
import type { ComparedRow, Comparison } from './significance.ts';

type Sized = Pick<ComparedRow, 'verdict' | 'ratio_from' | 'ratio_to' | 'detectable_ratio'>;

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumSignificantDigits: 2 }).format;

const detectableText = (ratio: number | null) =>
  `No difference found: ${percent((ratio ?? 1) - 1)} would have shown in half of cases`;

/** `from` and `to` are how many times as often. */
function sizeText(verdict: 'better' | 'worse', from: number | null, to: number | null): string {
  const isBetter = verdict === 'better';
  const [least, most] = isBetter ? [from, to] : [to, from];
  const size = (ratio: number | null) => percent(Math.abs((ratio ?? 0) - 1));
  const sizes = most === null && isBetter ? `at least ${size(least)}` : `${size(least)} to ${size(most)}`;
  return `${sizes} ${isBetter ? 'more' : 'less'}`;
}

export function verdictText(
  { verdict, ratio_from, ratio_to, detectable_ratio }: Sized,
  by: ComparedBy = 'clicks',
): string {
  if (verdict === 'not_enough_data') return 'Not enough data yet';
  if (verdict === 'no_difference') return detectableText(detectable_ratio);
  const what = by === 'clicks' ? 'Clicked' : 'Leads to conversions';
  return `${what} ${OFTEN[verdict]} than the rest: ${sizeText(verdict, ratio_from, ratio_to)}`;
}

const OFTEN = { better: 'more often', worse: 'less often' };
/** Of one subject, and of several. */
const HAPPENS = {
  clicks: ['is clicked', 'are clicked'],
  conversions: ['leads to conversions', 'lead to conversions'],
} as const;

const AND = new Intl.ListFormat('en', { type: 'conjunction' });
const MOST_NAMES = 3;

/** The count that is compared. */
export const COUNTED_BY = { clicks: 'clicked', conversions: 'conversions' } as const;

type Row = Sized & { id: string; sent: number; clicked: number; conversions?: number };
type Comparing = { result: Comparison['result']; rows: Row[]; left_out?: number };

export function comparisonSentence(
  comparing: Comparing,
  nameOf = (id: string) => id,
  by: ComparedBy = 'clicks',
): string {
  const { result, rows } = comparing;
  if (result === 'not_enough_data') return 'Not enough data yet';
  if (result === 'no_difference')
    return detectableText(Math.max(...rows.map(({ detectable_ratio }) => detectable_ratio ?? 1)));
  const having = (wanted: string) => rows.filter(({ verdict }) => verdict === wanted);
  const [better, worse] = [having('better'), having('worse')];
  const [those, verdict] = better.length > 0 ? ([better, 'better'] as const) : ([worse, 'worse'] as const);
  const names = those.slice(0, MOST_NAMES).map(({ id }) => nameOf(id));
  const more = those.length - names.length;
  const subject = AND.format(more > 0 ? [...names, `${more} more`] : names);
  const from = Math.min(...those.map(({ ratio_from }) => ratio_from ?? 0));
  const to = those.some(({ ratio_to }) => ratio_to === null)
    ? null
    : Math.max(...those.map(({ ratio_to }) => ratio_to ?? 0));
  const others = rows.filter(row => !those.includes(row));
  const [other] = others;
  const rest = other && rows.length === 2 && !comparing.left_out ? nameOf(other.id) : 'the rest';
  const rates = those.length === 1 && !comparing.left_out ? ratesText(those, others, { from, to, by }) : '';
  const [one, several] = HAPPENS[by];
  return `${subject} ${those.length === 1 ? one : several} ${OFTEN[verdict]} than ${rest}: ${rates}${sizeText(verdict, from, to)}`;
}

type Found = { from: number; to: number | null; by: ComparedBy };

/**
 * Both rates. Days are compared one by one, so that the rates of all days together may differ by another ratio: they are
 * left out if it is not within the one that was found.
 */
function ratesText(those: Row[], others: Row[], { from, to, by }: Found): string {
  const [own, rest] = [rateOf(those, by), rateOf(others, by)];
  const isWithin = own >= from * rest && (to === null || own <= to * rest);
  return isWithin ? `${rateText(own)} against ${rateText(rest)}, ` : '';
}

const rateOf = (rows: Row[], by: ComparedBy) => {
  const sum = (name: 'sent' | 'clicked' | 'conversions') =>
    rows.reduce((total, row) => total + (row[name] ?? 0), 0);
  return sum(COUNTED_BY[by]) / sum('sent');
};
const rateText = (rate: number) => (rate === 0 ? '0%' : `${(100 * rate).toFixed(rate < 0.01 ? 2 : 1)}%`);

/** The label of an id: its name, with the id if another row has the same name. */
export function labelsOf(rows: { id: string; name: string }[]): (id: string) => string {
  const byName = Map.groupBy(rows, ({ name }) => name);
  const names = new Map(
    rows.map(({ id, name }) => {
      // Isolated, so that a right-to-left name does not change the direction of the sentence.
      const shown = `“\u2068${name}\u2069”`;
      return [id, name === '' ? id : (byName.get(name)?.length ?? 0) > 1 ? `${shown} (${id})` : shown];
    }),
  );
  return id => names.get(id) ?? id;
}
