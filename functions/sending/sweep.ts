// Purpose: every minute, move the watermark over the minutes that have closed.
// Safe to run twice: the watermark is written on condition that it moves forward, so a second run changes nothing.
import { sweep } from '../core/sweep/sweep.ts';
import { now } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import { table } from '../platform/table.ts';

/** Quiet: nothing falls due before something is written. A simulated clock may hurry through such minutes. */
export async function handler(): Promise<{ quiet: boolean }> {
  const { watermark, moved, quiet } = await sweep({ table, now: now() });
  log.info('sweep', { watermark: watermark.toISOString(), moved });
  return { quiet };
}
