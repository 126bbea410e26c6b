import { cursorFor, positionOf } from '#core/id.ts';
import { hashOf } from '#core/recipient/recipient.key.ts';
import { invalid } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import { normalizeAddress } from '#shared/address.ts';
import type { ListMembersPage, ListMembersQuery } from '#shared/list-member.ts';
import { MOST_READ, type Sort, type Status } from '#shared/members-page.ts';
import type { CountedList } from '../list.ts';
import * as store from './list-member.store.ts';
import { type Filter, matched } from './matching.ts';

type View = {
  text: string;
  status: Status | undefined;
  filter: Filter | undefined;
  sort: Sort;
  descending: boolean;
};

export const viewOf = (
  { search, status, sort = 'email', direction }: ListMembersQuery,
  filter?: Filter | null,
): View => ({
  text: search?.trim().toLowerCase() ?? '',
  status,
  filter: filter ?? undefined,
  sort,
  descending: direction === 'desc',
});

const isPartial = ({ text, status, filter }: View) =>
  text !== '' || status !== undefined || filter !== undefined;

/** Whether a page can be read from the index, from an end or from an address on. */
const isIndexed = (view: View) => !isPartial(view) && view.sort === 'email';

/** Whether a page can be found step by step by bounded reads, however many members the list has. */
const isSearch = (view: View) => isPartial(view) && view.sort === 'email' && !view.descending;

const hasStatus = ({ status }: View, member: { status: Status }) =>
  status === undefined || member.status === status;

/** The index has no metadata, so the memberships are read. */
async function matchingRows(
  table: Table,
  of: CountedList,
  { filter }: View,
  rows: store.IndexRow[],
): Promise<store.IndexRow[]> {
  if (!filter) return rows;
  const hashes = rows.map(({ email }) => hashOf(email));
  const found = await matched(table, of, hashes, filter);
  const matching = new Set(found.filter(({ isMatch }) => isMatch).map(({ email }) => email));
  return rows.filter(({ email }) => matching.has(email));
}

type Page = Omit<ListMembersPage, 'data' | 'total'> & { rows: store.IndexRow[] };

type PageRequest = { view: View; page: number; per_page: number; from: Cursor | undefined };

/** A page of the members of a list. Refuses it if a bounded read cannot find it. */
export async function readPage(
  { table }: { table: Table },
  list: CountedList,
  query: ListMembersQuery,
  filter?: Filter | null,
): Promise<Page & { total: number }> {
  const view = viewOf(query, filter);
  const asked = { ...view, filter: filter?.audience };
  const { page, per_page, cursor } = query;
  const from = cursor === undefined ? undefined : decodeCursor(positionOf(asked, cursor) ?? '', view);
  const found = await pageOf(table, list, { view, page, per_page, from });
  const ofView = (next: string | null) => next && cursorFor(asked, next);
  return {
    ...found,
    previous_cursor: ofView(found.previous_cursor),
    next_cursor: ofView(found.next_cursor),
    total: countOf(list.counts, view),
  };
}

