import * as rate from '#core/account/call-budgets.ts';
import { isId, newId } from '#core/id.ts';
import { chunksOf, inParallel } from '#core/parallel.ts';
import type { Membership } from '#core/recipient/membership.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import * as suppressions from '#core/recipient/suppression.ts';
import { Refusal } from '#core/refusal.ts';
import type { Item, Key, Table } from '#core/storage/table.store.ts';
import type { ListMemberRow } from '#shared/list-member.ts';
import {
  type CheckedRows,
  type ImportCounts,
  type ImportRows,
  type ImportSample,
  isSuppressing,
  MAY_NOT_SUPPRESS,
  type MemberImport,
  type NewImport,
  NO_COUNTS,
  ROW_STATUSES,
  type RowError,
  type RowOutcome,
} from '#shared/member-import.ts';
import { may, type Role } from '#shared/permissions.ts';
import type * as list from '../list.ts';
import * as listMember from '../list-member/list-member.ts';
import * as memberRows from '../list-member/rows.ts';
import * as store from './member-import.store.ts';
import { type ImportRow, importWriter, readImportRows } from './rows.ts';
import { beginUndo, undoSome } from './undo.ts';

type Needs = { table: Table; now: Date };
type AsMember = Needs & { role: Role };

export const keysOf = (organization: number, id: string, { list: of = '' }: Record<string, string>): Key[] =>
  isId(id) && isId(of) ? [store.importKey(organization, of, id)] : [];

export function found(id: string, items: Item[]): store.StoredImport {
  const of = store.importIn(items, id);
  if (of) return of;
  throw store.importNotFound();
}

/** Begins with the time, so that the newest imports can be listed. */
const newImportId = (now: Date) => `${now.getTime().toString(36).slice(-8)}${newId(4)}`;

export async function create(
  { table, now, user, role }: AsMember & { user: string },
  to: list.CountedList,
  { consent, ...fields }: NewImport,
): Promise<MemberImport> {
  requireMayImport(role, fields);
  const at = now.toISOString();
  const created: store.StoredImport = {
    id: newImportId(now),
    organization_id: to.organization_id,
    list_id: to.id,
    by: user,
    ...fields,
    ...(consent && { consent }),
    state: 'running',
    done_rows: 0,
    ...NO_COUNTS,
    created_at: at,
    updated_at: at,
  };
  if (await store.insert(table, created)) return shown(created);
  throw new Refusal('conflict', 'The import could not be created. Please try again.');
}

function requireMayImport(role: Role, { as, columns }: Pick<NewImport, 'as' | 'columns'>): void {
  if (!isSuppressing(as, columns) || may(role, 'recipients:suppress')) return;
  throw new Refusal('forbidden', `${MAY_NOT_SUPPRESS}.`);
}

export const importsOf = async ({ table }: { table: Table }, of: list.CountedList): Promise<MemberImport[]> =>
  (await store.readNewest(table, of.organization_id, of.id)).map(shown);

export async function check(
  { role, ...needs }: AsMember,
  to: list.CountedList,
  { from, rows, ...how }: CheckedRows,
): Promise<RowOutcome[]> {
  requireMayImport(role, how);
  const { accepted, refused } = readImportRows(how, from, rows);
  const writer = importWriter(needs.now, { ...how, id: '', list_id: to.id });
  return inOrder([...refused, ...(await memberRows.tryRows(needs, to, accepted, writer))]);
}

/** What a row would make of a member. */
export type Tried = { hash: string; before: Membership | undefined; after: Membership };

/** The memberships that rows would add or change. */
export async function tryMembers(
  { role, ...needs }: AsMember,
  to: list.CountedList,
  { rows, ...how }: ImportSample,
): Promise<Tried[]> {
  requireMayImport(role, how);
  const { accepted } = readImportRows(how, 1, rows);
  const writer = importWriter(needs.now, { ...how, id: '', list_id: to.id });
  const tried: Tried[] = [];
  await memberRows.tryRows(needs, to, accepted, {
    ...writer,
    decide: (row, state, known) => {
      const change = writer.decide(row, state, known);
      const after = change?.membership && { ...change.membership, revision: '' };
      if (after) tried.push({ hash: recipientKey.hashOf(row.email), before: known.membership, after });
      return change;
    },
  });
  return tried;
}

const inOrder = (outcomes: RowOutcome[]) => outcomes.sort((a, b) => a.row - b.row);

