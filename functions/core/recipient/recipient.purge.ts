import { batchWrite, type Key, type Table } from '../table.store.ts';
import { HEAD, keyIn, type RecipientKey } from './recipient.key.ts';
import * as store from './recipient.store.ts';
import { triggerRows } from './trigger.store.ts';

// What one call deletes, in a few batches: between two calls the purge asks whether there is time for another one.
const MOST_DELETES = 100;

/** Deletes some of what is stored about the people of a deleted organization; true where there may be more. */
export async function purgePeople(table: Table, organization: number): Promise<boolean> {
  const { found, more } = await store.people(table, organization);
  for (const key of found) {
    const items = await store.lastItems(table, key, MOST_DELETES);
    // The index may still list a person who is deleted.
    if (items.length === 0) continue;
    await deleteSome(table, items);
    return true;
  }
  return more;
}

/** Deletes some of the memberships of a deleted list that these people have. */
export async function purgeMemberships(table: Table, keys: RecipientKey[], listId: string): Promise<void> {
  await deleteSome(table, await store.memberships(table, keys, listId));
}

/**
 * Deletes the first items, with their trigger rows, up to what one call may. By a membership its rows are found, by the
 * head the person: each is deleted after what it leads to, so that the next purge finds what a crash leaves behind.
 */
async function deleteSome(table: Table, items: store.InPartition[]): Promise<void> {
  const keys: Key[] = [];
  const rows: Key[] = [];
  for (const { PK, SK, list_id, metadata, created_at } of items) {
    const isMembership = list_id !== undefined && metadata && created_at !== undefined;
    const ofItem = isMembership ? triggerRows(keyIn(PK).hash, { list_id, metadata, created_at }) : [];
    if (keys.length > 0 && keys.length + rows.length + ofItem.length >= MOST_DELETES) break;
    keys.push({ PK, SK });
    rows.push(...ofItem);
  }
  await batchWrite(table, { deletes: rows });
  await batchWrite(table, { deletes: keys.filter(({ SK }) => SK !== HEAD) });
  await batchWrite(table, { deletes: keys.filter(({ SK }) => SK === HEAD) });
}
