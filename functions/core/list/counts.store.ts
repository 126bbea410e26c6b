import { list, page, type Table, writeAll } from '../table.store.ts';

/** How many members a list has, and how many of them are subscribed. The projector keeps both. */
export type Counts = { total: number; subscribed: number };

export const NO_MEMBERS: Counts = { total: 0, subscribed: 0 };

const partition = (id: string) => `LIST#${id}`;
const COLUMN = 'COLUMN#';
export const countsKey = (id: string) => ({ PK: partition(id), SK: 'COUNTS' });
export const columnKey = (id: string, column: string) => ({ PK: partition(id), SK: `${COLUMN}${column}` });

export async function columns(table: Table, id: string): Promise<{ column: string; members: number }[]> {
  const items = await list(table, partition(id), COLUMN);
  return items.map(({ SK, members }) => ({
    column: String(SK).slice(COLUMN.length),
    members: Number(members),
  }));
}

/** From then on the projector counts nothing for a deleted list, so that no column is written back. */
export const endCounts = (table: Table, id: string) => writeAll(table, { removes: [countsKey(id)] });

/** Some of the columns of a deleted list. */
export async function someColumns(table: Table, id: string): Promise<string[]> {
  const { items } = await page(table, partition(id), COLUMN);
  return items.map(({ SK }) => String(SK).slice(COLUMN.length));
}

export const eraseColumns = (table: Table, id: string, columns: string[]) =>
  writeAll(table, { removes: columns.map(column => columnKey(id, column)) });
