import { epochSeconds, fromItem, get, type Key, type Table } from './table.store.ts';
import { additionWrite, PRESENT, putWrite, unchanged, type Write } from './write.store.ts';

// Lambda can deliver the records of a shard for one day.
const KEPT_SECONDS = 7 * 24 * 60 * 60;

const key = (shard: string) => ({ PK: `CHECKPOINT#${shard}`, SK: '-' });

/** Which records of a shard are counted, by their sequence numbers. */
export type Position = {
  /** All records up to this one are counted. */
  sequence?: string;
  /** Records after it that are counted too, separated by spaces. */
  ahead?: string;
};

/** Reads the position of a shard. Returns undefined if no record is counted. */
export async function read(table: Table, shard: string): Promise<Position | undefined> {
  const item = await get(table, key(shard));
  return item && fromItem<Position>(item);
}

export type Move = { shard: string; from: Position | undefined; to: Position };

/** Moves the position. Fails if another run has moved it since it was read. */
export const positionWrite = (table: Table, { shard, from, to }: Move, now: Date): Write =>
  putWrite(
    table,
    { ...key(shard), ...to, ttl: epochSeconds(now) + KEPT_SECONDS },
    unchanged(from, ['sequence', 'ahead']),
  );

/** What to add to attributes of one item. */
export type Counter = {
  key: Key;
  add: Record<string, number>;
  /** The item that must exist for the counter to be written: the counter's own, or another one on which it depends. */
  guard?: Key | undefined;
  /** If the guard does not exist, the counter is still written as long as this organization is not deleted. */
  organization?: number;
};

/** Creates the item if there is none, unless `mustExist`. */
export const counterWrite = (table: Table, { key, add }: Counter, mustExist: boolean): Write =>
  additionWrite(table, key, add, mustExist ? PRESENT : undefined);
