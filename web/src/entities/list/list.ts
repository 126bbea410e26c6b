import type { EmailList } from '#shared/list.ts';
import type { ListMember } from '#shared/list-member.ts';
import { onChange, useCachedData, useOrganizationData } from '#web/lib/data.ts';
import { formatNumber } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { store } from '#web/lib/store.ts';
import type { Entity } from '../entity.ts';
import { useEntity } from '../use-entity.ts';

export const LIST = {
  noun: 'list',
  nameOf: ({ name }) => name,
  home: paths.lists(),
  one: 'GET /api/email-lists/{list}',
  rows: 'GET /api/email-lists',
  put: 'PUT /api/email-lists/{list}',
  remove: 'DELETE /api/email-lists/{list}',
  paramsOf: list => ({ list }),
  activeField: 'active',
  right: 'lists:edit',
  texts: {
    missing: 'Email list not found',
    notLoaded: 'Failed to fetch email list details',
    switched: ({ name }, active) =>
      active ? `${name} is active.` : `${name} is inactive: nothing is sent to it.`,
    switchedAll: (count, active) =>
      `${formatNumber(count)} lists are ${active ? 'active' : 'inactive: nothing is sent to them'}.`,
    notSwitched: problem => serverMessageOr(problem, 'Failed to update list. Please try again'),
    deleted: ({ name }) => `${name} was deleted.`,
  },
} satisfies Entity<Pick<EmailList, 'id' | 'name'>, 'GET /api/email-lists/{list}'>;

export const useLists = () => useOrganizationData('GET /api/email-lists');

/** Programs add members at any time, so the counts are polled while a list is shown. */
const POLL_INTERVAL = 10_000;

export const useList = (id: string, { pollCounts = false } = {}) =>
  useCounted(useEntity(LIST, id, { refreshInterval: pollCounts ? POLL_INTERVAL : 0 }).data);

/** A list from the cache of the table, if that was loaded. */
export const useKnownList = (id: string) =>
  useCachedData('GET /api/email-lists')?.find(list => list.id === id);

type DateColumns = { columns: string[]; stats: Record<string, number> };
type Least = Pick<
  EmailList,
  'members_count' | 'total_members' | 'subscribed_members' | 'unsubscribed_members'
>;

/** The counts lag behind the members: until they are updated, members that the user has just added count as well. */
const LAG = 60_000;

const least = store<ReadonlyMap<string, Least>>(new Map());
const dates = store<ReadonlyMap<string, readonly string[]>>(new Map());

export function countAdded(
  { email_list_id: id, is_subscribed, metadata }: ListMember,
  known: EmailList | undefined,
) {
  const before = atLeast(known, id);
  const one = Number(is_subscribed);
  const counts = {
    members_count: (before?.members_count ?? 0) + 1,
    total_members: (before?.total_members ?? 0) + 1,
    subscribed_members: (before?.subscribed_members ?? 0) + one,
    unsubscribed_members: (before?.unsubscribed_members ?? 0) + 1 - one,
  };
  const added = metadata.filter(({ type }) => type === 'datetime').map(({ key }) => key);
  least.set(new Map(least.get()).set(id, counts));
  dates.set(new Map(dates.get()).set(id, [...new Set([...(dates.get().get(id) ?? []), ...added])]));
  setTimeout(() => least.get().get(id) === counts && forget(), LAG);
}

function forget() {
  least.set(new Map());
  dates.set(new Map());
}

onChange(route => {
  if (route === 'PUT /api/list-members/{listMember}' || route === 'DELETE /api/list-members/{listMember}')
    forget();
});

function atLeast<Known extends Least | undefined>(known: Known, id: string): Known {
  const counts = least.get().get(id);
  if (!known || !counts) return known;
  const greater = Object.entries(counts).map(([name, count]) => [
    name,
    Math.max(count, known[name as keyof Least]),
  ]);
  return { ...known, ...Object.fromEntries(greater) };
}

function useCounted(list: EmailList | undefined): EmailList | undefined {
  least.use();
  return list && atLeast(list, list.id);
}

/** The date columns of a list, including those of members that were just added. */
export function useCountedColumns(id: string, known: DateColumns | undefined): DateColumns | undefined {
  const added = dates
    .use()
    .get(id)
    ?.filter(column => !known?.columns.includes(column));
  if (!known || !added?.length) return known;
  const stats = { ...known.stats, ...Object.fromEntries(added.map(column => [column, 1])) };
  return { columns: [...known.columns, ...added].sort(), stats };
}
