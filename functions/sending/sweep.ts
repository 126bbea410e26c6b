// Purpose: every minute, queue what fell due in the minutes that have closed. A call of the schedule sweeps the first shard
// of organizations and puts an event for each other shard; a call with such an event sweeps its shard.
// Safe to run twice: a shard has one run at a time, what is queued twice is claimed once, and the watermark moves forward
// only.
import type { Context, EventBridgeEvent, ScheduledEvent } from 'aws-lambda';
import { type Missed, type Outcome, sweep, sweepAll } from '#core/sending/sweep/sweep.ts';
import { SHARD_EVENT } from '#core/sources/source.ts';
import { bus } from '../platform/bus.ts';
import { described, log, redacting } from '../platform/log.ts';
import { queuePacks } from '../platform/queue.ts';
import { now } from '../platform/runtime.ts';
import { table } from '../platform/table.ts';

// Enough to end the turns under way, and to store marks of the organizations that had none.
const SPARE_MS = 20_000;

type ShardEvent = EventBridgeEvent<typeof SHARD_EVENT, { shard: number }>;

/** Returns when the next run has something to do, so that the simulated clock may skip the minutes before it. */
export const handler = redacting(
  async (event: ScheduledEvent | ShardEvent, context: Context): Promise<{ next?: Date | null }> => {
    const needs = {
      table,
      now: now(),
      hasTimeLeft: () => context.getRemainingTimeInMillis() > SPARE_MS,
      queue: queuePacks,
      failed: (organization: number, error: unknown) =>
        log.error('an organization could not be swept', { organization, error: described(error) }),
      tooOld: (missed: Missed) => log.error('not swept within a week', missed),
    };
    if (event['detail-type'] === SHARD_EVENT) {
      logOutcome(await sweep(needs, shardIn(event as ShardEvent)));
      return {};
    }
    const sweepOthers = (shards: number[]) =>
      bus.put(
        SHARD_EVENT,
        shards.map(shard => ({ shard })),
      );
    const outcome = await sweepAll({ ...needs, sweepOthers });
    logOutcome(outcome);
    return { next: outcome.next };
  },
);

function shardIn({ detail: { shard } }: ShardEvent): number {
  if (Number.isInteger(shard)) return shard;
  throw new Error('This event names no shard');
}

/** Alarms read these lines: see lib/stacks/sending.ts. */
function logOutcome({ isHeld, next: _, ...outcome }: Outcome): void {
  log.info(isHeld ? 'another run sweeps' : 'swept', outcome);
}