type Stored = { import: MemberImport; results: RowOutcome[] };
type StoredRows = { current: store.StoredImport; results: RowOutcome[] };

/** So many rows are stored together. */
const MOST_ROWS_TOGETHER = 250;
/**
 * With the four seconds that a call keeps for its answer, a function of 25 seconds begins no rows after ten: the caller sends
 * them. The last rows that it has begun may take eleven seconds.
 */
const AFTER_STORING = 11_000;

/** Rows that are sent again are recognized by the import mark of their members, and count once. */
export async function addRows(
  { role, hasTimeLeft, ...needs }: AsMember & { hasTimeLeft: (reserveMs?: number) => boolean },
  to: list.CountedList,
  of: store.StoredImport,
  { from, rows }: ImportRows,
): Promise<Stored> {
  requireMayImport(role, of);
  if (from !== of.done_rows + 1 || of.state !== 'running') {
    const { current, results } = await storedBefore(needs.table, of, from);
    return { import: shown(current), results };
  }
  if (from + rows.length - 1 > of.total_rows) {
    throw new Refusal('conflict', `This import has ${of.total_rows} rows. Please choose its file again.`);
  }
  await rate.countMembers(needs, to.organization_id, rows.length);
  const results: RowOutcome[] = [];
  let current = of;
  for (const some of chunksOf(rows, MOST_ROWS_TOGETHER)) {
    const stored = await storeTogether(needs, to, current, { from: from + results.length, rows: some });
    results.push(...stored.results);
    current = stored.current;
    // Another call may have stored these rows, cut elsewhere.
    if (stored.results.length < some.length || !hasTimeLeft(AFTER_STORING)) break;
  }
  return { import: shown(current), results };
}

async function storeTogether(
  needs: Needs,
  to: list.CountedList,
  of: store.StoredImport,
  { from, rows }: ImportRows,
): Promise<StoredRows> {
  const { table, now } = needs;
  const { accepted, refused } = readImportRows(of, from, rows);
  let begunAt: string | undefined;
  const begin = async (ours: ImportRow[], knownOf: (row: ImportRow) => recipientStore.MemberState) => {
    if (ours.some(row => knownOf(row).left))
      begunAt = (await store.readChunk(table, of, from))?.first_begun_at;
    const mayBeAdded = ours.filter(row => mayAdd(of, from, knownOf(row)));
    const hashes = mayBeAdded.map(({ email }) => recipientKey.hashOf(email));
    if (!(await store.begin(table, of, from, hashes, now))) throw new TakenOver();
  };
  try {
    const writer = { ...importWriter(now, of, () => begunAt), begin };
    const stored = await memberRows.storeRows(needs, to, accepted, writer);
    await unsubscribeSuppressed(needs, to, of.id, accepted);
    const outcomes = inOrder([...refused, ...stored]);
    const isLast = of.done_rows + outcomes.length === of.total_rows;
    const ended = { outcomes: store.packed(outcomes), counts: countsOf(outcomes), isLast };
    if (!(await store.end(table, of, from, ended, now))) throw new TakenOver();
    return { current: await store.readExisting(table, of), results: outcomes };
  } catch (error) {
    if (error instanceof TakenOver) return storedBefore(table, of, from);
    throw error;
  }
}

/** Whether these rows, or an earlier call with them that died, may add the person. */
const mayAdd = ({ id }: store.StoredImport, from: number, { membership }: recipientStore.MemberState) =>
  !membership || (membership.added_by?.import === id && membership.added_by.row >= from);

/** Another call has counted these rows, or the import is not running any more. */
class TakenOver extends Error {
  override readonly name = 'TakenOver';
}

/** Unsubscribes people with a suppressed address from their other lists, and finishes it if an earlier call has died. */
const unsubscribeSuppressed = (needs: Needs, to: list.CountedList, id: string, rows: ImportRow[]) =>
  inParallel(
    rows.filter(({ suppression }) => suppression !== undefined),
    MOST_AT_ONCE,
    async ({ email, suppression: by }) => {
      const key = recipientKey.keyOf(to.organization_id, email);
      const { head } = await recipientStore.read(needs.table, key, to.id);
      if (by && head?.suppression) await suppressions.unsubscribeSuppressed(needs, key, { by, import: id });
    },
  );

const MOST_AT_ONCE = 20;

const NOT_RUNNING = {
  done: 'All rows of this import are stored.',
  cancelled: 'This import was cancelled. Start a new one with the same file.',
  undoing: 'This import is being undone.',
  undone: 'This import was undone. Start a new one with the same file.',
};

