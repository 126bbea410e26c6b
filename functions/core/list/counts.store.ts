import { list, PRESENT, page, type Table, update, type Write, writeAll } from '../table.store.ts';

/** What the projector keeps of a list: how many members it has, and how many of them are subscribed. */
export type Counts = { total: number; subscribed: number };

export const NO_MEMBERS: Counts = { total: 0, subscribed: 0 };

const partition = (id: string) => `LIST#${id}`;
const COLUMN = 'COLUMN#';
export const countsKey = (id: string) => ({ PK: partition(id), SK: 'COUNTS' });
const columnKey = (id: string, column: string) => ({ PK: partition(id), SK: `${COLUMN}${column}` });

/** Fails where the list is deleted: nothing may count for it any more. */
export const addToCounts = (table: Table, id: string, { total, subscribed }: Counts): Write =>
  update(
    table,
    countsKey(id),
    'ADD #total :total, subscribed :subscribed',
    { ':total': total, ':subscribed': subscribed },
    { ...PRESENT, names: { '#total': 'total' } },
  );

/** Only together with the counts of its list, whose condition holds for both. */
export const addToColumn = (table: Table, id: string, column: string, members: number): Write => ({
  Update: {
    TableName: table.name,
    Key: columnKey(id, column),
    UpdateExpression: 'ADD members :members',
    ExpressionAttributeValues: { ':members': members },
  },
});

export async function columns(table: Table, id: string): Promise<{ column: string; members: number }[]> {
  const items = await list(table, partition(id), COLUMN);
  return items.map(({ SK, members }) => ({
    column: String(SK).slice(COLUMN.length),
    members: Number(members),
  }));
}

/** From then on nothing counts for a deleted list, so that no column is written back. */
export const endCounts = (table: Table, id: string) => writeAll(table, { removes: [countsKey(id)] });

/** Some of the columns of a deleted list. */
export async function someColumns(table: Table, id: string): Promise<string[]> {
  const { items } = await page(table, partition(id), COLUMN);
  return items.map(({ SK }) => String(SK).slice(COLUMN.length));
}

export const eraseColumns = (table: Table, id: string, columns: string[]) =>
  writeAll(table, { removes: columns.map(column => columnKey(id, column)) });