async function pageOf(table: Table, list: CountedList, request: PageRequest): Promise<Page> {
  const { view, page, per_page, from } = request;
  if (isIndexed(view)) return memberPage(table, list, request);
  const searchCursor = from?.kind === 'prefix' || from?.kind === 'part' ? from : undefined;
  const whole = searchCursor ? undefined : await wholePage(table, list, request);
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
  { view, page, per_page, from }: PageRequest,
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

/** A page of a view, in any order. Returns undefined if the list has more members than one call reads. */
async function wholePage(
  table: Table,
  list: CountedList,
  { view, page, per_page, from }: PageRequest,
): Promise<Page | undefined> {
  if (list.counts.total > MOST_READ) return undefined;
  const members = await store.members(table, list.id, { limit: MOST_READ + 1 });
  // The list has more members than the projector has counted.
  if (members.length > MOST_READ) return undefined;

  const order = orderOf(view);
  const wanted = members.filter(member => member.email.includes(view.text) && hasStatus(view, member));
  const found = (await matchingRows(table, list, view, wanted)).sort(order);
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

/** First the members whose address begins with the text, by the index, then the others, as far as one call reads. */
async function searchPage(
  table: Table,
  list: CountedList,
  { view, page, per_page, from }: PageRequest & { from: SearchCursor | undefined },
): Promise<Page> {
  const rows: store.IndexRow[] = [];
  const earlier = from ? 0 : (page - 1) * per_page;
  let { skip, searched } = from ?? { skip: earlier, searched: 0 };
  let left = MOST_READ;

  /** Reads until the page is full or the call has read enough, and returns where the next call continues. */
  async function read({ kind, prefix, first, isFound }: Phase): Promise<SearchCursor | undefined> {
    let email = from?.kind === kind ? from.email : '';
    for (let most = first; left > 0; most = mostAtOnce(view)) {
      const limit = Math.min(left, most);
      const members = await store.members(table, list.id, { prefix, after: email || undefined, limit });
      const candidates = members.filter(member => isFound(member.email) && hasStatus(view, member));
      const wanted = new Set(await matchingRows(table, list, view, candidates));
      for (const member of members) {
        const isWanted = wanted.has(member);
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
/** If the membership of each is read. */
const MOST_MATCHED = 500;

const mostAtOnce = ({ filter }: View) => (filter ? MOST_MATCHED : MOST_AT_ONCE);

type Phase = {
  kind: SearchCursor['kind'];
  prefix?: string;
  first: number;
  isFound: (email: string) => boolean;
};

function phasesOf(view: View, per_page: number): Phase[] {
  const { text, status, filter } = view;
  // One member more shows whether there is a next page. A filter reads several pages at once.
  const first = (status || filter ? 4 : 1) * (per_page + 1);
  const isFound = () => true;
  if (!text) return [{ kind: 'part', first, isFound }];
  return [
    { kind: 'prefix', prefix: text, first, isFound },
    {
      kind: 'part',
      first: mostAtOnce(view),
      isFound: email => email.includes(text) && !email.startsWith(text),
    },
  ];
}

type Cursor =
  /** After or before an address, in the order of the view. */
  | { kind: 'after' | 'before'; email: string }
  | SearchCursor
  /** After or before a member, who may have been removed, if the list is small enough to be read as a whole. */
  | { kind: 'behind' | 'ahead'; email: string; created_at: string };

/** After an address, in a search: among the members whose address begins with the text (`prefix`), or among all (`part`). */
type SearchCursor = {
  kind: 'prefix' | 'part';
  email: string;
  /** How many members of the list were read before it. */
  searched: number;
  /** How many of the found members belong to earlier pages. */
  skip: number;
};

const KINDS = ['after', 'before', 'prefix', 'part', 'behind', 'ahead'] as const;

export function encodeCursor(cursor: Cursor): string {
  const { searched, skip } = 'skip' in cursor ? cursor : { searched: 0, skip: 0 };
  const created_at = 'created_at' in cursor ? [cursor.created_at] : [];
  const parts = [KINDS.indexOf(cursor.kind), cursor.email, searched, skip, ...created_at];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Refuses whatever is not a cursor for this kind of page, before the table is read. */
export function decodeCursor(encoded: string, view: View): Cursor {
  const [at, email, searched, skip, created_at] = parsed(encoded);
  const kind = KINDS[Number(at)];
  const isKnown = typeof email === 'string' && normalizeAddress(email) === email;
  if (isCount(searched) && isCount(skip)) {
    if (isKnown && (kind === 'after' || kind === 'before') && isIndexed(view)) return { kind, email };
    if (isKnown && (kind === 'behind' || kind === 'ahead') && !isIndexed(view) && isInstant(created_at)) {
      return { kind, email, created_at };
    }
    if (isSearch(view)) {
      const begins = isKnown && view.text !== '' && email.startsWith(view.text);
      if (kind === 'prefix' && begins) return { kind, email, searched, skip };
      if (kind === 'part' && (isKnown || email === '')) return { kind, email, searched, skip };
    }
  }
  throw otherPage();
}

const otherPage = () =>
  invalid('cursor', 'This cursor belongs to another page: begin again with the first one');

const HIGHEST_COUNT = 1_000_000_000;
const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= HIGHEST_COUNT;
const isInstant = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value));

function parsed(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