/** The outcomes of rows that were sent before. Refuses rows that are not stored and are not the next ones. */
async function storedBefore(table: Table, of: store.StoredImport, from: number): Promise<StoredRows> {
  const [current, chunk] = await Promise.all([
    store.readExisting(table, of),
    store.readChunk(table, of, from),
  ]);
  if (chunk?.outcomes) return { current, results: store.unpacked(chunk.outcomes, from) };
  const text =
    current.state === 'running'
      ? `The next row of this import is row ${current.done_rows + 1}. Please send the rows from there on.`
      : NOT_RUNNING[current.state];
  throw new Refusal('conflict', text);
}

const countsOf = (outcomes: RowOutcome[]): ImportCounts => ({
  ...NO_COUNTS,
  ...Object.fromEntries(
    ROW_STATUSES.map(status => [status, outcomes.filter(one => one.status === status).length]),
  ),
  stays_unsubscribed: outcomes.filter(one => one.stays_unsubscribed).length,
});

export async function cancel({ table, now }: Needs, of: store.StoredImport): Promise<MemberImport> {
  const set = { state: 'cancelled' as const, updated_at: now.toISOString() };
  if (of.state === 'running') await store.changeState(table, of, set);
  const current = await store.readExisting(table, of);
  if (current.state === 'cancelled') return shown(current);
  throw new Refusal('conflict', 'This import is not running any more.');
}

export async function undo(
  needs: Needs & { hasTimeLeft: (reserveMs?: number) => boolean },
  of: store.StoredImport,
): Promise<MemberImport> {
  return shown(await undoSome(needs, await beginUndo(needs.table, of, needs.now)));
}

export async function describedAll(
  table: Table,
  organization_id: number,
  imports: Pick<store.Named, 'list_id' | 'id'>[],
): Promise<Map<string, string>> {
  const named = imports.map(of => ({ organization_id, ...of }));
  return new Map((await store.readThese(table, named)).map(of => [of.id, described(of)]));
}

function described({ file_name, consent }: store.StoredImport): string {
  const agreed = [consent?.source, consent?.date].filter(Boolean).join(', ');
  return `Imported from ${file_name}${agreed && `, consent: ${agreed}`}`;
}

export function shown(of: store.StoredImport): MemberImport {
  const { created, updated, unchanged, skipped, rejected, stays_unsubscribed, undo_next } = of;
  return {
    id: of.id,
    email_list_id: of.list_id,
    file_name: of.file_name,
    size: of.size,
    fingerprint: of.fingerprint,
    columns: of.columns,
    mode: of.mode,
    as: of.as,
    start_nothing: of.start_nothing ?? false,
    consent: of.consent ?? null,
    state: of.state,
    total_rows: of.total_rows,
    done_rows: of.done_rows,
    counts: { created, updated, unchanged, skipped, rejected, stays_unsubscribed },
    undo:
      undo_next === undefined
        ? null
        : {
            removed: of.removed ?? 0,
            mailed: of.mailed ?? 0,
            stay_changed: of.stay_changed ?? 0,
            rows_left: of.state === 'undone' ? 0 : Math.max(0, of.done_rows - undo_next + 1),
          },
    created_at: of.created_at,
    updated_at: of.updated_at,
  };
}

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
  const end = skip + PAGE;
  const hashes = chunk.added.slice(skip, end);
  const keys = hashes.map(hash => ({ organization: of.organization_id, hash }));
  const found = await recipientStore.memberships(table, keys, of.list_id);
  const added = found.filter(({ added_by }) => added_by?.import === of.id);
  return {
    data: added.map(one => listMember.shownRow(of.list_id, one)).sort((a, b) => (a.email < b.email ? -1 : 1)),
    next_cursor: end < chunk.added.length ? `${chunk.from}.${end}` : next ? `${next.from}.0` : null,
  };
}

const CHUNKS_AT_ONCE = 20;
// A response has at most 6 MB. The errors of one call may add 1.5 MB to this.
const ENOUGH_BYTES = 2 * 1024 * 1024;

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
    const found = outcomes ? store.errorsIn(outcomes, from) : [];
    data.push(...found);
    bytes += Buffer.byteLength(JSON.stringify(found));
  }
  const last = chunks.at(-1);
  return { data, next_cursor: last && chunks.length === CHUNKS_AT_ONCE ? `${last.from + 1}.0` : null };
}
