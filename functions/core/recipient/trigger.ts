import type { Key, Table } from '#core/storage/table.store.ts';
import { commit, conditionsHeld, deleteWrite, putWrite } from '#core/storage/write.store.ts';
import { membershipWrite, newLeft, unchangedCheck } from './membership.store.ts';
import type { Unwritten } from './membership.ts';
import type { RecipientKey } from './recipient.key.ts';
import type { State } from './recipient.store.ts';
import { isOfSameDate, rowsNotIn, triggerRows } from './trigger.store.ts';

/** The trigger rows of a membership: only a member who may be mailed has any. */
export const triggersOf = (hash: string, head: State['head'], membership: Unwritten | undefined): Key[] =>
  membership?.status === 'subscribed' && !head?.suppression ? triggerRows(hash, membership) : [];

type Needs = { table: Table; now: Date };
type Read = Omit<State, 'seq' | 'isErased'>;

/**
 * Deletes those of the trigger rows that the membership, as it was read, does not have: a process left them behind when
 * it died. Returns false if the membership has changed since.
 *
 * If there is no membership, the rows may be those of an insert that is under way. So a membership that has ended is stored:
 * then the insert fails, and is repeated as a change, which writes its rows again.
 */
export async function deleteStrayTriggers(
  { table, now }: Needs,
  { key, listId, state }: { key: RecipientKey; listId: string; state: Read },
  rows: Key[],
): Promise<boolean> {
  const own = triggersOf(key.hash, state.head, state.membership);
  const stray = rowsNotIn(own, rows);
  if (stray.length === 0) return true;
  // The membership may have been stored before time zones were kept in its rows.
  const instead = own.filter(row => stray.some(other => isOfSameDate(row, other)));
  const isKnown = state.membership !== undefined || state.left !== undefined;
  const guard = isKnown
    ? unchangedCheck(table, key, state, listId)
    : membershipWrite(table, key, state, newLeft(listId, false, now.toISOString()));
  const writes = [...instead.map(row => putWrite(table, row)), ...stray.map(row => deleteWrite(table, row))];
  return conditionsHeld(commit(table, [guard, ...writes]));
}
