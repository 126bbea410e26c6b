// Purpose: every minute, queue what fell due in the minutes that have closed.
// Safe to run twice: what is queued twice is claimed once, and the watermark moves forward only.
import type { Context } from 'aws-lambda';
import { newId } from '../core/id.ts';
import { sweep } from '../core/sending/sweep/sweep.ts';
import { now } from '../platform/clock.ts';
import { described, log, redacting } from '../platform/log.ts';
import { queuePacks } from '../platform/packs.ts';
import { table } from '../platform/table.ts';

// What reading and queueing one hour takes at most.
const SPARE_MS = 20_000;

/** Answers when a run next has something to do, so that a simulated clock may skip the minutes before it. */
export const handler = redacting(async (_: unknown, context: Context): Promise<{ next: Date | null }> => {
  let packs = 0;
  const { watermark, moved, next } = await sweep({
    table,
    now: now(),
    hasTime: () => context.getRemainingTimeInMillis() > SPARE_MS,
    queue: async some => {
      await queuePacks(some);
      packs += some.length;
    },
    newId,
    failed: (organization, error) =>
      log.error('an organization could not be swept', { organization, error: described(error) }),
  });
  log.info('sweep', { watermark: watermark.toISOString(), moved, packs });
  return { next };
});
