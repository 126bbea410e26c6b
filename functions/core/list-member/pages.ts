import type { ListMembersQuery } from '../../../shared/list-member.ts';
import type { Found } from '../list/list.ts';
import { invalid } from '../refusal.ts';
import type { Table } from '../table.store.ts';
import { type Cursor, decodeCursor, encodeCursor } from './cursor.ts';
import * as store from './list-member.store.ts';
import { type Page, searchPage } from './search.ts';

export type { IndexRow as Row } from './list-member.store.ts';

export async function readPage(
  { table }: { table: Table },
  list: Found,
  { page, per_page, search, cursor }: ListMembersQuery,
): Promise<Page & { total: number }> {
  const text = search?.trim().toLowerCase() ?? '';
  const from = cursor === undefined ? undefined : decodeCursor(cursor, text);
  const { total } = list.counts;
  if (text) {
    requireNear(page, from ? 0 : (page - 1) * per_page);
    return { ...(await searchPage(table, list, { text, page, per_page, from })), total };
  }
  return { ...(await memberPage(table, list, { page, per_page, from })), total };
}

const SOME = 25;
export const some = (table: Table, list: string) => store.members(table, list, { limit: SOME });

type Wanted = { page: number; per_page: number; from: Cursor | undefined };

/** First, next, previous and last page are one request; any other page is counted from the nearer end. */
async function memberPage(table: Table, list: Found, { page, per_page, from }: Wanted): Promise<Page> {
  const { total } = list.counts;
  const last = Math.max(1, Math.ceil(total / per_page));
  const first = { page: 1, per_page, from: undefined };
  if (from?.kind === 'before') {
    if (page === 1) return memberPage(table, list, first);
    const where = { before: from.email, backwards: true, limit: per_page };
    const rows = await store.members(table, list.id, where);
    // Less than a page before it: then it is the first page.
    if (rows.length < per_page) return memberPage(table, list, first);
    return pageOf(rows.reverse(), { current: page, last, more: true });
  }
  if (from) {
    const rows = await store.members(table, list.id, { after: from.email, limit: per_page + 1 });
    return pageOf(rows.slice(0, per_page), { current: page, last, more: rows.length > per_page });
  }
  const current = Math.min(page, last);
  const before = (current - 1) * per_page;
  requireNear(current, Math.min(before, total - before - per_page));
  if (current === 1 || before <= total / 2) {
    const where = { limit: per_page + 1 };
    const { members: rows } = await store.membersAfter(table, list.id, before, where);
    return pageOf(rows.slice(0, per_page), { current, last, more: rows.length > per_page });
  }
  const behind = Math.max(0, total - before - per_page);
  const where = { backwards: true, limit: Math.min(per_page, total - before) };
  const { members: rows } = await store.membersAfter(table, list.id, behind, where);
  return pageOf(rows.reverse(), { current, last, more: behind > 0 });
}

// About 20 requests, one after the other.
const MOST_COUNTED = 100_000;

function requireNear(page: number, members: number): void {
  if (members <= MOST_COUNTED) return;
  throw invalid(
    'page',
    `Page ${page} is too far from the first and the last one to be opened directly. Search for an address instead.`,
  );
}

function pageOf(
  rows: store.IndexRow[],
  { current, last, more }: { current: number; last: number; more: boolean },
): Page {
  const [first, final] = [rows[0], rows.at(-1)];
  return {
    rows,
    current_page: current,
    last_page: Math.max(last, current + (more ? 1 : 0)),
    previous_cursor: current > 1 && first ? encodeCursor({ kind: 'before', email: first.email }) : null,
    next_cursor: more && final ? encodeCursor({ kind: 'after', email: final.email }) : null,
    searched: null,
  };
}
