import type { Table } from '../table.store.ts';
import * as store from './sweep.store.ts';

const MINUTE = 60 * 1000;

/**
 * Sweeps the minutes that have closed since the last run: as no source exists yet, that moves the watermark alone.
 * `next` is when a run next has something to do; null: not before a source is written.
 */
export async function sweep({ table, now }: { table: Table; now: Date }) {
  const { swept, sources } = await store.read(table);
  const closed = lastClosedMinute(now);
  const behind = swept === undefined || swept < closed;
  const moved = behind && (await store.moveWatermark(table, closed));
  const watermark = behind ? closed : swept;
  // A source may have something due in any minute. The first one that is not swept closes two minutes after the
  // beginning of the last one that is.
  const next = sources.length > 0 ? new Date(watermark.getTime() + 2 * MINUTE) : null;
  return { watermark, moved, next };
}

/** The beginning of the latest minute in which nothing can fall due any more. */
export const lastClosedMinute = (now: Date) => new Date(Math.floor(now.getTime() / MINUTE) * MINUTE - MINUTE);
