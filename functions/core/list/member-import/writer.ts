import * as memberships from '#core/recipient/membership.ts';
import * as suppressions from '#core/recipient/suppression.ts';
import type { RowOutcome } from '#shared/member-import.ts';
import type { Metadata, MetadataChange } from '#shared/metadata.ts';
import * as storedRows from '../list-member/stored-rows.ts';
import * as upsert from '../list-member/upsert.ts';
import { type How, type ImportRow, refusal } from './rows.ts';

type Known = storedRows.Known;
/** The import to write. If its id is empty, the rows are only checked. */
type Import = How & { id: string; list_id: string };

/** The writer of an import's rows. `begunAt` returns when an earlier call with these rows began. */
export const importWriter = (
  now: Date,
  of: Import,
  begunAt: () => string | undefined = () => undefined,
): storedRows.Writer<ImportRow, RowOutcome> => ({
  decide: (row, state, known) => {
    // A person who was removed since the rows were read is not added again, even if an earlier call of this import had
    // added them.
    const { membership, left } = state;
    const wasRemoved = known.membership ?? (left && isRemoved(of, left, begunAt()));
    return membership || !wasRemoved ? decide(now, of, row, state) : undefined;
  },
  stored: (row, _, membership) => outcomeOf(of, row, membership),
  rejected: ({ index }, errors) => refusal(of.columns, index, errors),
});

const isRemoved = ({ id }: Import, left: NonNullable<Known['left']>, begunAt: string | undefined) =>
  left.import === id || (begunAt !== undefined && left.updated_at >= begunAt);

function decide(now: Date, of: Import, row: ImportRow, state: Known): memberships.Change | undefined {
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

/** The change that the row makes to the member. Returns undefined if there is none. */
function changeOf(now: Date, of: Import, row: ImportRow, state: Known): memberships.Change | undefined {
  const { membership } = state;
  if (membership && of.mode === 'skip') return undefined;
  const change = membership
    ? memberships.membershipChange(now, state, wantedChange(row, membership.metadata), 'import')
    : { membership: memberships.newMembership(now, of.list_id, storedRows.wantedOf(row), state) };
  return withSuppression(now, of, row, state, change);
}

/** The journal entry with which the consent of each import that changed a member is kept. */
const importedEntry = ({ list_id }: Import, { membership }: Known): memberships.Change['entry'] =>
  membership && { type: 'imported', list_id, by: 'import' };

/** Marks a member whom another import added and who is in this file too, so that undoing the other import keeps them. */
function keptChange(
  of: Import,
  membership: memberships.Membership | undefined,
): memberships.Change | undefined {
  const { added_by, import: mark, updated_at } = membership ?? {};
  if (!membership || !added_by || added_by.import === of.id) return undefined;
  if (added_by.stays || mark?.at !== updated_at) return undefined;
  const { revision: _, ...kept } = membership;
  return { membership: { ...kept, added_by: { ...added_by, stays: true } } };
}

/**
 * The change that a row asks for. It never subscribes a member again. A value that is written the same in a file is
 * unchanged, even if it is stored as a number.
 */
const wantedChange = (row: ImportRow, before: Metadata) => {
  const { is_subscribed, metadata } = upsert.changeOf(row);
  const isSame = ([key, value]: [string, MetadataChange[string]]) =>
    Object.hasOwn(before, key) && String(before[key]) === value;
  return {
    is_subscribed,
    metadata: Object.fromEntries(Object.entries(metadata).filter(entry => !isSame(entry))),
  };
};

/** Adds the suppression of the address to the change if it is new. */
function withSuppression(
  now: Date,
  of: Import,
  { suppression }: ImportRow,
  { head, membership }: Known,
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
  { id }: Import,
  { index: row }: ImportRow,
  { membership, left }: Known,
  { updated_at: at }: memberships.Unwritten,
): Marks {
  const mark = { id, row, at };
  if (!membership) {
    const was_unsubscribed = left?.unsubscribed && { was_unsubscribed: true as const };
    return { import: mark, added_by: { import: id, row, ...was_unsubscribed } };
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
