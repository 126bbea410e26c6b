import * as rate from '#core/account/call-budgets.ts';
import { inParallel } from '#core/parallel.ts';
import * as journal from '#core/recipient/journal.ts';
import * as memberships from '#core/recipient/membership.ts';
import type * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import * as recipient from '#core/recipient/recipient.ts';
import { Refusal } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import { optimistically } from '#core/storage/write.store.ts';
import { MEMBERSHIP_WRITER_TIMEOUT } from '#core/timeouts.ts';
import * as store from './member-import.store.ts';

type Needs = { table: Table; now: Date; hasTimeLeft: (reserveMs?: number) => boolean };

// In milliseconds, for the rows of one call.
const LONGEST_STEP = 8_000;
const MOST_AT_ONCE = 25;

const NOTHING = { undo_next: 1, removed: 0, mailed: 0, stay_changed: 0 };

/** Begins to undo an import. From then on none of its rows is stored. */
export const beginUndo = (table: Table, of: store.StoredImport, now: Date): Promise<store.StoredImport> =>
  optimistically({
    known: of,
    read: () => store.readExisting(table, of),
    write: async before => {
      if (before.state === 'undoing' || before.state === 'undone') return before;
      const set = { ...NOTHING, state: 'undoing' as const, updated_at: now.toISOString() };
      return store.changeState(table, before, set);
    },
    conflict: 'Another change of this import is under way. Please try again.',
  });

/** Safe to run twice: a removed member has a mark of it, and the rows of each call count once. */
export async function undoSome(needs: Needs, begun: store.StoredImport): Promise<store.StoredImport> {
  const { table, now } = needs;
  // It may have begun to add people; no rows are begun or ended from now on.
  const unended = await store.readChunk(table, begun, begun.done_rows + 1);
  for (let current = begun, isFirst = true; ; isFirst = false) {
    if (current.state !== 'undoing' || !(isFirst || needs.hasTimeLeft(LONGEST_STEP))) return current;
    const [chunk] = await store.readChunks(table, current, current.undo_next ?? 1, 1);
    if (!chunk) {
      const set = { state: 'undone' as const, updated_at: now.toISOString() };
      return (await store.changeState(table, current, set)) ?? current;
    }
    requireEnded(chunk, now);
    if (!(await countAgainstRate(needs, current, chunk, isFirst))) return current;
    const ends = await inParallel(chunk.added, MOST_AT_ONCE, hash =>
      removeAdded(needs, current, hash, added =>
        isOfLater(chunk, begun, added, unended?.added.includes(hash)),
      ),
    );
    const count = (end: End) => ends.filter(one => one === end).length;
    const [mailed, stay_changed] = [count('mailed'), count('changed')];
    const undone = { removed: count('removed') + mailed, mailed, stay_changed };
    const counted = await store.countUndone(table, current, chunk.from + 1, undone, now);
    const after = counted ?? (await store.read(table, current));
    if (!after) return current;
    current = after;
  }
}

/** Until the timeout of its function has passed, a process may still be adding the rows. */
function requireEnded({ outcomes, begun_at }: store.Chunk, now: Date): void {
  const ends = Date.parse(begun_at) + MEMBERSHIP_WRITER_TIMEOUT;
  if (outcomes || now.getTime() > ends) return;
  const retryAfter = Math.ceil((ends - now.getTime()) / 1000) + 1;
  const text = `Rows of this import are still being stored. Please try again in ${retryAfter} seconds.`;
  throw new Refusal('too-many', text, { retryAfter });
}

async function countAgainstRate(
  needs: Needs,
  { organization_id }: store.StoredImport,
  { added }: store.Chunk,
  isFirst: boolean,
): Promise<boolean> {
  try {
    await rate.countMembers(needs, organization_id, added.length);
    return true;
  } catch (error) {
    if (error instanceof Refusal && !isFirst) return false;
    throw error;
  }
}

/** `mailed`: removed, after an email was sent to them. */
type End = 'removed' | 'mailed' | 'changed' | 'gone';

/** A person in the rows of two calls is counted with the later one if that added them: it has ended, or it has begun with them. */
const isOfLater = (
  { from, rows }: store.Chunk,
  { done_rows }: store.StoredImport,
  { row }: memberships.AddedBy,
  isInUnended = false,
) => rows !== undefined && row >= from + rows && (row <= done_rows || isInUnended);

/** Removes a member whom the import added, unless they were changed since. */
function removeAdded(
  needs: Needs,
  of: store.StoredImport,
  hash: string,
  isLater: (added: memberships.AddedBy) => boolean,
): Promise<End> {
  const { table } = needs;
  const key = { organization: of.organization_id, hash };
  return optimistically<recipientStore.State, End>({
    read: () => recipientStore.read(table, key, of.list_id),
    write: async state => {
      const { membership, left } = state;
      // From its removal on, nothing is claimed for the membership: the journal has all of its emails.
      const removed = async () => ((await wasMailed(table, key, of)) ? 'mailed' : 'removed');
      if (!membership) return left?.import === of.id ? removed() : 'gone';
      const { added_by, import: mark, updated_at } = membership;
      if (added_by?.import !== of.id || isLater(added_by)) return 'gone';
      if (added_by.stays || mark?.at !== updated_at) return 'changed';
      const end = (current: recipientStore.State): memberships.Change | undefined =>
        current.membership?.revision === membership.revision
          ? {
              ...memberships.membershipEnd(current.membership, 'import'),
              left: { unsubscribed: added_by.was_unsubscribed ?? false, import: of.id },
            }
          : undefined;
      const { isChanged, before } = await recipient.change(needs, key, of.list_id, end, state);
      if (!isChanged) return undefined;
      return before.seq > 0 ? removed() : 'removed';
    },
    conflict: 'Another change of this member is under way. Please try again.',
  });
}

const MOST_ENTRIES = 1_000;

async function wasMailed(
  table: Table,
  key: recipientKey.RecipientKey,
  { list_id, created_at: since }: store.StoredImport,
): Promise<boolean> {
  // Of all lists: by its list, the journal is read back to the end of the membership alone.
  const { entries, complete } = await journal.readJournal(table, key, { since, most: MOST_ENTRIES });
  return !complete || entries.some(entry => journal.isClaim(entry) && entry.list_id === list_id);
}
