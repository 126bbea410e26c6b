import type { Table } from '../table.store.ts';
import * as store from './sweep.store.ts';

const MINUTE = 60 * 1000;

/** Sweeps the minutes that have closed since the last one: as no source exists, that moves the watermark alone. */
export async function sweep({ table, now }: { table: Table; now: Date }) {
  const watermark = lastClosedMinute(now);
  const moved = await store.moveWatermark(table, watermark);
  return { watermark, moved, quiet: !(await store.hasSources(table)) };
}

/** The beginning of the latest minute in which nothing can fall due any more. */
export const lastClosedMinute = (now: Date) => new Date(Math.floor(now.getTime() / MINUTE) * MINUTE - MINUTE);
