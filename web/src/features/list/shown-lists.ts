import type { EmailList } from '../../../../shared/list.ts';
import { compareNames } from '../../../../shared/names.ts';
import type { TableView } from '../../lib/table-view.ts';
import { nextStepOf } from './next-step.ts';

const byName = (a: EmailList, b: EmailList) => compareNames(a.name, b.name);

const ORDERS = new Map<string, (a: EmailList, b: EmailList) => number>([
  ['domain', (a, b) => compareNames(a.domain, b.domain)],
  ['members', (a, b) => a.members_count - b.members_count],
]);

/** The lists that match the search, sorted. */
export function shownLists(
  lists: EmailList[],
  { sort = 'name', direction, filters }: TableView,
): EmailList[] {
  const query = (filters.search ?? '').trim().toLowerCase();
  const matches = lists.filter(({ name, domain }) => `${name}\n${domain}`.toLowerCase().includes(query));
  const sorted = matches.toSorted(ORDERS.get(sort) ?? byName);
  return direction === 'desc' ? sorted.reverse() : sorted;
}

/** Those that need something first, then the largest. */
export const mostUrgentLists = (lists: EmailList[], most: number): EmailList[] =>
  lists
    .toSorted(
      (a, b) => Number(isReady(a)) - Number(isReady(b)) || b.members_count - a.members_count || byName(a, b),
    )
    .slice(0, most);

const isReady = (list: EmailList) => nextStepOf(list) === undefined;
