import { epochSeconds, fromItem, get, type Key, type Table } from '../table.store.ts';
import { additionWrite, PRESENT, putWrite, unchanged, type Write } from '../write.store.ts';

// Lambda can deliver the records of a shard for one day.
const KEPT_SECONDS = 7 * 24 * 60 * 60;

const key = (shard: string) => ({ PK: `CHECKPOINT#${shard}`, SK: '-' });

/** Which records of a shard are counted, by their sequence numbers. */
export type Position = {
  /** All up to this one. */
  sequence?: string;
  /** And these after it, with spaces between them. */
  ahead?: string;
};

/** Undefined where none is counted. */
export async function read(table: Table, shard: string): Promise<Position | undefined> {
  const item = await get(table, key(shard));
  return item && fromItem<Position>(item);
}

export type Move = { shard: string; from: Position | undefined; to: Position };

/** Fails where another run has moved the position since it was read. */
export const positionWrite = (table: Table, { shard, from, to }: Move, now: Date): Write =>
  putWrite(
    table,
    { ...key(shard), ...to, ttl: epochSeconds(now) + KEPT_SECONDS },
    unchanged(from, ['sequence', 'ahead']),
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
