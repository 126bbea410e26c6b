import * as recipientStore from '#core/recipient/recipient.store.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { ListMemberRow } from '#shared/list-member.ts';
import type { RowError } from '#shared/member-import.ts';
import * as listMember from '../list-member/list-member.ts';
import { errorsIn } from './chunk.ts';
import * as store from './member-import.store.ts';

const PAGE = 100;

/** Decodes a cursor: the first row of a chunk, and how many added members of that chunk to skip. */
function decodePosition(cursor: string | undefined): { from: number; skip: number } {
  const [from, skip] = cursor?.split('.') ?? [];
  return { from: Number(from ?? 0), skip: Number(skip ?? 0) };
}

/** A page of the members that an import added. Members who have left are left out. */
export async function members(
  { table }: { table: Table },
  of: store.StoredImport,
  cursor: string | undefined,
): Promise<{ data: ListMemberRow[]; next_cursor: string | null }> {
  const { from, skip } = decodePosition(cursor);
  const [chunk, next] = await store.readChunks(table, of, from, 2);
  if (!chunk) return { data: [], next_cursor: null };
  const place = chunk.from === from ? skip : 0;
  const hashes = chunk.added.slice(place, place + PAGE);
  const keys = hashes.map(hash => ({ organization: of.organization_id, hash }));
  const found = await recipientStore.memberships(table, keys, of.list_id);
  const added = found.filter(({ added_by }) => added_by?.import === of.id);
  const hasMore = place + PAGE < chunk.added.length;
  return {
    data: added.map(one => listMember.shownRow(of.list_id, one)).sort((a, b) => (a.email < b.email ? -1 : 1)),
    next_cursor: hasMore ? `${chunk.from}.${place + PAGE}` : next ? `${next.from}.0` : null,
  };
}

const CHUNKS_AT_ONCE = 20;
// A response has at most 6 MB. The errors of one call may add 1.5 MB to this.
const ENOUGH_BYTES = 2 * 1024 * 1024;

/** The errors of rejected rows, of a few calls at a time. */
export async function errors(
  { table }: { table: Table },
  of: store.StoredImport,
  cursor: string | undefined,
): Promise<{ data: (RowError & { row: number })[]; next_cursor: string | null }> {
  const chunks = await store.readChunks(table, of, decodePosition(cursor).from, CHUNKS_AT_ONCE);
  const data: (RowError & { row: number })[] = [];
  let bytes = 0;
  for (const { from, outcomes } of chunks) {
    if (bytes > ENOUGH_BYTES) return { data, next_cursor: `${from}.0` };
    const found = outcomes ? errorsIn(outcomes, from) : [];
    data.push(...found);
    bytes += Buffer.byteLength(JSON.stringify(found));
  }
  const last = chunks.at(-1);
  return { data, next_cursor: last && chunks.length === CHUNKS_AT_ONCE ? `${last.from + 1}.0` : null };
}
