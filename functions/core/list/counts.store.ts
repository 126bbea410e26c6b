import {
  batchWrite,
  fromItem,
  getAll,
  type Item,
  queryPage,
  queryPartition,
  type Table,
} from '#core/storage/table.store.ts';
import {
  commit,
  conditionsHeld,
  deleteWrite,
  PRESENT,
  updateItem,
  updateWrite,
} from '#core/storage/write.store.ts';

/** How many members a list has, and how many of them are subscribed. The projector updates both. */
export type Counts = { total: number; subscribed: number };

export const NO_MEMBERS: Counts = { total: 0, subscribed: 0 };

const partition = (id: string) => `LIST#${id}`;
const COLUMN = 'COLUMN#';
const nameOf = ({ SK }: Item) => String(SK).slice(COLUMN.length);
export const countsKey = (id: string) => ({ PK: partition(id), SK: 'COUNTS' });
export const columnKey = (id: string, column: string) => ({ PK: partition(id), SK: `${COLUMN}${column}` });

export async function columns(table: Table, id: string): Promise<{ column: string; members: number }[]> {
  const items = await queryPartition(table, partition(id), COLUMN);
  return items.map(item => ({ column: nameOf(item), members: Number(item.members) }));
}

/** The counter items of a list: its counts, and its datetime columns. */
export const readCounters = (table: Table, id: string): Promise<Item[]> =>
  queryPartition(table, partition(id));

/** Whether any of the lists has this datetime column, even without members. */
export async function hasColumn(table: Table, ids: string[], column: string): Promise<boolean> {
  const items = await getAll(
    table,
    ids.map(id => columnKey(id, column)),
  );
  return items.length > 0;
}

/** A datetime column that takes one of the places of its list, and since when it is known to have no members. */
export type Column = { name: string; members: number; idle_since?: string };

type Places = { columns: Column[]; taken: number };

/** The columns that have a place in a list, and how many places are taken. Returns undefined if the list is deleted. */
export async function readPlaces(table: Table, id: string): Promise<Places | undefined> {
  const items = await queryPartition(table, partition(id));
  const counts = items.find(({ SK }) => SK === 'COUNTS');
  const columnOf = (item: Item): Column => ({ ...fromItem<Column>(item), name: nameOf(item) });
  const columns = items.filter(item => item.has_place).map(columnOf);
  return counts && { columns, taken: (counts.columns as number | undefined) ?? 0 };
}

/**
 * Takes a place for each of these columns, and ends the idle time of those that were idle. Returns false if the list is
 * deleted, has too few places left, or if another request has written one of the columns.
 */
export const takePlaces = (
  table: Table,
  id: string,
  { added, kept }: { added: string[]; kept: string[] },
  most: number,
): Promise<boolean> =>
  conditionsHeld(
    commit(table, [
      ...(added.length > 0
        ? [
            updateWrite(
              table,
              countsKey(id),
              { add: { columns: added.length } },
              {
                condition: 'attribute_exists(PK) AND (attribute_not_exists(#columns) OR #columns <= :before)',
                values: { ':before': most - added.length },
              },
            ),
          ]
        : []),
      ...added.map(name =>
        updateWrite(
          table,
          columnKey(id, name),
          { set: { has_place: true }, add: { members: 0 } },
          { condition: 'attribute_not_exists(has_place)' },
        ),
      ),
      ...kept.map(name => updateWrite(table, columnKey(id, name), { drop: ['idle_since'] }, PRESENT)),
    ]),
  );

const IDLE = 'has_place = :true AND members <= :none';

export const markIdle = (table: Table, id: string, name: string, at: string) =>
  updateItem(
    table,
    columnKey(id, name),
    { set: { idle_since: at } },
    { condition: `${IDLE} AND attribute_not_exists(idle_since)`, values: { ':true': true, ':none': 0 } },
  );

/** Deletes a column and frees its place. Returns false if it is not idle any more. */
export const deleteIdle = (table: Table, id: string, { name, idle_since }: Column): Promise<boolean> =>
  conditionsHeld(
    commit(table, [
      updateWrite(table, countsKey(id), { add: { columns: -1 } }, PRESENT),
      deleteWrite(table, columnKey(id, name), {
        condition: `${IDLE} AND idle_since = :since`,
        values: { ':true': true, ':none': 0, ':since': idle_since },
      }),
    ]),
  );

/** Deletes the counts. The projector then counts nothing more for the list and writes no column again. */
export const deleteCounts = (table: Table, id: string) => batchWrite(table, { deletes: [countsKey(id)] });

/** The names of the first page of a list's columns. */
export async function firstColumns(table: Table, id: string): Promise<string[]> {
  const { items } = await queryPage(table, partition(id), COLUMN);
  return items.map(nameOf);
}

export const deleteColumn = (table: Table, id: string, column: string) =>
  batchWrite(table, { deletes: [columnKey(id, column)] });
