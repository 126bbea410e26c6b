import { chunksOf } from '#core/chunks.ts';
import { inParallel } from '#core/parallel.ts';
import * as triggers from '#core/recipient/trigger.ts';
import { Refusal, textsByField } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import { optimistically } from '#core/storage/write.store.ts';
import { MINUTE } from '#shared/time.ts';
import * as store from './counts.store.ts';
import { listNotFound } from './list.store.ts';

type Needs = { table: Table; now: Date };

const MOST_COLUMNS = 100;
/** Twice as many fit into a transaction, which has at most 100 writes. */
const MOST_INSERTED = 49;
const MOST_AT_ONCE = 20;
/** Longer than any request runs, so that no request is left that read the column before it became idle. */
const IDLE_FOR = 2 * MINUTE;

const NO_PLACE =
  'A list can have dates in at most 100 columns of metadata. One without members gives way to a new one after a few minutes.';

/**
 * Inserts the datetime columns that a list lacks, before any member has a date in them. Returns the columns for which the
 * list has no place.
 */
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
  const places = names.length > 0 && (await store.readPlaces(table, id));
  if (!places) return new Set();
  const known = new Set(places.columns.map(({ name }) => name));
  const idle = places.columns.filter(({ members }) => members <= 0).length;
  const missing = [...new Set(names)].filter(name => !known.has(name));
  return new Set(missing.slice(Math.max(0, MOST_COLUMNS - places.taken + idle)));
}

const insertSome = (needs: Needs, id: string, names: string[]): Promise<string[]> =>
  optimistically({
    read: () => store.readPlaces(needs.table, id),
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
      return (await store.takePlaces(needs.table, id, { added, kept }, MOST_COLUMNS)) ? refused : undefined;
    },
    conflict: 'Another change of the columns of this list is under way. Please try again.',
  });

/**
 * Deletes the columns that have had no members for a while: by then no request is left that may write a member with one.
 * Marks the others without members as idle. Returns true if a column was deleted, or was not idle any more.
 */
async function deleteIdleColumns(
  { table, now }: Needs,
  id: string,
  columns: store.Column[],
  kept: string[],
): Promise<boolean> {
  const idle = columns.filter(({ name, members }) => members <= 0 && !kept.includes(name));
  const changed = await inParallel(idle, MOST_AT_ONCE, async column => {
    if (column.idle_since === undefined) {
      await store.markIdle(table, id, column.name, now.toISOString());
      return false;
    }
    const isLongIdle = now.getTime() - new Date(column.idle_since).getTime() >= IDLE_FOR;
    // The purge of the list finds trigger rows by their column.
    if (!isLongIdle || (await triggers.hasTriggers(table, id, column.name))) return false;
    await store.deleteIdle(table, id, column);
    return true;
  });
  return changed.some(Boolean);
}

/** The errors of a row or a form for columns that have no place, by key. */
export const placeErrors = (columns: Iterable<string>, keyOf = (column: string) => column) =>
  textsByField([...columns].map(column => [keyOf(column), NO_PLACE] as const));

export const placeRefusal = (columns: Set<string>) =>
  new Refusal('invalid', NO_PLACE, { errors: placeErrors(columns, column => `metadata.${column}`) });
