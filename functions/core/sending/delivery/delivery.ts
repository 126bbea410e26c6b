import { markDone, takeLease } from '../pack.store.ts';
import type { Pack } from '../pack.ts';
import { readSendingState } from '../state.ts';
import type { Needs } from './needs.ts';
import { recheck, resumeRedelivered } from './resume.ts';
import { sendPack } from './send-pack.ts';

/** Another process has the lease of this pack: the message is redelivered after the end of that lease. */
export class PackHeld extends Error {
  override readonly name = 'PackHeld';
}

/**
 * Sends a pack. One process at a time has its lease, and only the first one claims and posts: an email has one claim, a
 * claim one batch, and a batch one process that posts it. So a pack may be delivered any number of times, also to two
 * processes at once.
 */
export const deliver = (needs: Needs, pack: Pack): Promise<void> => work(needs, pack, { isDead: false });

/**
 * Handles a pack of the dead-letter queue. Nothing is posted: its people are queued again with the longest delay, or skipped
 * if the pack is stale.
 */
export const handleDeadPack = (needs: Needs, pack: Pack): Promise<void> =>
  work(needs, pack, { isDead: true });

async function work(needs: Needs, pack: Pack, { isDead }: { isDead: boolean }): Promise<void> {
  const { table, holder, now } = needs;
  const state = await readSendingState(table, pack.organization, pack.sources);
  // A deleted organization is purged: nothing may be written any more.
  if (!state.organization) return;
  if (pack.isRecheck) return recheck(needs, pack);
  const lease = await takeLease(table, pack, holder, now());
  if (lease.state === 'done') return;
  if (lease.state === 'held') throw new PackHeld('Another process has this pack');
  const { run } = lease;
  if (run.number === 1 && !isDead) await sendPack(needs, pack, run, state);
  else await resumeRedelivered(needs, pack, { state, isDead });
  // Fails, so that the queue keeps the message: the other process may die before it is done.
  if (!(await markDone(table, pack, holder))) throw new PackHeld('Another process has taken this pack over');
}
