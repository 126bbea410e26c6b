import { applyEarlyEvents } from '#core/sending/provider-event.ts';
import { project } from '#core/storage/projection.ts';
import type { Table } from '#core/storage/table.store.ts';
import { contributionsOf } from '#functions/stream/contributions.ts';
import { openBatch } from '#functions/stream/records.ts';
import type { MemoryTable, Written } from './memory-table.ts';
import { projecting } from './projecting.ts';
import { streamOf } from './stream.ts';
import type { EngineTable } from './table-engine.ts';

export type Follow = (now: Date) => Promise<void>;

export const followerOf = (table: MemoryTable | EngineTable): Follow => following(table, streamOf(table));

/** Processes all changes since the last call, as the readers of the table's stream do. */
export function following(table: Table, written: () => Promise<Written>): Follow {
  let last: Promise<void> = Promise.resolve();
  return now => {
    last = last.then(() => follow(now));
    return last;
  };

  async function follow(now: Date): Promise<void> {
    // Repeated, since settled outcomes are counted too.
    for (let isQuiet = false; !isQuiet; ) {
      isQuiet = true;
      for (const { shard, records } of await written()) {
        if (records.length === 0) continue;
        isQuiet = false;
        const counted = await contributionsOf({ table, now }, records);
        await project({ ...projecting, table, now }, shard, counted);
        for (const { organization, batch } of records.flatMap(openBatch)) {
          await applyEarlyEvents({ table, now }, organization, batch);
        }
      }
    }
  }
}
