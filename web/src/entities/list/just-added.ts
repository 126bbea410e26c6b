import type { EmailList } from '#shared/list.ts';
import type { ListMember } from '#shared/list-member.ts';
import { onChange } from '#web/lib/data.ts';
import { store } from '#web/lib/store.ts';

type DateColumns = { columns: string[]; stats: Record<string, number> };
type Least = Pick<
  EmailList,
  'members_count' | 'total_members' | 'subscribed_members' | 'unsubscribed_members'
>;

/**
 * The counts of a list lag behind its members. Until they are updated, members that the user has just added are counted as
 * well.
 */
const LAG = 60_000;

const least = store<ReadonlyMap<string, Least>>(new Map());
const dates = store<ReadonlyMap<string, readonly string[]>>(new Map());

/** Counts a member that was just added to a list. */
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

/** A list whose count includes members that were just added. */
export function useCounted(list: EmailList | undefined): EmailList | undefined {
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
