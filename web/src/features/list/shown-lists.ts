import type { EmailList } from '../../../../shared/list.ts';
import type { TableView } from '../../lib/table-view.ts';

const ORDERS: Record<string, (a: EmailList, b: EmailList) => number> = {
  name: (a, b) => a.name.localeCompare(b.name),
  domain: (a, b) => a.domain.localeCompare(b.domain),
  members: (a, b) => a.members_count - b.members_count,
};

/** The lists that match the search, sorted. */
export function shownLists(
  lists: EmailList[],
  { sort = 'name', direction, filters }: TableView,
): EmailList[] {
  const query = (filters.search ?? '').trim().toLowerCase();
  const matches = lists.filter(({ name, domain }) => `${name}\n${domain}`.toLowerCase().includes(query));
  const sorted = matches.toSorted(ORDERS[sort] ?? ORDERS.name);
  return direction === 'desc' ? sorted.reverse() : sorted;
}
