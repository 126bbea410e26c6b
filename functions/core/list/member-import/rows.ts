import * as memberships from '#core/recipient/membership.ts';
import type { MemberState } from '#core/recipient/recipient.store.ts';
import * as suppressions from '#core/recipient/suppression.ts';
import { IN_FILE_TWICE, readSubscribed, readSuppression, TWICE } from '#shared/import-cells.ts';
import type { CheckedRows, ImportColumn, RowError, RowOutcome } from '#shared/member-import.ts';
import type { Metadata, MetadataChange } from '#shared/metadata.ts';
import type { Suppression } from '#shared/suppression.ts';
import * as memberRows from '../list-member/rows.ts';

export type How = Pick<CheckedRows, 'columns' | 'mode' | 'as'> & Partial<Pick<CheckedRows, 'start_nothing'>>;

export type ImportRow = memberRows.Row & { suppression: Suppression | undefined };

const MOST_ERRORS = 2;

export function readImportRows({ columns, as }: How, from: number, rows: unknown[]) {
  const read = rows.map(row => readCells(columns, as, row));
  const members = read.map(one => ('member' in one ? one.member : null));
  const { rows: valid, rejected } = memberRows.readRows(members);
  const errorsOf = new Map(rejected.map(({ index, errors = {} }) => [index, errors]));
  const accepted: ImportRow[] = [];
  const refused: RowOutcome[] = [];
  const byIndex = new Map(valid.map(row => [row.index, row]));
  for (const [index, one] of read.entries()) {
    const number = from + index;
    const row = byIndex.get(index);
    const errors = 'member' in one ? { ...one.errors, ...textsForFile(errorsOf.get(index)) } : one.errors;
    if (row && 'member' in one && Object.keys(errors).length === 0) {
      accepted.push({ ...row, index: number, suppression: one.suppression });
    } else refused.push(refusal(columns, number, errors));
  }
  return { accepted, refused };
}

export const refusal = (columns: ImportColumn[], row: number, errors: memberRows.Texts): RowOutcome => ({
  row,
  status: 'rejected',
  errors: Object.entries(errors)
    .flatMap(([field, texts]) =>
      texts.map((reason): RowError => ({ column: nameOf(columns, field), reason })),
    )
    .slice(0, MOST_ERRORS),
});

const nameOf = (columns: ImportColumn[], field: string) =>
  columns.find(({ to, key }) => field === (to === 'metadata' ? key : to))?.name ?? '';

type Read =
  | { member: object; errors: memberRows.Texts; suppression: Suppression | undefined }
  | { errors: memberRows.Texts };

const NO_ROW = 'A row must be a list of texts, one for each column of the import';

function readCells(columns: ImportColumn[], as: How['as'], row: unknown): Read {
  if (row === TWICE) return { errors: { email: [IN_FILE_TWICE] } };
  const isRow = Array.isArray(row) && row.length === columns.length;
  if (!isRow || row.some(cell => typeof cell !== 'string')) return { errors: { row: [NO_ROW] } };
  const cells = row as string[];
  const cellOf = (target: ImportColumn['to']) => cells[columns.findIndex(({ to }) => to === target)] ?? '';
  const said = readSubscribed(cellOf('is_subscribed'));
  const named = readSuppression(cellOf('suppression'));
  const isSuppressed = as === 'bounce' || as === 'complaint';
  const suppression = named === 'invalid' ? undefined : (named ?? (isSuppressed ? as : undefined));
  const is_subscribed = suppression ? false : said === 'invalid' ? undefined : (said ?? as === 'subscribed');
  // An empty cell leaves the member's value as it is.
  const metadata = columns.flatMap(({ to, key = '' }, at): [string, string][] => {
    const cell = cells[at] ?? '';
    return to === 'metadata' && cell !== '' ? [[key, cell]] : [];
  });
  return {
    member: { ...Object.fromEntries(metadata), email: cellOf('email'), is_subscribed },
    suppression,
    errors: {
      ...(said === 'invalid' && { is_subscribed: ['Write true or false'] }),
      ...(named === 'invalid' && { suppression: ['Write bounce or complaint, or nothing'] }),
    },
  };
}

const IN_CALL_TWICE = /^This address is in the call twice/;

/** Replaces the error of a repeated address: the text of the public API speaks of a call, this one of a file. */
const textsForFile = (errors: memberRows.Texts = {}): memberRows.Texts =>
  Object.fromEntries(
    Object.entries(errors).map(([field, texts]) => [
      field,
      texts.map(text => (IN_CALL_TWICE.test(text) ? IN_FILE_TWICE : text)),
    ]),
  );

/** The import to write. If its id is empty, the rows are only checked. */
type Import = How & { id: string; list_id: string };

/** The writer of an import's rows. `begunAt` returns when an earlier call with these rows began. */
export const importWriter = (
  now: Date,
  of: Import,
  begunAt: () => string | undefined = () => undefined,
): memberRows.Writer<ImportRow, RowOutcome> => ({
  decide: (row, state, known) => {
    // A person who was removed since the rows were read is not added again, not even by the same import.
    const { membership, left } = state;
    const wasRemoved = known.membership ?? (left && isRemoved(of, left, begunAt()));
    return membership || !wasRemoved ? decide(now, of, row, state) : undefined;
  },
  stored: (row, _, membership) => outcomeOf(of, row, membership),
  rejected: ({ index }, errors) => refusal(of.columns, index, errors),
});

