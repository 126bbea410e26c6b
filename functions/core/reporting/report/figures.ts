import type { Figures, SortedBy, Totals } from '../../../../shared/reporting.ts';
import { amountOf } from '../../../../shared/value.ts';
import type { Sums } from '../rollup/rollup.ts';

const ratio = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);

const percentage = (part: number, whole: number) =>
  `${(Math.round(ratio(part, whole) * 10_000) / 100).toFixed(2)}%`;

const amountPer = (units: number, count: number) => amountOf(Math.round(ratio(units, count)));

export function figuresOf({ value, ...counts }: Sums): Figures {
  const { sent, opened, clicked, unsub_clicked, unsubscribed } = counts;
  return {
    ...counts,
    open_rate: percentage(opened, sent),
    click_rate: percentage(clicked, sent),
    unsub_click_rate: percentage(unsub_clicked, sent),
    unsubscribe_rate: percentage(unsubscribed, sent),
    value: amountOf(value),
    value_per_send: amountPer(value, sent),
    value_per_click: amountPer(value, clicked),
  };
}

export const totalsOf = (sums: Sums): Totals => ({
  total_sent: sums.sent,
  total_opened: sums.opened,
  total_clicked: sums.clicked,
  total_unsub_clicked: sums.unsub_clicked,
  total_unsubscribed: sums.unsubscribed,
  total_bounced: sums.bounced,
  total_complained: sums.complained,
  value: amountOf(sums.value),
});

type Counted = { id: string; sums: Sums };

/** By what is counted, not by what is shown of it: equal texts may stand for different rates. */
const SORTS: Record<Exclude<SortedBy, 'id'>, (sums: Sums) => number> = {
  sent: ({ sent }) => sent,
  opened: ({ opened }) => opened,
  clicked: ({ clicked }) => clicked,
  unsubscribed: ({ unsubscribed }) => unsubscribed,
  open_rate: ({ opened, sent }) => ratio(opened, sent),
  click_rate: ({ clicked, sent }) => ratio(clicked, sent),
  unsubscribe_rate: ({ unsubscribed, sent }) => ratio(unsubscribed, sent),
  value: ({ value }) => value,
  value_per_send: ({ value, sent }) => ratio(value, sent),
  value_per_click: ({ value, clicked }) => ratio(value, clicked),
};

/** Equal ones are in the order of their ids. */
export function sorted<C extends Counted>(all: C[], by: SortedBy, direction: 'asc' | 'desc'): C[] {
  const sign = direction === 'asc' ? 1 : -1;
  const byId = (a: C, b: C) => (a.id < b.id ? -1 : 1);
  return by === 'id'
    ? [...all].sort((a, b) => sign * byId(a, b))
    : [...all].sort((a, b) => sign * (SORTS[by](a.sums) - SORTS[by](b.sums)) || byId(a, b));
}
