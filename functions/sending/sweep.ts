// Purpose: every minute, move the watermark over the minutes that have closed.
// Safe to run twice: the watermark is written on condition that it moves forward, so a second run changes nothing.
import { sweep } from '../core/sweep/sweep.ts';
import { now } from '../platform/clock.ts';
import { log, redacting } from '../platform/log.ts';
import { table } from '../platform/table.ts';

/** Answers when a run next has something to do, so that a simulated clock may skip the minutes before it. */
export const handler = redacting(async (): Promise<{ next: Date | null }> => {
  const { watermark, moved, next } = await sweep({ table, now: now() });
  log.info('sweep', { watermark: watermark.toISOString(), moved });
  return { next };
});
