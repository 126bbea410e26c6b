import { partitionOf } from '#core/sources/source.ts';
import { batchWrite, get, queryPartition, type Table } from '#core/storage/table.store.ts';
import { updateItem } from '#core/storage/write.store.ts';

/** Resets the sweep of a shard, which then knows no organization. */
export async function forgetShard(table: Table, shard = 0): Promise<void> {
  const PK = partitionOf(shard);
  const items = await queryPartition(table, PK);
  await batchWrite(table, { deletes: items.map(({ SK }) => ({ PK, SK: String(SK) })) });
}

export const stateOf = (table: Table, shard = 0) => get(table, { PK: partitionOf(shard), SK: 'STATE' });

export const behindIn = async (table: Table, shard = 0) =>
  new Map(
    (await queryPartition(table, partitionOf(shard), 'BEHIND#')).map(({ PK: _, SK, ...mark }) => [
      Number(String(SK).slice('BEHIND#'.length)),
      mark,
    ]),
  );

export const sweptBefore = (table: Table, minute: Date, shard = 0) =>
  updateItem(
    table,
    { PK: partitionOf(shard), SK: 'STATE' },
    { set: { swept_minute: new Date(minute.getTime() - 60_000).toISOString() } },
  );
