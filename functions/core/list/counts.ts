import { chunksOf, inParallel } from '#core/parallel.ts';
import * as triggers from '#core/recipient/trigger.ts';
import { Refusal, textsByField } from '#core/refusal.ts';
import type { Counter } from '#core/storage/projection.ts';
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
  optimistically,
  PRESENT,
  updateItem,
  updateWrite,
} from '#core/storage/write.store.ts';
import { datetimesOf, type Metadata } from '#shared/metadata.ts';
import { MINUTE } from '#shared/time.ts';

export type Counts = { total: number; subscribed: number };

export const NO_MEMBERS: Counts = { total: 0, subscribed: 0 };

export const listNotFound = () => new Refusal('not-found', 'Email list not found');

const partition = (id: string) => `LIST#${id}`;
const COLUMN = 'COLUMN#';
const nameOf = ({ SK }: Item) => String(SK).slice(COLUMN.length);
export const countsKey = (id: string) => ({ PK: partition(id), SK: 'COUNTS' });
export const columnKey = (id: string, column: string) => ({ PK: partition(id), SK: `${COLUMN}${column}` });

type Membership = { status: string; metadata: Metadata };
type Change = { list_id: string; before: Membership | undefined; after: Membership | undefined };

export const listCounters = ({ list_id, before, after }: Change): Counter[] => [
  ...counters(list_id, before, -1),
  ...counters(list_id, after, 1),
];

function counters(list_id: string, membership: Membership | undefined, sign: 1 | -1): Counter[] {
  if (membership?.status !== 'subscribed' && membership?.status !== 'unsubscribed') return [];
  // The counts of a deleted list are deleted: as the guard, they keep the projector from creating its columns again.
  const guard = countsKey(list_id);
  const subscribed = membership.status === 'subscribed' ? sign : 0;
  return [
    { key: guard, add: { total: sign, subscribed }, guard },
    ...datetimesOf(membership.metadata).map(([column]) => ({
      key: columnKey(list_id, column),
      add: { members: sign },
      guard,
    })),
  ];
}

export async function columns(table: Table, id: string): Promise<{ column: string; members: number }[]> {
  const items = await queryPartition(table, partition(id), COLUMN);
  return items.map(item => ({ column: nameOf(item), members: Number(item.members) }));
}

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

/** Returns false if the list is deleted, lacks places, or another request has written one of the columns. */
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

export async function firstColumns(table: Table, id: string): Promise<string[]> {
  const { items } = await queryPage(table, partition(id), COLUMN);
  return items.map(nameOf);
}

export const deleteColumn = (table: Table, id: string, column: string) =>
  batchWrite(table, { deletes: [columnKey(id, column)] });

type Needs = { table: Table; now: Date };

const MOST_COLUMNS = 100;
/** Twice as many fit into a transaction, which has at most 100 writes. */
const MOST_INSERTED = 49;
const MOST_AT_ONCE = 20;
/** Longer than any request runs, so that no request is left that read the column before it became idle. */
const IDLE_FOR = 2 * MINUTE;

const NO_PLACE =
  'A list can have dates in at most 100 columns of metadata. One without members gives way to a new one after a few minutes.';

/** Inserts missing columns before any member has a date in them. Returns those for which there is no place. */
export async function insertColumns(needs: Needs, id: string, names: string[]): Promise<Set<string>> {
  const refused: string[] = [];
  for (const some of chunksOf([...new Set(names)], MOST_INSERTED)) {
    refused.push(...(await insertSome(needs, id, some)));
  }
  return new Set(refused);
}

/** The columns for which the list has no place as it is now. Inserts nothing. */
export async function columnsWithoutPlace(
  { table }: Needs,
  id: string,
  names: string[],
): Promise<Set<string>> {
  const places = names.length > 0 && (await readPlaces(table, id));
  if (!places) return new Set();
  const known = new Set(places.columns.map(({ name }) => name));
  const idle = places.columns.filter(({ members }) => members <= 0).length;
  const missing = [...new Set(names)].filter(name => !known.has(name));
  return new Set(missing.slice(Math.max(0, MOST_COLUMNS - places.taken + idle)));
}

const insertSome = (needs: Needs, id: string, names: string[]): Promise<string[]> =>
  optimistically({
    read: () => readPlaces(needs.table, id),
    write: async places => {
      if (!places) throw listNotFound();
      const { columns, taken } = places;
      const known = new Map(columns.map(column => [column.name, column]));
      const missing = names.filter(name => !known.has(name));
      const kept = names.filter(name => known.get(name)?.idle_since !== undefined);
      const added = missing.slice(0, Math.max(0, MOST_COLUMNS - taken));
      const refused = missing.slice(added.length);
      if (refused.length > 0 && (await deleteIdleColumns(needs, id, columns, kept))) return undefined;
      if (added.length + kept.length === 0) return refused;
      return (await takePlaces(needs.table, id, { added, kept }, MOST_COLUMNS)) ? refused : undefined;
    },
    conflict: 'Another change of the columns of this list is under way. Please try again.',
  });

/** Deletes columns that are idle for long, and marks others without members as idle. Returns whether any gave way. */
async function deleteIdleColumns(
  { table, now }: Needs,
  id: string,
  columns: Column[],
  kept: string[],
): Promise<boolean> {
  const idle = columns.filter(({ name, members }) => members <= 0 && !kept.includes(name));
  const changed = await inParallel(idle, MOST_AT_ONCE, async column => {
    if (column.idle_since === undefined) {
      await markIdle(table, id, column.name, now.toISOString());
      return false;
    }
    const isLongIdle = now.getTime() - new Date(column.idle_since).getTime() >= IDLE_FOR;
    // The purge of the list finds trigger rows by their column.
    if (!isLongIdle || (await triggers.hasTriggers(table, id, column.name))) return false;
    await deleteIdle(table, id, column);
    return true;
  });
  return changed.some(Boolean);
}

export const placeErrors = (columns: Iterable<string>, fieldOf = (column: string) => column) =>
  textsByField([...columns].map(column => [fieldOf(column), NO_PLACE] as const));

export const placeRefusal = (columns: Set<string>, fieldOf = (column: string) => `metadata.${column}`) =>
  new Refusal('invalid', NO_PLACE, { errors: placeErrors(columns, fieldOf) });
