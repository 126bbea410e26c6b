import { inParallel } from '../../parallel.ts';
import { batchWrite, getAll, type Table } from '../../storage/table.store.ts';
import { deleteMembership } from './membership.store.ts';
import { HEAD, keyIn, leftIndex, MEMBERSHIP, membersIndex, peopleIndex } from './recipient.key.ts';
import * as store from './recipient.store.ts';
import { triggerRows } from './trigger.store.ts';

// What one call deletes, in a few batches: between two calls the purge asks whether there is time for another one.
const MOST_DELETES = 100;
const MOST_AT_ONCE = 20;

/** Deletes some of what is stored about the people of a deleted organization; true where there may be more. */
export async function purgePeople(table: Table, organization: number): Promise<boolean> {
  const { found, more } = await store.indexPage(table, peopleIndex(organization));
  for (const { PK } of found) {
    const items = await store.lastItems(table, keyIn(PK), MOST_DELETES);
    // The index may still list a person who is deleted.
    if (items.length === 0) continue;
    await deleteSome(table, items);
    return true;
  }
  return more;
}

/** Deletes some of the memberships of a deleted list, also of those that have ended; true where there may be more. */
export async function purgeMemberships(table: Table, listId: string): Promise<boolean> {
  for (const index of [membersIndex(listId), leftIndex(listId)]) {
    const { found } = await store.indexPage(table, index);
    if (found.length === 0) continue;
    await deleteSome(table, (await getAll(table, found)) as store.InPartition[]);
    return true;
  }
  return false;
}

/**
 * Deletes the first items, with their trigger rows, up to what one call may. By a membership its rows are found, by the
 * head the person: each is deleted after what it leads to, so that the next purge finds what a crash leaves behind. A
 * membership that is changed meanwhile stays, since it may have other rows by now.
 */
async function deleteSome(table: Table, items: store.InPartition[]): Promise<void> {
  const some: store.InPartition[] = [];
  const rows = [];
  for (const item of items) {
    const ofItem = triggersOf(item);
    if (some.length > 0 && some.length + rows.length + ofItem.length >= MOST_DELETES) break;
    some.push(item);
    rows.push(...ofItem);
  }
  await batchWrite(table, { deletes: rows });
  const { memberships = [], heads = [], entries = [] } = Object.groupBy(some, kindOf);
  await inParallel(memberships, MOST_AT_ONCE, item => deleteMembership(table, item));
  await batchWrite(table, { deletes: entries.map(keyOnly) });
  // Until its claims are gone a click may be stored: the head goes where it is all there is.
  if (heads.length === some.length) await batchWrite(table, { deletes: heads.map(keyOnly) });
}

const kindOf = ({ SK }: store.InPartition) =>
  SK === HEAD ? 'heads' : SK.startsWith(MEMBERSHIP) ? 'memberships' : 'entries';

const keyOnly = ({ PK, SK }: store.InPartition) => ({ PK, SK });

const triggersOf = ({ PK, list_id, metadata, created_at }: store.InPartition) =>
  list_id !== undefined && metadata && created_at !== undefined
    ? triggerRows(keyIn(PK).hash, { list_id, metadata, created_at })
    : [];
