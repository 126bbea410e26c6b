import type { Table } from '#core/storage/table.store.ts';
import { ABSENT, putItem } from '#core/storage/write.store.ts';

/** A shard has this many organizations, with consecutive numbers. One run at a time sweeps it. */
const ORGANIZATIONS = 1_000;
const DIGITS = 6;

export const shardOf = (organization: number) => Math.floor(organization / ORGANIZATIONS);

/** All that the sweep of a shard reads, in one query. */
export const partitionOf = (shard: number) => `SWEEP#${String(shard).padStart(DIGITS, '0')}`;

/** The first shard always exists; its partition has a marker for each other one. */
export const FIRST_SHARD = 0;
const MARKERS = 'SWEEP#000000';
const MARKER = 'SHARD#';

/** Called before the organization is created, so that the sweep knows its shard. */
export async function markShard(table: Table, organization: number): Promise<void> {
  const shard = shardOf(organization);
  if (shard === FIRST_SHARD) return;
  await putItem(table, { PK: MARKERS, SK: `${MARKER}${shard}` }, ABSENT);
}

/** The shard that a sort key marks; undefined for another item. */
export const markedShard = (SK: string): number | undefined =>
  SK.startsWith(MARKER) ? Number(SK.slice(MARKER.length)) : undefined;
