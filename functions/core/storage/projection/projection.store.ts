import { epochSeconds, get, type Key, type Table } from '../table.store.ts';
import { additionWrite, PRESENT, putWrite, unchanged, type Write } from '../write.store.ts';

// Lambda can deliver the records of a shard for one day.
const KEPT_SECONDS = 7 * 24 * 60 * 60;

const key = (shard: string) => ({ PK: `CHECKPOINT#${shard}`, SK: '-' });

/** The sequence number of the last record of a shard that is counted; undefined where none is. */
export async function read(table: Table, shard: string): Promise<string | undefined> {
  return (await get(table, key(shard)))?.sequence as string | undefined;
}

export type Move = { shard: string; from: string | undefined; to: string };

/** Fails where another run has moved the position since it was read. */
export const positionWrite = (table: Table, { shard, from, to }: Move, now: Date): Write =>
  putWrite(
    table,
    { ...key(shard), sequence: to, ttl: epochSeconds(now) + KEPT_SECONDS },
    unchanged(from === undefined ? undefined : { sequence: from }, ['sequence']),
  );

/** What is added to attributes of one item. */
export type Counter = {
  key: Key;
  add: Record<string, number>;
  /** The item without which nothing is counted: the counter's own, or another one that it depends on. */
  guard?: Key | undefined;
  /** Where the guard does not exist, it is counted as long as this organization is not deleted. */
  organization?: number;
};

/** Creates the item where there is none, unless it must exist. */
export const counterWrite = (table: Table, { key, add }: Counter, mustExist: boolean): Write =>
  additionWrite(table, key, add, mustExist ? PRESENT : undefined);
