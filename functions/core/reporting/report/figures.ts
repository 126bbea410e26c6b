import type { Sums } from '#core/counters/rollup.store.ts';
import { amountOf, ratesOf, SORTS, type SortedBy } from '#shared/report/figures.ts';
import type { Figures, Totals } from '#shared/reporting.ts';

export const figuresOf = ({ value, ...counts }: Sums): Figures => ({
  ...counts,
  ...ratesOf({ ...counts, value }),
});

export const totalsOf = (sums: Sums): Totals => ({
  total_sent: sums.sent,
  total_opened: sums.opened,
  total_machine_opened: sums.machine_opened,
  total_clicked: sums.clicked,
  total_unsub_clicked: sums.unsub_clicked,
  total_unsubscribed: sums.unsubscribed,
  total_bounced: sums.bounced,
  total_complained: sums.complained,
  value: amountOf(sums.value),
});

type Counted = { id: string; sums: Sums };

/** Rows with equal figures are sorted by id. */
export function sorted<C extends Counted>(all: C[], by: SortedBy, direction: 'asc' | 'desc'): C[] {
  const sign = direction === 'asc' ? 1 : -1;
  const byId = (a: C, b: C) => (a.id < b.id ? -1 : 1);
  return by === 'id'
    ? [...all].sort((a, b) => sign * byId(a, b))
    : [...all].sort((a, b) => sign * (SORTS[by](a.sums) - SORTS[by](b.sums)) || byId(a, b));
}
