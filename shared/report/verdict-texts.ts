import type { ComparedRow, Comparison } from './significance.ts';

type Sized = Pick<ComparedRow, 'verdict' | 'ratio_from' | 'ratio_to' | 'detectable_ratio'>;

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumSignificantDigits: 2 }).format;

const detectableText = (ratio: number | null) =>
  `No difference found: ${percent((ratio ?? 1) - 1)} would have shown in half of cases`;

/** `from` and `to` are how many times as often. */
function claimText(verdict: 'better' | 'worse', from: number | null, to: number | null): string {
  const isBetter = verdict === 'better';
  const [least, most] = isBetter ? [from, to] : [to, from];
  const size = (ratio: number | null) => percent(Math.abs((ratio ?? 0) - 1));
  const sizes = most === null && isBetter ? `at least ${size(least)}` : `${size(least)} to ${size(most)}`;
  return `${verdict} than the rest, ${sizes} ${isBetter ? 'more' : 'less'} often`;
}

export function verdictText({ verdict, ratio_from, ratio_to, detectable_ratio }: Sized): string {
  if (verdict === 'not_enough_data') return 'Not enough data yet';
  if (verdict === 'no_difference') return detectableText(detectable_ratio);
  return `Clicks ${claimText(verdict, ratio_from, ratio_to)}`;
}

const AND = new Intl.ListFormat('en', { type: 'conjunction' });
const MOST_NAMES = 3;

export function comparisonSentence(
  { result, rows }: { result: Comparison['result']; rows: (Sized & { id: string })[] },
  nameOf = (id: string) => id,
): string {
  if (result === 'not_enough_data') return 'Not enough data yet';
  if (result === 'no_difference')
    return detectableText(Math.max(...rows.map(({ detectable_ratio }) => detectable_ratio ?? 1)));
  const having = (wanted: string) => rows.filter(({ verdict }) => verdict === wanted);
  const [better, worse] = [having('better'), having('worse')];
  const [those, verdict] = better.length > 0 ? ([better, 'better'] as const) : ([worse, 'worse'] as const);
  const names = those.slice(0, MOST_NAMES).map(({ id }) => nameOf(id));
  const others = those.length - names.length;
  const subject = AND.format(others > 0 ? [...names, `${others} more`] : names);
  const from = Math.min(...those.map(({ ratio_from }) => ratio_from ?? 0));
  const to = those.some(({ ratio_to }) => ratio_to === null)
    ? null
    : Math.max(...those.map(({ ratio_to }) => ratio_to ?? 0));
  return `${subject} ${those.length === 1 ? 'clicks' : 'click'} ${claimText(verdict, from, to)}`;
}
