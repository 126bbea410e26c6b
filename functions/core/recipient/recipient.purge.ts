import { type Key, page, type Table, writeAll } from '../table.store.ts';
import * as store from './recipient.store.ts';
import { triggerPartition, triggerRows } from './trigger.ts';

// What one call deletes, in a few batches: between two calls the purge asks whether there is time for another one.
const MOST_DELETES = 100;

/** Deletes some of what is stored about the people of a deleted organization; true where there may be more. */
export async function purgePeople(table: Table, organization: number): Promise<boolean> {
  const { found, more } = await store.people(table, organization);
  for (const person of found) {
    const items = await store.lastItems(table, person, MOST_DELETES);
    // The index may still list a person who is deleted.
    if (items.length === 0) continue;
    await deleteSome(table, items);
    return true;
  }
  return more;
}

/** Deletes some of the memberships of a deleted list that these people have. */
export async function purgeMemberships(table: Table, people: store.Person[], list: string): Promise<void> {
  await deleteSome(table, await store.memberships(table, people, list));
}

/** Deletes some of the trigger rows in a column of a deleted list; true where there may be more. */
export async function purgeRows(table: Table, list: string, column: string): Promise<boolean> {
  const { items, more } = await page(table, triggerPartition(list, column), '');
  await writeAll(table, { removes: items.map(({ PK, SK }) => ({ PK: String(PK), SK: String(SK) })) });
  return more;
}

/**
 * Deletes the first items, with their trigger rows, up to what one call may. By a membership its rows are found, by the
 * head the person: each is deleted after what it leads to, so that the next purge finds what a crash leaves behind.
 */
async function deleteSome(table: Table, items: store.InPartition[]): Promise<void> {
  const keys: Key[] = [];
  const rows: Key[] = [];
  for (const { PK, SK, list_id, metadata } of items) {
    const ofItem = list_id && metadata ? triggerRows(list_id, PK.split('#')[2] ?? '', metadata) : [];
    if (keys.length > 0 && keys.length + rows.length + ofItem.length >= MOST_DELETES) break;
    keys.push({ PK, SK });
    rows.push(...ofItem);
  }
  await writeAll(table, { removes: rows });
  await writeAll(table, { removes: keys.filter(({ SK }) => SK !== 'HEAD') });
  await writeAll(table, { removes: keys.filter(({ SK }) => SK === 'HEAD') });
}
