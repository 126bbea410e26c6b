import { datetimesOf, type Metadata } from '../../../shared/metadata.ts';
import { deletePage, type Key, queryPage, type Table } from '../table.store.ts';

/** The column of the instant at which a member was added: the one without a name. */
export const ADDED = '';

const partition = (listId: string, column: string) => `TRG#${listId}#${column}`;

const two = (part: number) => String(part).padStart(2, '0');

function rowKey(listId: string, column: string, instant: Date, hash: string): Key {
  const minute = instant.getUTCHours() * 60 + instant.getUTCMinutes();
  const day = `${instant.getUTCFullYear()}-${two(instant.getUTCMonth() + 1)}-${two(instant.getUTCDate())}`;
  return { PK: partition(listId, column), SK: `${String(minute).padStart(4, '0')}#${day}#${hash}` };
}

type Dated = { list_id: string; metadata: Metadata; created_at: string };

/**
 * The rows by which the sweep finds a list member: one for each of their dates and one for when they were added, by
 * minute of the day, then by day. A row is nothing but its key.
 */
export const triggerRows = (hash: string, { list_id, metadata, created_at }: Dated): Key[] =>
  [[ADDED, new Date(created_at)] as const, ...datetimesOf(metadata)].map(([column, instant]) =>
    rowKey(list_id, column, instant, hash),
  );

const isSameKey = (a: Key) => (b: Key) => a.PK === b.PK && a.SK === b.SK;

/** The rows that are not among the existing ones. */
export const rowsNotIn = (existing: Key[], rows: Key[]) => rows.filter(row => !existing.some(isSameKey(row)));

/** Whether a column of a list has any row. */
export const hasTriggers = async (table: Table, listId: string, column: string): Promise<boolean> =>
  (await queryPage(table, partition(listId, column), '')).items.length > 0;

/** Deletes some of the rows in a column of a deleted list; true where there may be more. */
export const purgeTriggers = (table: Table, listId: string, column: string) =>
  deletePage(table, partition(listId, column), '');