const isRemoved = ({ id }: Import, left: NonNullable<MemberState['left']>, begunAt: string | undefined) =>
  left.import === id || (begunAt !== undefined && left.updated_at >= begunAt);

function decide(now: Date, of: Import, row: ImportRow, state: MemberState): memberships.Change | undefined {
  const { membership } = state;
  if (membership && isStored(of, row, membership)) return undefined;
  const change = changeOf(now, of, row, state);
  if (!change) return keptChange(of, membership);
  const { membership: after, entry = importedEntry(of, state) } = change;
  if (!after) return change;
  return {
    ...change,
    ...(entry && { entry: { ...entry, import: of.id } }),
    membership: { ...after, ...marksOf(of, row, state, after) },
  };
}

/** Whether this row, or a later row of the file with the same address, has been stored already. */
const isStored = (
  of: Import,
  { index }: ImportRow,
  { import: mark }: Pick<memberships.Membership, 'import'>,
) => mark !== undefined && mark.id === of.id && mark.row >= index;

function changeOf(now: Date, of: Import, row: ImportRow, state: MemberState): memberships.Change | undefined {
  const { membership } = state;
  if (membership && of.mode === 'skip') return undefined;
  const change = membership
    ? memberships.membershipChange(now, state, wantedChange(row, membership.metadata), 'import')
    : { membership: memberships.newMembership(now, of.list_id, memberRows.newMemberOf(row), state) };
  return withSuppression(now, of, row, state, change);
}

/** The journal entry with which the consent of each import that changed a member is kept. */
const importedEntry = ({ list_id }: Import, { membership }: MemberState): memberships.Change['entry'] =>
  membership && { type: 'imported', list_id, by: 'import' };

/** Marks a member whom another import added and who is in this file too, so that undoing the other import keeps them. */
function keptChange(
  of: Import,
  membership: memberships.Membership | undefined,
): memberships.Change | undefined {
  const { added_by } = membership ?? {};
  if (!membership || !added_by || added_by.import === of.id || added_by.stays) return undefined;
  const { revision: _, ...kept } = membership;
  return { membership: { ...kept, added_by: { ...added_by, stays: true } } };
}

/** It never subscribes a member again. A value that is written the same is unchanged, even if stored as a number. */
const wantedChange = (row: ImportRow, before: Metadata) => {
  const { is_subscribed, metadata } = memberRows.changeOf(row);
  const isSame = ([key, value]: [string, MetadataChange[string]]) =>
    Object.hasOwn(before, key) && String(before[key]) === value;
  return {
    is_subscribed,
    metadata: Object.fromEntries(Object.entries(metadata).filter(entry => !isSame(entry))),
  };
};

function withSuppression(
  now: Date,
  of: Import,
  { suppression }: ImportRow,
  { head, membership }: MemberState,
  change: memberships.Change | undefined,
): memberships.Change | undefined {
  if (!suppression || !suppressions.isStronger(suppression, head?.suppression)) return change;
  const before = change?.membership ?? membership;
  if (!before) return change;
  const { revision: _, ...kept } = { revision: '', ...before };
  return {
    membership: { ...kept, status: 'unsubscribed', by: suppression, updated_at: now.toISOString() },
    entry: { type: suppressions.SUPPRESSION_ENTRIES[suppression], list_id: of.list_id, by: 'import' },
    suppression,
  };
}

type Marks = Pick<memberships.Unwritten, 'added_by' | 'import'>;

function marksOf(
  { id, start_nothing }: Import,
  { index: row }: ImportRow,
  { membership, left }: MemberState,
  { updated_at: at }: memberships.Unwritten,
): Marks {
  const mark = { id, row, at };
  if (!membership) {
    const was_unsubscribed = left?.unsubscribed && { was_unsubscribed: true as const };
    const starts_after = start_nothing && { starts_after: at };
    return { import: mark, added_by: { import: id, row, ...starts_after, ...was_unsubscribed } };
  }
  const { added_by, import: before, updated_at } = membership;
  const stays = added_by && (added_by.import !== id || before?.at !== updated_at);
  return { import: mark, ...(stays && { added_by: { ...added_by, stays } }) };
}

function outcomeOf(of: Import, row: ImportRow, membership: memberships.Unwritten | undefined): RowOutcome {
  const { import: mark, added_by } = membership ?? {};
  const isOfThis = mark?.id === of.id && mark.row === row.index;
  const isAdded = added_by?.import === of.id && added_by.row === row.index;
  const isSkipped = of.mode === 'skip' && membership !== undefined;
  const stays = row.is_subscribed === true && membership?.status === 'unsubscribed';
  return {
    row: row.index,
    status: isAdded ? 'created' : isOfThis ? 'updated' : isSkipped ? 'skipped' : 'unchanged',
    ...(stays && { stays_unsubscribed: true }),
  };
}
