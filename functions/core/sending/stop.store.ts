import type { Stop } from '#core/organization/switches.ts';
import { fromItem, get, type Reading, type Table } from '#core/storage/table.store.ts';
import { ABSENT, unchanged, updateWith, type Write } from '#core/storage/write.store.ts';

const KEY = { PK: 'STAGE', SK: 'SENDING' };

/** From the point in time to which the table was restored until sending was stopped: what was sent in between is lost. */
export type Restored = { from: string; until: string };

/** What holds for all organizations of a stage. */
export type StageSending = { stop?: Stop; restored?: Restored[] };

export async function read(table: Table, reading?: Reading): Promise<StageSending> {
  const item = await get(table, KEY, reading);
  return item ? fromItem(item) : {};
}

/** Returns false if it has changed since it was read. */
export async function change(
  table: Table,
  before: StageSending,
  set: StageSending,
  others: Write[],
): Promise<boolean> {
  // A stored item always has a stop.
  const only = before.stop ? unchanged(before, ['stop', 'restored']) : ABSENT;
  return (await updateWith(table, KEY, { set }, only, others)) !== undefined;
}
