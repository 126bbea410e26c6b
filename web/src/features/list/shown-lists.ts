import type { EmailList } from '#shared/list.ts';
import { compareNames } from '#shared/names.ts';
import { text } from '#web/lib/filters.ts';
import type { ViewOf } from '#web/lib/table-view.ts';
import { nextStepOf } from './next-step.ts';

const byName = (a: EmailList, b: EmailList) => compareNames(a.name, b.name);

const ORDERS = {
  name: byName,
  domain: (a: EmailList, b: EmailList) => compareNames(a.domain, b.domain),
  members: (a: EmailList, b: EmailList) => a.members_count - b.members_count,
};

export const LISTS_VIEW = { filters: { search: text }, sorts: ['name', 'domain', 'members'] } as const;

/** The lists that match the search, sorted. */
export function shownLists(
  lists: EmailList[],
  { sort = 'name', direction, filters }: ViewOf<typeof LISTS_VIEW>,
): EmailList[] {
  const query = filters.search.trim().toLowerCase();
  const matches = lists.filter(({ name, domain }) => `${name}\n${domain}`.toLowerCase().includes(query));
  const sorted = matches.toSorted(ORDERS[sort]);
  return direction === 'desc' ? sorted.reverse() : sorted;
}

/** The lists with a missing step first, then the largest. */
export const mostUrgentLists = (lists: EmailList[], most: number): EmailList[] =>
  lists
    .toSorted(
      (a, b) => Number(isReady(a)) - Number(isReady(b)) || b.members_count - a.members_count || byName(a, b),
    )
    .slice(0, most);

const isReady = (list: EmailList) => nextStepOf(list) === undefined;
