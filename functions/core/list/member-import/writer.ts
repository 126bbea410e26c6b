import type { RowOutcome } from '../../../../shared/member-import.ts';
import type { Metadata, MetadataChange } from '../../../../shared/metadata.ts';
import * as recipient from '../../recipient/recipient/recipient.ts';
import * as listMember from '../list-member/list-member.ts';
import { type How, type ImportRow, refusal } from './rows.ts';

type Known = listMember.Known;
/** Without an id, nothing of it is stored. */
type Import = How & { id: string; list_id: string };

/** What an import makes of its rows. */
export const importWriter = (now: Date, of: Import): listMember.Writer<ImportRow, RowOutcome> => ({
  decide: (row, state, known) => decide(now, of, row, state, known),
  stored: (row, status, membership) => outcomeOf(of, row, status, membership),
  rejected: ({ index }, errors) => refusal(of.columns, index, errors),
});

/** Whether this row has been stored already, or a later one of the file with the same address. */
const isStored = (of: Import, { index }: ImportRow, mark: recipient.ImportMark | undefined) =>
  mark !== undefined && mark.id === of.id && mark.row >= index;

function decide(
  now: Date,
  of: Import,
  row: ImportRow,
  state: Known,
  known: Known,
): recipient.Change | undefined {
  const { membership, left } = state;
  if (membership && (isStored(of, row, membership.import) || of.mode === 'skip')) return undefined;
  // Whoever was removed since the rows were read stays removed.
  if (!membership && (known.membership || left?.import === of.id)) return undefined;
  const change = membership
    ? recipient.membershipChange(now, state, wantedChange(row, membership.metadata), 'import')
    : { membership: recipient.newMembership(now, of.list_id, listMember.wantedOf(row), state) };
  const suppressing = withSuppression(now, of, row, state, change);
  const after = suppressing?.membership;
  if (!suppressing || !after) return suppressing;
  const entry = suppressing.entry && { ...suppressing.entry, import: of.id };
  return {
    ...suppressing,
    ...(entry && { entry }),
    membership: { ...after, import: markOf(of, row, state, after) },
  };
}

/** Never subscribes anybody again. A value that reads the same in a file stays, also where it is a number. */
const wantedChange = (row: ImportRow, before: Metadata) => {
  const { is_subscribed, metadata } = listMember.changeOf(row);
  const isSame = ([key, value]: [string, MetadataChange[string]]) =>
    Object.hasOwn(before, key) && String(before[key]) === value;
  return {
    is_subscribed,
    metadata: Object.fromEntries(Object.entries(metadata).filter(entry => !isSame(entry))),
  };
};

const ENTRIES = { complaint: 'complained', bounce: 'bounced' } as const;

/** The change, and with it the suppression of the address where that is new. */
function withSuppression(
  now: Date,
  of: Import,
  { suppression }: ImportRow,
  { head, membership }: Known,
  change: recipient.Change | undefined,
): recipient.Change | undefined {
  if (!suppression || !recipient.isStronger(suppression, head?.suppression)) return change;
  const before = change?.membership ?? membership;
  if (!before) return change;
  const { revision: _, ...kept } = { revision: '', ...before };
  return {
    membership: { ...kept, status: 'unsubscribed', by: suppression, updated_at: now.toISOString() },
    entry: { type: ENTRIES[suppression], list_id: of.list_id, by: 'import' },
    suppression,
  };
}

function markOf(
  of: Import,
  { index: row }: ImportRow,
  { membership, left }: Known,
  { updated_at: at }: recipient.Unwritten,
): recipient.ImportMark {
  const before = membership?.import?.id === of.id ? membership.import : undefined;
  const wasUnsubscribed = membership ? before?.was_unsubscribed : left?.unsubscribed;
  return {
    ...{ id: of.id, row, at, as: membership ? 'updated' : 'created' },
    ...((!membership || before?.added) && { added: true }),
    ...(wasUnsubscribed && { was_unsubscribed: true }),
  };
}

function outcomeOf(
  of: Import,
  row: ImportRow,
  status: listMember.Status,
  membership: recipient.Unwritten | undefined,
): RowOutcome {
  const mark = membership?.import;
  const isOfThis = mark?.id === of.id && mark.row === row.index;
  const isSkipped = of.mode === 'skip' && membership !== undefined;
  const stays = row.is_subscribed === true && membership?.status === 'unsubscribed';
  return {
    row: row.index,
    status: status !== 'unchanged' ? status : isOfThis ? mark.as : isSkipped ? 'skipped' : 'unchanged',
    ...(stays && { stays_unsubscribed: true }),
  };
}
