import type { EmailList } from '../../../../shared/list.ts';
import type { TableView } from '../../lib/table-view.ts';

const ORDERS: Record<string, (a: EmailList, b: EmailList) => number> = {
  name: (a, b) => a.name.localeCompare(b.name),
  domain: (a, b) => a.domain.localeCompare(b.domain),
  members: (a, b) => a.members_count - b.members_count,
};

/** The lists that a search leaves, in the order that was chosen. */
export function shownLists(
  lists: EmailList[],
  { sort = 'name', direction, filters }: TableView,
): EmailList[] {
  const wanted = (filters.search ?? '').trim().toLowerCase();
  const found = lists.filter(({ name, domain }) => `${name}\n${domain}`.toLowerCase().includes(wanted));
  const sorted = found.toSorted(ORDERS[sort] ?? ORDERS.name);
  return direction === 'desc' ? sorted.reverse() : sorted;
}
