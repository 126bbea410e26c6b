import { invalid } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { ListMembersQuery } from '#shared/list-member.ts';
import { MOST_READ } from '#shared/members-page.ts';
import type { CountedList } from '../list.ts';
import { type Cursor, decodeCursor, encodeCursor, otherPage } from './cursor.ts';
import * as store from './list-member.store.ts';
import { type Page, searchPage } from './search.ts';
import { isIndexed, isSearch, type View, viewOf } from './view.ts';
import { wholePage } from './whole.ts';

/** A page of the members of a list. Refuses it if a bounded read cannot find it. */
export async function readPage(
  { table }: { table: Table },
  list: CountedList,
  query: ListMembersQuery,
): Promise<Page & { total: number }> {
  const view = viewOf(query);
  const from = query.cursor === undefined ? undefined : decodeCursor(query.cursor, view);
  const wanted = { view, page: query.page, per_page: query.per_page, from };
  return { ...(await pageOf(table, list, wanted)), total: countOf(list.counts, view) };
}

type Wanted = { view: View; page: number; per_page: number; from: Cursor | undefined };

async function pageOf(table: Table, list: CountedList, wanted: Wanted): Promise<Page> {
  const { view, page, per_page, from } = wanted;
  if (isIndexed(view)) return memberPage(table, list, wanted);
  const searchCursor = from?.kind === 'prefix' || from?.kind === 'part' ? from : undefined;
  const whole = searchCursor ? undefined : await wholePage(table, list, wanted);
  if (whole) return whole;
  if (!isSearch(view)) throw tooManyToSort(view);
  // The cursor is from when the list had few enough members to be read as a whole.
  if (from && !searchCursor) throw otherPage();
  requireNear(page, from ? 0 : (page - 1) * per_page);
  return searchPage(table, list, { view, page, per_page, from: searchCursor });
}

const countOf = ({ total, subscribed }: CountedList['counts'], { status }: View) =>
  status === undefined ? total : status === 'subscribed' ? subscribed : total - subscribed;

const MOST = MOST_READ.toLocaleString('en-US');

const tooManyToSort = ({ sort }: View) =>
  sort === 'created_at'
    ? invalid('sort', `A list of more than ${MOST} members can be sorted by email only.`)
    : invalid(
        'direction',
        `In a list of more than ${MOST} members, a search or a filter can only be sorted ascending.`,
      );

/** The first, next, previous and last page take one request. Any other page is counted from the nearer end. */
async function memberPage(
  table: Table,
  list: CountedList,
  { view, page, per_page, from }: Wanted,
): Promise<Page> {
  const { total } = list.counts;
  const { descending } = view;
  const last = Math.max(1, Math.ceil(total / per_page));
  const first = { view, page: 1, per_page, from: undefined };
  const [onward, back] = [{ backwards: descending }, { backwards: !descending }];
  const beyond = (email: string, { backwards }: typeof onward) =>
    backwards ? { before: email, backwards } : { after: email, backwards };
  if (from?.kind === 'before') {
    if (page === 1) return memberPage(table, list, first);
    const rows = await store.members(table, list.id, { ...beyond(from.email, back), limit: per_page });
    // Fewer members than a page are before it, so it is the first page.
    if (rows.length < per_page) return memberPage(table, list, first);
    return indexPage(rows.reverse(), { current: page, last, more: true });
  }
  if (from) {
    const where = { ...beyond(from.email, onward), limit: per_page + 1 };
    const rows = await store.members(table, list.id, where);
    return indexPage(rows.slice(0, per_page), { current: page, last, more: rows.length > per_page });
  }
  const current = Math.min(page, last);
  const before = (current - 1) * per_page;
  requireNear(current, Math.min(before, total - before - per_page));
  if (current === 1 || before <= total / 2) {
    const where = { ...onward, limit: per_page + 1 };
    const { members: rows } = await store.membersAfter(table, list.id, before, where);
    return indexPage(rows.slice(0, per_page), { current, last, more: rows.length > per_page });
  }
  const behind = Math.max(0, total - before - per_page);
  const where = { ...back, limit: Math.min(per_page, total - before) };
  const { members: rows } = await store.membersAfter(table, list.id, behind, where);
  return indexPage(rows.reverse(), { current, last, more: behind > 0 });
}

// Takes about 20 requests, one after the other.
const MOST_COUNTED = 100_000;

function requireNear(page: number, members: number): void {
  if (members <= MOST_COUNTED) return;
  throw invalid(
    'page',
    `Page ${page} is too far from the first and the last one to be opened directly. Search for an address instead.`,
  );
}

function indexPage(
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
    found: null,
    searched: null,
  };
}
