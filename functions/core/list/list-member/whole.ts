import type { Table } from '#core/storage/table.store.ts';
import { MOST_READ } from '#shared/members-page.ts';
import type { CountedList } from '../list.ts';
import { type Cursor, encodeCursor } from './cursor.ts';
import * as store from './list-member.store.ts';
import type { Page } from './search.ts';
import { hasStatus, isPartial, type View } from './view.ts';

type Wanted = { view: View; page: number; per_page: number; from: Cursor | undefined };

/** A page of a view, in any order. Returns undefined if the list has more members than one call reads. */
export async function wholePage(
  table: Table,
  list: CountedList,
  { view, page, per_page, from }: Wanted,
): Promise<Page | undefined> {
  if (list.counts.total > MOST_READ) return undefined;
  const members = await store.members(table, list.id, { limit: MOST_READ + 1 });
  // The list has more members than the projector has counted.
  if (members.length > MOST_READ) return undefined;

  const order = orderOf(view);
  const found = members
    .filter(member => member.email.includes(view.text) && hasStatus(view, member))
    .sort(order);
  const last = Math.max(1, Math.ceil(found.length / per_page));
  const before = (isBefore: (member: Ordered) => boolean) => found.filter(isBefore).length;
  const start =
    from?.kind === 'behind'
      ? before(member => order(member, from) <= 0)
      : from?.kind === 'ahead'
        ? Math.max(0, before(member => order(member, from) < 0) - per_page)
        : (Math.min(page, last) - 1) * per_page;
  const rows = found.slice(start, start + per_page);
  const current = from ? (start === 0 ? 1 : page) : Math.min(page, last);
  const [first, final] = [rows[0], rows.at(-1)];
  const more = start + rows.length < found.length;
  const read = members.length;
  return {
    rows,
    current_page: current,
    last_page: Math.max(last, current + (more ? 1 : 0)),
    found: isPartial(view) ? found.length : null,
    previous_cursor: start > 0 && first ? encodeCursor({ kind: 'ahead', ...keysOf(first) }) : null,
    next_cursor: more && final ? encodeCursor({ kind: 'behind', ...keysOf(final) }) : null,
    searched: isPartial(view) ? { members: read, of: read, complete: true } : null,
  };
}

type Ordered = Pick<store.IndexRow, 'email' | 'created_at'>;

const keysOf = ({ email, created_at }: Ordered): Ordered => ({ email, created_at });

/** The order of a view. A search by address begins with the addresses that begin with its text. */
function orderOf({ text, sort, descending }: View): (a: Ordered, b: Ordered) => number {
  const sign = descending ? -1 : 1;
  const begins = ({ email }: Ordered) => email.startsWith(text);
  return (a, b) => {
    if (sort === 'email' && !descending && begins(a) !== begins(b)) return begins(a) ? -1 : 1;
    return sign * (compared(sort, a, b) || compared('email', a, b));
  };
}

const compared = (key: keyof Ordered, a: Ordered, b: Ordered) =>
  a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0;
