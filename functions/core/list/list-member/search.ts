import type { Table } from '#core/storage/table.store.ts';
import type { ListMembersPage } from '#shared/list-member.ts';
import { MOST_READ } from '#shared/members-page.ts';
import type { CountedList } from '../list.ts';
import { encodeCursor, type SearchCursor } from './cursor.ts';
import * as store from './list-member.store.ts';
import { hasStatus, type View } from './view.ts';

type Search = { view: View; page: number; per_page: number; from: SearchCursor | undefined };
export type Page = Omit<ListMembersPage, 'data' | 'total'> & { rows: store.IndexRow[] };

/**
 * A page of a search or a filter, as far as one call reads: first the members whose address begins with the text, which the
 * index finds, then the others. Without a cursor, it reads from the first member on and skips the earlier pages.
 */
export async function searchPage(
  table: Table,
  list: CountedList,
  { view, page, per_page, from }: Search,
): Promise<Page> {
  const rows: store.IndexRow[] = [];
  const earlier = from ? 0 : (page - 1) * per_page;
  let { skip, searched } = from ?? { skip: earlier, searched: 0 };
  let left = MOST_READ;

  /**
   * Reads until the page is full, or until the call has read as much as it may. Then it returns where the next call
   * continues.
   */
  async function read({ kind, prefix, first, isFound }: Phase): Promise<SearchCursor | undefined> {
    let email = from?.kind === kind ? from.email : '';
    for (let most = first; left > 0; most = MOST_AT_ONCE) {
      const limit = Math.min(left, most);
      const members = await store.members(table, list.id, { prefix, after: email || undefined, limit });
      for (const member of members) {
        const isWanted = isFound(member.email) && hasStatus(view, member);
        if (isWanted && skip === 0 && rows.length === per_page) return { kind, email, searched, skip };
        if (isWanted && skip === 0) rows.push(member);
        else if (isWanted) skip -= 1;
        email = member.email;
        if (kind === 'part') searched += 1;
      }
      if (members.length < limit) return undefined;
      left -= limit;
    }
    return { kind, email, searched, skip };
  }

  const answer = (next?: SearchCursor): Page => {
    const found = next || from ? null : earlier - skip + rows.length;
    return {
      rows,
      current_page: page,
      last_page: next ? page + 1 : found === null ? page : Math.max(1, Math.ceil(found / per_page)),
      found,
      previous_cursor: null,
      next_cursor: next ? encodeCursor(next) : null,
      searched: { members: searched, of: Math.max(list.counts.total, searched), complete: !next },
    };
  };

  const phases = phasesOf(view, per_page);
  for (const phase of from?.kind === 'part' ? phases.slice(-1) : phases) {
    const next = await read(phase);
    if (next) return answer(next);
  }
  return answer();
}

// Takes a little less than the megabyte that one response has at most.
const MOST_AT_ONCE = 4_000;

type Phase = {
  kind: SearchCursor['kind'];
  prefix?: string;
  /** How many members the first request reads. */
  first: number;
  isFound: (email: string) => boolean;
};

function phasesOf({ text, status }: View, per_page: number): Phase[] {
  // One member more than a page shows whether there is a next page. A filter by status reads several pages at once, as
  // these contain enough members of most statuses.
  const first = (status ? 4 : 1) * (per_page + 1);
  const isFound = () => true;
  if (!text) return [{ kind: 'part', first, isFound }];
  return [
    { kind: 'prefix', prefix: text, first, isFound },
    {
      kind: 'part',
      first: MOST_AT_ONCE,
      isFound: email => email.includes(text) && !email.startsWith(text),
    },
  ];
}
