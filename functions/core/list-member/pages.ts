import { normalizeAddress } from '../../../shared/address.ts';
import type { MembersPage, MembersQuery } from '../../../shared/list-member.ts';
import type { Found } from '../list/list.ts';
import { invalid } from '../refusal.ts';
import type { Table } from '../table.store.ts';
import * as store from './list-member.store.ts';

export type { IndexRow as Row } from './list-member.store.ts';

type Rows = store.IndexRow[];
/** Where a page begins: behind or before an address, or in the middle of a search. */
type Cursor =
  | { kind: 'after' | 'before' | 'prefix'; email: string }
  | { kind: 'part'; email: string; looked: number };
type Page = Omit<MembersPage, 'data' | 'total'> & { rows: Rows };

export async function page(
  { table }: { table: Table },
  list: Found,
  { page: wanted, per_page, search, cursor }: MembersQuery,
): Promise<Omit<MembersPage, 'data'> & { rows: Rows }> {
  const text = search?.trim().toLowerCase() ?? '';
  const from = cursor === undefined ? undefined : readCursor(cursor, text);
  const found = text
    ? await searched(table, list, { text, wanted, per_page, from })
    : await turned(table, list, { wanted, per_page, from });
  return { ...found, total: list.counts.total };
}

const SOME = 25;
export const some = (table: Table, list: string) => store.members(table, list, { limit: SOME });

/** First, next, previous and last page are one request; any other page counts its way from the nearer end. */
async function turned(
  table: Table,
  list: Found,
  { wanted, per_page, from }: { wanted: number; per_page: number; from: Cursor | undefined },
): Promise<Page> {
  const { total } = list.counts;
  const last = Math.max(1, Math.ceil(total / per_page));
  const first = { wanted: 1, per_page, from: undefined };
  if (from?.kind === 'before') {
    if (wanted === 1) return turned(table, list, first);
    const rows = await store.members(table, list.id, {
      before: from.email,
      backwards: true,
      limit: per_page,
    });
    // Fewer than a page before it: then the first page is what is meant.
    if (rows.length < per_page) return turned(table, list, first);
    return paged(rows.reverse(), { current: wanted, last, more: true });
  }
  if (from) {
    const rows = await store.members(table, list.id, { after: from.email, limit: per_page + 1 });
    return paged(rows.slice(0, per_page), { current: wanted, last, more: rows.length > per_page });
  }
  const current = Math.min(wanted, last);
  const before = (current - 1) * per_page;
  if (Math.min(before, total - before - per_page) > MOST_PASSED_OVER) throw tooFar(current);
  if (current === 1 || before <= total / 2) {
    const rows = await store.membersBehind(table, list.id, before, { limit: per_page + 1 });
    return paged(rows.slice(0, per_page), { current, last, more: rows.length > per_page });
  }
  const behind = Math.max(0, total - before - per_page);
  const limit = Math.min(per_page, total - before);
  const rows = await store.membersBehind(table, list.id, behind, { backwards: true, limit });
  return paged(rows.reverse(), { current, last, more: behind > 0 });
}

// About 20 requests, one after the other.
const MOST_PASSED_OVER = 100_000;

const tooFar = (page: number) =>
  invalid(
    'page',
    `Page ${page} is too far from the first and the last one to be opened directly. Search for an address instead.`,
  );

function paged(rows: Rows, { current, last, more }: { current: number; last: number; more: boolean }): Page {
  const [first, final] = [rows[0], rows.at(-1)];
  return {
    rows,
    current_page: current,
    last_page: Math.max(last, current + (more ? 1 : 0)),
    previous_cursor: current > 1 && first ? written({ kind: 'before', email: first.email }) : null,
    next_cursor: more && final ? written({ kind: 'after', email: final.email }) : null,
    searched: null,
  };
}

// How many members one call looks at for a text in the middle of their address.
const MOST_LOOKED_AT = 10_000;

/** First those whose address begins with the text, which the index knows; then those that have it anywhere else. */
async function searched(
  table: Table,
  list: Found,
  search: { text: string; wanted: number; per_page: number; from: Cursor | undefined },
): Promise<Page> {
  const { text, wanted: current, per_page, from } = search;
  const rows: Rows = [];
  const of = list.counts.total;
  const answer = (more: Cursor | undefined, looked: number): Page => ({
    rows,
    current_page: current,
    last_page: current + (more ? 1 : 0),
    previous_cursor: null,
    next_cursor: more ? written(more) : null,
    searched: { members: looked, of: Math.max(of, looked), complete: more === undefined },
  });

  if (from?.kind !== 'part') {
    const begun = await store.members(table, list.id, {
      prefix: text,
      after: from?.email,
      limit: per_page + 1,
    });
    rows.push(...begun.slice(0, per_page));
    const last = rows.at(-1);
    if (begun.length > per_page && last) return answer({ kind: 'prefix', email: last.email }, 0);
  }

  let looked = from?.kind === 'part' ? from.looked : 0;
  let after = from?.kind === 'part' ? from.email || undefined : undefined;
  let left = MOST_LOOKED_AT;
  while (left > 0) {
    const limit = Math.min(left, LOOKED_AT_ONCE);
    const members = await store.members(table, list.id, { after, limit });
    for (const member of members) {
      const isFound = member.email.includes(text) && !member.email.startsWith(text);
      if (isFound && rows.length === per_page) {
        return answer({ kind: 'part', email: after ?? '', looked }, looked);
      }
      if (isFound) rows.push(member);
      after = member.email;
      looked += 1;
    }
    if (members.length < limit) return answer(undefined, looked);
    left -= limit;
  }
  return answer({ kind: 'part', email: after ?? '', looked }, looked);
}

// A little less than the megabyte that one request answers.
const LOOKED_AT_ONCE = 4_000;

const KINDS: Cursor['kind'][] = ['after', 'before', 'prefix', 'part'];

const written = (cursor: Cursor) =>
  Buffer.from(
    JSON.stringify([KINDS.indexOf(cursor.kind), cursor.email, 'looked' in cursor ? cursor.looked : 0]),
  ).toString('base64url');

const MOST_LOOKED = 1_000_000_000;

/** A cursor of ours, for this kind of page: anything else is refused before the table is asked. */
function readCursor(text: string, search: string): Cursor {
  const [kind, email, looked] = parsed(text);
  const known = KINDS[Number(kind)];
  const isAddress = typeof email === 'string' && normalizeAddress(email) === email;
  const isCounted = Number.isSafeInteger(looked) && Number(looked) >= 0 && Number(looked) <= MOST_LOOKED;
  const fits =
    known === 'part'
      ? search !== '' && (isAddress || email === '')
      : known === 'prefix'
        ? search !== '' && isAddress && String(email).startsWith(search)
        : search === '' && isAddress;
  if (!known || !fits || !isCounted) {
    throw invalid('cursor', 'This cursor belongs to another page: begin again with the first one');
  }
  return known === 'part'
    ? { kind: known, email: String(email), looked: Number(looked) }
    : { kind: known, email: String(email) };
}

function parsed(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
