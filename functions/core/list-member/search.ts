import type { ListMembersPage } from '../../../shared/list-member.ts';
import type { Found } from '../list/list.ts';
import type { Table } from '../table.store.ts';
import { type Cursor, encodeCursor } from './cursor.ts';
import * as store from './list-member.store.ts';

type Search = { text: string; page: number; per_page: number; from: Cursor | undefined };
export type Page = Omit<ListMembersPage, 'data' | 'total'> & { rows: store.IndexRow[] };

// How many members one call searches for a text in the middle of their address.
const MOST_SEARCHED = 10_000;
// A little less than the megabyte that one request answers.
const SEARCHED_AT_ONCE = 4_000;

/**
 * A page of a search: first the members whose address begins with the text, which the index finds; then those that have
 * it elsewhere, as far as one call reads. Without a cursor, the members of earlier pages are counted from the first.
 */
export async function searchPage(
  table: Table,
  list: Found,
  { text, page, per_page, from }: Search,
): Promise<Page> {
  const rows: store.IndexRow[] = [];
  const answer = (next: Cursor | undefined, searched: number, last = page): Page => ({
    rows,
    current_page: page,
    last_page: next ? page + 1 : last,
    previous_cursor: null,
    next_cursor: next ? encodeCursor(next) : null,
    searched: {
      members: searched,
      of: Math.max(list.counts.total, searched),
      complete: next === undefined,
    },
  });

  const earlier = from ? 0 : (page - 1) * per_page;
  let skip = from?.kind === 'part' ? from.skip : earlier;
  if (from?.kind !== 'part') {
    const where = { prefix: text, after: from?.email, limit: per_page + 1 };
    const { members, skipped } = await store.membersAfter(table, list.id, skip, where);
    rows.push(...members.slice(0, per_page));
    skip -= skipped;
    const last = rows.at(-1);
    if (members.length > per_page && last) return answer({ kind: 'prefix', email: last.email }, 0);
  }

  let searched = from?.kind === 'part' ? from.searched : 0;
  let after = from?.kind === 'part' ? from.email : '';
  for (let left = MOST_SEARCHED; left > 0; left -= SEARCHED_AT_ONCE) {
    const limit = Math.min(left, SEARCHED_AT_ONCE);
    const members = await store.members(table, list.id, { after: after || undefined, limit });
    for (const member of members) {
      const isFound = member.email.includes(text) && !member.email.startsWith(text);
      if (isFound && skip === 0 && rows.length === per_page) {
        return answer({ kind: 'part', email: after, searched, skip }, searched);
      }
      if (isFound && skip === 0) rows.push(member);
      else if (isFound) skip -= 1;
      after = member.email;
      searched += 1;
    }
    if (members.length < limit) {
      const found = earlier - skip + rows.length;
      return answer(undefined, searched, from ? page : Math.max(1, Math.ceil(found / per_page)));
    }
  }
  return answer({ kind: 'part', email: after, searched, skip }, searched);
}
