import { expect, it } from 'vitest';
import * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/rows.ts';
import * as organization from '#core/organization/organization.ts';
import { ITEMS, KINDS, kindsOf } from '#core/storage/items/items.ts';
import { project } from '#core/storage/projection.ts';
import type * as purge from '#core/storage/purge-request.ts';
import { type Item, queryPartition, type Table } from '#core/storage/table.store.ts';
import { contributionsOf } from '#functions/stream/contributions.ts';
import { createList, newList } from '#test/support/core-list.ts';
import { crashing, crashingAtEachWrite, survives } from '#test/support/crash.ts';
import { freshTable } from '#test/support/engine.ts';
import {
  exerciseAutomations,
  exerciseContent,
  exerciseMembers,
  exercisePeople,
  exerciseSending,
  exerciseSettings,
} from '#test/support/exercise.ts';
import { exerciseImports } from '#test/support/exercise-imports.ts';
import { exerciseWebhooks } from '#test/support/exercise-webhooks.ts';
import { actingIn, newUser } from '#test/support/people.ts';
import { projecting } from '#test/support/projecting.ts';
import { extent, PROVE } from '#test/support/prove.ts';
import { purgesOf } from '#test/support/purge.ts';
import { allItems } from '#test/support/scan.ts';
import { streamOf } from '#test/support/stream.ts';

const table = freshTable();
const written = streamOf(table);
const now = new Date('2030-01-01T12:00:00Z');

const files = new Set<string>();
const objects = {
  put: async (name: string) => void files.add(name),
  remove: async (name: string) => void files.delete(name),
  deletePage: async (below: string) => {
    for (const name of files) if (name.startsWith(below)) files.delete(name);
    return false;
  },
};
const { purged } = purgesOf(table, objects);

const kindOf = ({ PK, SK }: Item) => {
  const [name] = kindsOf({ PK: String(PK), SK: String(SK) });
  if (!name) throw new Error(`${PK} ${SK} is of no kind`);
  return name;
};
const isPurgedWith = (item: Item | undefined, what: 'organization' | 'list') =>
  item !== undefined && (ITEMS[kindOf(item)].purged as readonly string[]).includes(what);
const seen = new Set<string>();

async function everything(): Promise<Map<string, Item>> {
  const items = new Map<string, Item>();
  for (const item of await allItems(table)) {
    items.set(`${item.PK} ${item.SK}`, item);
    seen.add(kindOf(item));
  }
  return items;
}

/** Counts what the stream has; in a proof, in processes that die. */
async function countAll(): Promise<void> {
  const shards = await written();
  const count = async (on: Table) => {
    for (const { shard, records } of shards) {
      const counted = await contributionsOf({ table: on, now }, records);
      await project({ ...projecting, table: on, now }, shard, counted);
    }
  };
  if (PROVE) await crashingAtEachWrite(table, async () => shards, count);
  else await count(table);
}

const HOWS = ['before', 'within', 'after'] as const;
/** From one death to the next. In a proof, each write has its own. */
const WRITES_BETWEEN = extent(40, 1);

/** Runs all purges, also those that they request, each message in processes that die some writes later each time. */
async function purgeAll(): Promise<void> {
  for (;;) {
    const jobs = (await queryPartition(table, 'PURGE')) as unknown as purge.Job[];
    if (jobs.length === 0) return;
    for (const job of jobs) {
      let deaths = 0;
      const work = () =>
        purged(job, now, {
          on: crashing(table, { at: 1 + deaths * WRITES_BETWEEN, how: HOWS[deaths % 3] ?? 'before' }),
        });
      while (!(await survives(work()))) deaths++;
    }
    await countAll();
  }
}

/** What may stay of an organization that has been purged, and how. */
const STAYING: [RegExp, object][] = [
  [/^CHECKPOINT#/, { ttl: expect.any(Number) }],
  [/^RATE#/, { ttl: expect.any(Number) }],
  // The purge of an organization finds people by their memberships and journals, and not by these keys.
  [/ KEY#/, { ttl: expect.any(Number) }],
  // The mails to an address, or of a user, count in whatever organization.
  [/ MAILS$/, { ttl: expect.any(Number) }],
  [/^USER#\S+ JOINED$/, { organizations: 0 }],
  // Nobody else ever gets a domain that is in links of emails that were sent.
  [/^TRACKING#\S+ OWNER$/, { organization_id: expect.any(Number) }],
  [/^SWEEP#000000 STATE$/, { swept_minute: expect.any(String) }],
  [/^COUNTER ORGANIZATION$/, { last_id: expect.any(Number) }],
  // Links of sent emails have the domain: nobody else gets it.
  [/^TRACKING#link\d+\.example\.com OWNER$/, { organization_id: expect.any(Number) }],
];
const staying = (key: string) => STAYING.find(([of]) => of.test(key))?.[1];

it('nothing is left of an organization and its lists, wherever a process died in their lives and in their purge', async () => {
  const [owner, neighbour] = [await newUser(table, now), await newUser(table, now)];
  const guests = await Promise.all(Array.from({ length: 20 }, () => newUser(table, now)));
  const other = await newList(table, now, { organization: neighbour.organizationId });
  await listMember.upsertAll({ table, now }, other, [
    { email: 'reader1@example.com', signed_up: '2030-03-01' },
  ]);
  await countAll();
  const before = await everything();
  const addedItems = async () => [...(await everything())].filter(([key]) => !before.has(key));

  const { id } = await organization.create({ table, now }, owner.id, 'Post office');
  const needs = { table, objects, now };
  const acting = () => actingIn(table, owner.id, id);
  await exercisePeople(needs, id, owner, guests);
  await exerciseSettings(needs, id, owner);
  await exerciseContent(needs, id, owner);
  const newLists = async () => [
    await createList(table, now, await acting()),
    await createList(table, now, await acting()),
  ];
  const [gone, kept] = [await newLists(), await newLists()];
  await exerciseAutomations(needs, [...gone, ...kept]);
  await exerciseMembers(needs, [...gone, ...kept]);
  await exerciseImports(needs, [...gone, ...kept]);
  await exerciseWebhooks(needs, [...gone, ...kept]);
  await countAll();
  const keysOf = async (lists: list.CountedList[]) =>
    (await addedItems())
      .filter(([key, item]) => isPurgedWith(item, 'list') && lists.some(of => key.includes(of.id)))
      .map(([key]) => key);

  const ofKept = await keysOf(kept);
  expect((await keysOf(gone)).length).toBeGreaterThan(100);
  for (const of of gone) await list.remove({ table, now }, of);
  await purgeAll();
  expect(await keysOf(gone)).toEqual([]);
  expect(await keysOf(kept)).toEqual(ofKept);

  await exerciseSending(needs, await acting());
  await countAll();
  await organization.remove({ table, now }, await acting());
  await everything();
  await purgeAll();
  const after = await everything();
  const all = await addedItems();
  expect(all.filter(([, item]) => isPurgedWith(item, 'organization'))).toEqual([]);
  expect(all.filter(([key]) => !staying(key))).toEqual([]);
  for (const [key, item] of before) if (!staying(key)) expect(after.get(key)).toEqual(item);
  for (const [key, item] of after) if (staying(key)) expect(item, key).toMatchObject(staying(key) ?? {});
  expect(files).toEqual(new Set());
  // Nothing says that it is purged that was not there to be purged.
  const purged = KINDS.filter(([, { purged }]) =>
    purged.some(what => what === 'organization' || what === 'list'),
  );
  expect(purged.map(([name]) => name).filter(name => !seen.has(name))).toEqual([]);
}, 600_000);
