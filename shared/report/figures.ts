// Apart from the schemas, so that pages do not load these.

export const SORTED_BY = [
  'id',
  'sent',
  'opened',
  'machine_opened',
  'clicked',
  'unsubscribed',
  'conversions',
  'open_rate',
  'click_rate',
  'unsubscribe_rate',
  'value',
  'value_per_send',
  'value_per_click',
] as const;
export type SortedBy = (typeof SORTED_BY)[number];

export const MOST_RECENT = 100;

/** The value of a conversion is stored in whole ten-thousandths, so that sums are exact. */
export const VALUE_DECIMALS = 4;
const UNITS = 10 ** VALUE_DECIMALS;

export const unitsOf = (value: number) => Math.round(value * UNITS);
export const amountOf = (units: number) => units / UNITS;

/** With two decimals, as tables and files show it. A half is rounded up: 0.015 is a little less in binary. */
export const roundedAmount = (amount: number) => Math.round(unitsOf(amount) / 100) / 100;

export const ratio = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);

export const percentage = (part: number, whole: number) =>
  // Multiplied first: 57 / 800 is a little less than 0.07125 in binary.
  `${(Math.round(ratio(part * 10_000, whole)) / 100).toFixed(2)}%`;

type Sums = {
  sent: number;
  opened: number;
  machine_opened: number;
  clicked: number;
  unsub_clicked: number;
  unsubscribed: number;
  conversions: number;
  /** In whole ten-thousandths. */
  value: number;
};

export const ratesOf = ({
  sent,
  opened,
  clicked,
  unsub_clicked,
  unsubscribed,
  value,
}: Omit<Sums, 'conversions'>) => ({
  open_rate: percentage(opened, sent),
  click_rate: percentage(clicked, sent),
  unsub_click_rate: percentage(unsub_clicked, sent),
  unsubscribe_rate: percentage(unsubscribed, sent),
  value: amountOf(value),
  value_per_send: amountPer(value, sent),
  value_per_click: amountPer(value, clicked),
});

const amountPer = (units: number, count: number) => amountOf(Math.round(ratio(units, count)));

/** The values to sort by. They are counts, not the texts that are shown: different rates may have the same text. */
const SORTS: Record<Exclude<SortedBy, 'id'>, (sums: Sums) => number | null> = {
  sent: ({ sent }) => sent,
  opened: ({ opened }) => opened,
  machine_opened: ({ machine_opened }) => machine_opened,
  clicked: ({ clicked }) => clicked,
  unsubscribed: ({ unsubscribed }) => unsubscribed,
  conversions: ({ conversions }) => conversions,
  open_rate: ({ opened, sent }) => ratio(opened, sent),
  click_rate: ({ clicked, sent }) => ratio(clicked, sent),
  unsubscribe_rate: ({ unsubscribed, sent }) => ratio(unsubscribed, sent),
  value: ({ value }) => value,
  value_per_send: ({ value, sent }) => (sent === 0 ? null : value / sent),
  value_per_click: ({ value, clicked }) => (clicked === 0 ? null : value / clicked),
};

/** Whose value by email is known with a range. */
export type Ranged = { value_per_send_range?: object | null | undefined };

/** Rows that have no such figure are last in both directions; before them, those whose value by email has no range. */
export function compareBy(
  by: Exclude<SortedBy, 'id'>,
  direction: 'asc' | 'desc',
  a: Sums & Ranged,
  b: Sums & Ranged,
): number {
  const [first, second] = [SORTS[by](a), SORTS[by](b)];
  if (first === null || second === null) return Number(first === null) - Number(second === null);
  const isWithout = ({ value_per_send_range }: Ranged) => Number(!value_per_send_range);
  const without = by === 'value_per_send' ? isWithout(a) - isWithout(b) : 0;
  if (without !== 0) return without;
  return direction === 'asc' ? first - second : second - first;
}
