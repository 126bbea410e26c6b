import { batchWrite, queryPage, queryPartition, type Table } from '../table.store.ts';

/** How many members a list has, and how many of them are subscribed. The projector keeps both. */
export type Counts = { total: number; subscribed: number };

export const NO_MEMBERS: Counts = { total: 0, subscribed: 0 };

const partition = (id: string) => `LIST#${id}`;
const COLUMN = 'COLUMN#';
export const countsKey = (id: string) => ({ PK: partition(id), SK: 'COUNTS' });
export const columnKey = (id: string, column: string) => ({ PK: partition(id), SK: `${COLUMN}${column}` });

export async function columns(table: Table, id: string): Promise<{ column: string; members: number }[]> {
  const items = await queryPartition(table, partition(id), COLUMN);
  return items.map(({ SK, members }) => ({
    column: String(SK).slice(COLUMN.length),
    members: Number(members),
  }));
}

/** From then on the projector counts nothing for the list, so that no column is written again. */
export const deleteCounts = (table: Table, id: string) => batchWrite(table, { deletes: [countsKey(id)] });

/** The first few columns of a list. */
export async function firstColumns(table: Table, id: string): Promise<string[]> {
  const { items } = await queryPage(table, partition(id), COLUMN);
  return items.map(({ SK }) => String(SK).slice(COLUMN.length));
}

export const deleteColumn = (table: Table, id: string, column: string) =>
  batchWrite(table, { deletes: [columnKey(id, column)] });
