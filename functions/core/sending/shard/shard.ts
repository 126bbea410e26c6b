import type { Table } from '../../storage/table.store.ts';
import { ABSENT, putItem } from '../../storage/write.store.ts';

/** So many organizations with consecutive numbers are swept by one run, and no other looks at them. */
const ORGANIZATIONS = 1_000;
const DIGITS = 6;

export const shardOf = (organization: number) => Math.floor(organization / ORGANIZATIONS);

/** All that the sweep of a shard needs to know, in one query. */
export const partitionOf = (shard: number) => `SWEEP#${String(shard).padStart(DIGITS, '0')}`;

/** The first shard is always there; in its partition each other one has a marker. */
export const FIRST_SHARD = 0;
const MARKER = 'SHARD#';

/** Before an organization exists, its shard is known to the sweep. */
export async function markShard(table: Table, organization: number): Promise<void> {
  const shard = shardOf(organization);
  if (shard === FIRST_SHARD) return;
  await putItem(table, { PK: partitionOf(FIRST_SHARD), SK: `${MARKER}${shard}` }, ABSENT);
}

/** The shard that a sort key marks; undefined for another item. */
export const markedShard = (SK: string): number | undefined =>
  SK.startsWith(MARKER) ? Number(SK.slice(MARKER.length)) : undefined;
