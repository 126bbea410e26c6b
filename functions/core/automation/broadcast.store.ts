import { newRevision } from '#core/id.ts';
import * as quota from '#core/organization/quota.ts';
import { switchWrites } from '#core/organization/switches.ts';
import { type Pass, passDeleteWrite, sourceKey, sourceWrite } from '#core/sources/source.ts';
import { fromItem, getStored, queryPartition, type Table } from '#core/storage/table.store.ts';
import {
  commit,
  conditionsHeld,
  deleteWrite,
  optimistically,
  putWrite,
  unchanged,
  type Write,
} from '#core/storage/write.store.ts';
import type { StoppedReason } from '#shared/broadcast.ts';
import type { Skipped } from '#shared/send-status.ts';
import { DAY } from '#shared/time.ts';
import { comparedKey, key, linkedKey, type StoredAutomation, toItem } from './automation.store.ts';
import type { Broadcast } from './due/occurrences.ts';

/**
 * It is active from when it is scheduled on: also once it is `sent`, as the queue may have some of its emails. `left`: the
 * lists whose pass is not over.
 */
export type StoredBroadcast = StoredAutomation & {
  broadcast?: Broadcast;
  status: 'draft' | 'scheduled' | 'sent' | 'cancelled' | 'stopped';
  left?: string[];
  /** The first instant at which it is due anywhere. */
  begins_at?: string;
  ended_at?: string;
  stopped?: { reason: StoppedReason; at: string };
};

type Needs = { table: Table; now: Date; user?: string };

/** It counts as one of the active automations. */
const hasPlace = ({ status }: Pick<StoredBroadcast, 'status'>) => status === 'scheduled';

/** Its sources are passes alone: each time that it is scheduled, all of them begin anew, with the same keys of emails. */
export function changeWrites(
  needs: Needs,
  before: StoredBroadcast | undefined,
  after: StoredBroadcast,
): [own: Write, ...others: Write[]] {
  const { table, now } = needs;
  const { organization_id: organization, id } = after;
  const begins = after.status === 'scheduled' ? after.email_list_ids : [];
  const kept = new Set(begins);
  const place = Number(hasPlace(after)) - Number(before ? hasPlace(before) : false);
  const quotaWrite = place > 0 ? quota.reserveQuotaWrite : quota.freePlacesWrite;
  return [
    putWrite(table, toItem(after), unchanged(before, ['revision'])),
    ...(place === 0 ? [] : [quotaWrite(table, organization, ['active_automations'])]),
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

export const deletionWrites = (needs: Needs, before: StoredBroadcast): Write[] => {
  const { table } = needs;
  const { organization_id: organization, id } = before;
  const [, ...others] = changeWrites(needs, before, { ...before, status: 'cancelled', active: false });
  return [
    deleteWrite(table, key(organization, id), unchanged(before, ['revision'])),
    deleteWrite(table, linkedKey(organization, id)),
    deleteWrite(table, comparedKey(organization, id)),
    ...others,
  ];
};

export const read = async (table: Table, organization: number, id: string) =>
  (await getStored<StoredBroadcast>(table, [key(organization, id)]))[0];

/** The newest first. */
export const readAll = async (table: Table, organization: number): Promise<StoredBroadcast[]> =>
  (await queryPartition(table, `ORG#${organization}`, 'CAST#')).map(fromItem<StoredBroadcast>).reverse();

/** Its last pass is over: what is left of it is in the queue. Returns false if something changed since both were read. */
export async function endPassOfBroadcast(
  { table, now }: Needs,
  pass: Pass,
  found: StoredAutomation | undefined,
): Promise<boolean> {
  const before = found as StoredBroadcast | undefined;
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
  const place =
    left.length > 0 ? [] : [quota.freePlacesWrite(table, before.organization_id, ['active_automations'])];
  const own = putWrite(table, toItem(after), unchanged(before, ['revision']));
  return conditionsHeld(commit(table, [own, passDeleteWrite(table, pass), ...place]));
}

/** Why nobody else of a broadcast can be mailed now, though nothing of it is the reason. */
const STOPS: Partial<Record<Skipped, StoppedReason>> = {
  organization_off: 'organization_off',
  list_off: 'list_off',
  no_key: 'no_key',
  no_content: 'no_content',
  stopped: 'stopped',
  stale: 'stale',
  dead: 'stale',
};

/** Its emails wait in the queue for a day at most: then they are stale. */
const LONGEST_OPEN = 2 * DAY;

/** Some of it may still be sent. */
export const isOpen = ({ status, ended_at = '' }: StoredBroadcast, now: Date): boolean =>
  status === 'scheduled' || (status === 'sent' && now.getTime() - Date.parse(ended_at) <= LONGEST_OPEN);

/**
 * Called before the skip with this reason is stored. What its other packs have claimed is not posted, and skipped too. Who
 * stopped it a second time, or after somebody has cancelled it, changes nothing.
 */
export async function stop(
  needs: Needs,
  organization: number,
  id: string,
  reason: Skipped,
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
        revision: newRevision(),
      };
      return (await conditionsHeld(commit(needs.table, changeWrites(needs, before, after)))) || undefined;
    },
    conflict: 'Another change of this broadcast is under way. Please try again.',
  });
}
