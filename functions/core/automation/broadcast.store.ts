import { newRevision } from '#core/id.ts';
import * as quota from '#core/organization/quota.ts';
import { type Changing, recordedChange } from '#core/organization/record.ts';
import { switchWrites } from '#core/organization/switches.ts';
import { type Pass, passDeleteWrite, sourceKey, sourceWrite } from '#core/sources/source.ts';
import { fromItem, getStored, queryBackwards, type Table } from '#core/storage/table.store.ts';
import {
  commit,
  conditionsHeld,
  deleteWrite,
  MOST_WRITES,
  optimistically,
  putWrite,
  unchanged,
  type Write,
} from '#core/storage/write.store.ts';
import { type BroadcastStatus, isOpen, type StoppedReason } from '#shared/broadcast-state.ts';
import type { Skipped } from '#shared/send-status.ts';
import * as automations from './automation.store.ts';
import type { Broadcast } from './due/occurrences.ts';

/**
 * It is active from when it is scheduled on: also once it is `sent`, as the queue may have some of its emails. `left`: the
 * lists whose pass is not over.
 */
export type StoredBroadcast = automations.StoredAutomation & {
  broadcast?: Broadcast;
  status: 'draft' | 'scheduled' | 'sent' | 'cancelled' | 'stopped';
  left?: string[];
  /** The first instant at which it is due anywhere. */
  begins_at?: string;
  ended_at?: string;
  stopped?: { reason: StoppedReason; at: string };
};

export const statusOf = ({ status, begins_at }: StoredBroadcast, now: Date): BroadcastStatus =>
  status === 'scheduled' && begins_at !== undefined && begins_at <= now.toISOString() ? 'sending' : status;

type Needs = Changing;

export const CONFLICT = 'Another change of this broadcast is under way. Please try again.';

/** While it is scheduled, it counts as one of the active automations. Without `after`, it is deleted. */
const placeWrites = (
  table: Table,
  organization: number,
  before: StoredBroadcast | undefined,
  after: StoredBroadcast | undefined,
): Write[] =>
  quota.changeQuotaWrites(table, organization, {
    broadcasts: Number(after !== undefined) - Number(before !== undefined),
    active_automations: Number(after?.status === 'scheduled') - Number(before?.status === 'scheduled'),
  });

/** Its sources are passes alone: each time that it is scheduled, all of them begin anew, with the same keys of emails. */
export function changeWrites(
  needs: Needs,
  before: StoredBroadcast | undefined,
  after: StoredBroadcast,
  { isDeleted = false } = {},
): [own: Write, ...others: Write[]] {
  const { table, now } = needs;
  const { organization_id: organization, id } = after;
  const begins = after.status === 'scheduled' ? after.email_list_ids : [];
  const kept = new Set(begins);
  return [
    putWrite(table, automations.toItem(after), unchanged(before, ['revision'])),
    ...placeWrites(table, organization, before, isDeleted ? undefined : after),
    ...switchWrites(needs, organization, `automation#${id}`, {
      from: before?.active ?? false,
      to: after.active,
    }),
    ...begins.map(list => sourceWrite(table, sourceKey(organization, list, null, id), now, true)),
    ...(before?.left ?? [])
      .filter(list => !kept.has(list))
      .map(list => deleteWrite(table, sourceKey(organization, list, null, id))),
  ];
}

/** Without `from` it is created, without `to` deleted. */
export const recordedWrites = (needs: Needs, from: StoredBroadcast | undefined, to?: StoredBroadcast) =>
  recordedChange(needs, 'broadcast', from && settingsOf(from), to && settingsOf(to));

const settingsOf = (broadcast: StoredBroadcast) => ({ ...broadcast, ...broadcast.broadcast });

/** Returns false if it was changed since it was read. A pass over a list that it has not any more ends by itself too. */
export async function commitChange(
  needs: Needs,
  before: StoredBroadcast,
  after: StoredBroadcast,
): Promise<boolean> {
  const { table } = needs;
  const [own, ...others] = changeWrites(needs, before, after);
  const writes = [own, ...recordedWrites(needs, before, after), ...others];
  if (!(await conditionsHeld(commit(table, writes.slice(0, MOST_WRITES))))) return false;
  const rest = writes.slice(MOST_WRITES);
  const check = automations.unchangedCheck(table, after);
  if (rest.length > 0) await conditionsHeld(commit(table, [check, ...rest]));
  return true;
}

export const deletionWrites = (needs: Needs, before: StoredBroadcast): Write[] => {
  const after: StoredBroadcast = { ...before, status: 'cancelled', active: false };
  const [, ...others] = changeWrites(needs, before, after, { isDeleted: true });
  return [...automations.deletionWrites(needs.table, before), ...others];
};

export const read = async (table: Table, organization: number, id: string) =>
  (await getStored<StoredBroadcast>(table, [automations.key(organization, id)]))[0];

/** The newest first; all of them, or no more than so many. */
export const readAll = async (
  table: Table,
  organization: number,
  most?: number,
): Promise<StoredBroadcast[]> =>
  (await queryBackwards(table, `ORG#${organization}`, 'CAST#', most)).map(fromItem<StoredBroadcast>);

/**
 * Its last pass is over: what is left of it is in the queue. It is read now, as passes over its other lists may just have ended.
 * Returns false if something changed since.
 */
export async function endPassOfBroadcast({ table, now }: Needs, pass: Pass): Promise<boolean> {
  const before = await read(table, pass.organization, pass.automation);
  if (before?.status !== 'scheduled') {
    return conditionsHeld(commit(table, [passDeleteWrite(table, pass)]));
  }
  const left = (before.left ?? []).filter(list => list !== pass.list);
  const after: StoredBroadcast = {
    ...before,
    left,
    revision: newRevision(),
    ...(left.length === 0 && { status: 'sent', ended_at: now.toISOString() }),
  };
  const own = automations.changeWrite(table, before, after);
  const writes = [own, passDeleteWrite(table, pass), ...placeWrites(table, pass.organization, before, after)];
  return conditionsHeld(commit(table, writes));
}

/** Why nobody else of a broadcast can be mailed now, though nothing of it is the reason. */
const STOPS: Partial<Record<Skipped, StoppedReason>> = {
  organization_off: 'organization_off',
  guard_off: 'guard_off',
  list_off: 'list_off',
  no_key: 'no_key',
  not_verified: 'not_verified',
  no_content: 'no_content',
  stopped: 'stopped',
  stale: 'stale',
  dead: 'stale',
};

/**
 * Called before the skip with this reason is stored. What its other packs have claimed is not posted, and skipped too. If it
 * is stopped or cancelled already, nothing changes.
 */
export async function stop(
  needs: Needs,
  organization: number,
  id: string,
  reason: Skipped,
  paused?: StoredBroadcast['paused'],
): Promise<boolean> {
  const why = STOPS[reason];
  if (!why) return false;
  return optimistically({
    read: () => read(needs.table, organization, id),
    write: async before => {
      if (!before || !isOpen(before, needs.now)) return true;
      const after: StoredBroadcast = {
        ...before,
        status: 'stopped',
        active: false,
        left: [],
        stopped: { reason: why, at: needs.now.toISOString() },
        ...(paused && { paused }),
        revision: newRevision(),
      };
      const writes = [...changeWrites(needs, before, after), ...recordedWrites(needs, before, after)];
      return (await conditionsHeld(commit(needs.table, writes))) || undefined;
    },
    conflict: CONFLICT,
  });
}
