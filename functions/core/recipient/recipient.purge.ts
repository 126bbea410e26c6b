import { inParallel } from '#core/parallel.ts';
import { deleteAll, getAll, type Key, MOST_IN_FLIGHT, type Table } from '#core/storage/table.store.ts';
import { deleteMembership } from './membership.ts';
import { keyIn, leftIndex, membersIndex, peopleIndex } from './recipient.key.ts';
import * as store from './recipient.store.ts';
import { triggerRows } from './trigger.ts';

/**
 * People are found by their heads, which are deleted last, so that the next process finds everybody whom one that died has
 * left. A click may be stored as long as its claim exists, so each person is read again until nothing is found.
 */
export async function* purgePeople(table: Table, organization: number): AsyncGenerator<undefined, void> {
  for await (const heads of store.indexPages(table, peopleIndex(organization))) {
    for (let people = heads; people.length > 0; ) {
      const found = await inParallel(people, MOST_IN_FLIGHT, ({ PK }) => store.belowHead(table, PK));
      await deleteWithTriggers(table, found.flat());
      people = people.filter((_, index) => found[index]?.length);
      if (people.length > 0) yield;
    }
    await deleteAll(table, heads);
    yield;
  }
}

/** Trigger rows are deleted before the memberships that tell their keys. */
async function deleteWithTriggers(table: Table, items: store.InPartition[]): Promise<void> {
  await deleteAll(table, items.flatMap(triggersOf));
  await deleteAll(table, items);
}

/** Also those that have ended. */
export async function* purgeMemberships(table: Table, listId: string): AsyncGenerator<undefined, void> {
  for (const index of [membersIndex(listId), leftIndex(listId)]) {
    for await (const page of store.indexPages(table, index)) {
      for (let keys = page; keys.length > 0; yield) keys = await deleteUnchanged(table, keys);
    }
  }
}

/** Returns those that have changed meanwhile, since they may have other trigger rows by now. */
async function deleteUnchanged(table: Table, keys: Key[]): Promise<Key[]> {
  const items = (await getAll(table, keys)) as store.InPartition[];
  await deleteAll(table, items.flatMap(triggersOf));
  const isDeleted = await inParallel(items, MOST_IN_FLIGHT, item => deleteMembership(table, item));
  return items.filter((_, index) => !isDeleted[index]).map(({ PK, SK }) => ({ PK, SK }));
}

const triggersOf = ({ PK, list_id, metadata, created_at }: store.InPartition) =>
  list_id !== undefined && metadata && created_at !== undefined
    ? triggerRows(keyIn(PK).hash, { list_id, metadata, created_at })
    : [];
