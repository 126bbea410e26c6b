import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import * as columns from '#core/list/counts.ts';
import { listCounters } from '#core/list/counts.ts';
import * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as upsert from '#core/list/list-member/rows.ts';
import { PURGE_AFTER } from '#core/operations/purge.ts';
import * as organization from '#core/organization/organization.ts';
import { chunksOf } from '#core/parallel.ts';
import * as journal from '#core/recipient/journal.ts';
import * as memberships from '#core/recipient/membership.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipient from '#core/recipient/recipient.ts';
import { deliver } from '#core/sending/delivery/delivery.ts';
import { project } from '#core/storage/projection.ts';
import {
  batchWrite,
  deletePage,
  get,
  type Item,
  type Key,
  queryPartition,
  type Table,
} from '#core/storage/table.store.ts';
import type { Metadata } from '#shared/metadata.ts';
import { newList } from '#test/support/core-list.ts';
import { freshTable } from '#test/support/engine.ts';
import { dataUrl, png } from '#test/support/images.ts';
import { beforeFirst, failingOnce, INSERT, intercepted } from '#test/support/intercepted.ts';
import { actingIn, newUser } from '#test/support/people.ts';
import { projecting } from '#test/support/projecting.ts';
import { counting, crashingInEachDelete, purgesOf } from '#test/support/purge.ts';
import { newSender } from '#test/support/sending.ts';

const table = freshTable();
const { removedFiles, message, round, purged, left } = purgesOf(table);
const now = new Date('2030-01-01T12:00:00Z');
const ANN = 'ann@example.com';
const DATES = { signed_up: '2030-03-01' };

const add = (on: Table, at = now, to = readers) =>
  upsert.upsertAll({ table: on, now: at }, to, [{ email: ANN, ...DATES }]);

const listJob = () => ({ organization_id: readers.organization_id, list_id: readers.id });

const then = new Date(now.getTime() + PURGE_AFTER * 1000);
const SHARD = 'shard-1';

let readers: list.CountedList;
beforeEach(async () => {
  readers = await newList(table, now);
});
const removeList = () => list.remove({ table, now }, readers);
const jobKey = () => `PURGE LIST#${readers.organization_id}#${readers.id}`;
const memberKey = (email = ANN) =>
  `R#${readers.organization_id}#${recipientKey.hashOf(email)} IN#${readers.id}`;

let sequence = 100;
function count(before: Metadata | undefined, after: Metadata | undefined): Promise<void> {
  const membership = (metadata: Metadata | undefined) => metadata && { status: 'subscribed', metadata };
  const change = { list_id: readers.id, before: membership(before), after: membership(after) };
  const counters = listCounters(change);
  return project({ ...projecting, table, now }, SHARD, [
    { sequence: String(sequence++), counters, events: [] },
  ]);
}

describe('the purge of a list', () => {
  it('deletes all of it in one pass, and does nothing when its message comes again', async () => {
    await add(table);
    await count(undefined, DATES);
    await removeList();
    const asked = await message(listJob());
    expect(await left(readers.id)).toContain(jobKey());
    expect(await round(asked, then)).toEqual({ outcome: 'done', queued: [] });
    expect(await left(readers.id)).toEqual([]);
    expect(await round(asked, then)).toEqual({ outcome: 'obsolete', queued: [] });
  });

  it('queues another round where its time runs out', async () => {
    await add(table);
    await removeList();
    const asked = await message(listJob());
    expect(await round(asked, then, { mostPages: 1 })).toEqual({ outcome: 'continues', queued: [asked] });
    expect((await purged(listJob(), then, { mostPages: 1 })).at(-1)).toBe('done');
    expect(await left(readers.id)).toEqual([]);
  });

  it('ends the same where a message is delivered while another round runs', async () => {
    await add(table);
    await removeList();
    const asked = await message(listJob());
    for (const command of ['BatchWriteCommand', 'DeleteCommand', 'TransactWriteCommand']) {
      const meanwhile = beforeFirst(table, command, () => round(asked, then));
      expect((await round(asked, then, { on: meanwhile })).outcome).toBe('obsolete');
      expect(await left(readers.id)).toEqual([]);
    }
  });

  it('leaves a list that was asked for again to the later message', async () => {
    await add(table);
    await removeList();
    const first = await message(listJob());
    const late = new Date(now.getTime() + 10 * 60_000);
    await expect(list.requireNotDeleted({ table, now: late }, readers)).rejects.toThrow('not found');
    expect((await round(first, then)).outcome).toBe('obsolete');
    expect(await left(readers.id)).toContain(memberKey());
    expect(await purged(listJob(), then)).toEqual(['done']);
    expect(await left(readers.id)).toEqual([]);
  });

  it('loses no request that arrives as it ends', async () => {
    await removeList();
    const adding = () => upsert.upsertAll({ table, now: then }, readers, [{ email: ANN }]);
    const late = () => expect(adding()).rejects.toThrow('Email list not found');
    const on = beforeFirst(table, 'TransactWriteCommand', late);
    expect(await purged(listJob(), then, { on })).toEqual(['obsolete']);
    expect(await left(readers.id)).toContain(memberKey());
    expect(await purged(listJob(), then)).toEqual(['done']);
    expect(await left(readers.id)).toEqual([]);
  });

  it('deletes a member whose process died before it could request the purge again', async () => {
    await columns.insertColumns({ table, now }, readers.id, ['signed_up']);
    const meanwhile = beforeFirst(table, INSERT, removeList);
    await add(failingOnce(meanwhile, 'TransactWriteCommand', 'TimedOut')).catch(({ name }) =>
      expect(name).toBe('TimedOut'),
    );
    expect(await left(readers.id)).toContain(memberKey());
    await purged(listJob(), then);
    expect(await left(readers.id)).toEqual([]);
  });

  it('deletes a member who is added by hand meanwhile', async () => {
    const meanwhile = beforeFirst(table, INSERT, removeList);
    const fields = { email_list_id: readers.id, email: ANN, is_subscribed: true, metadata: DATES };
    const adding = listMember.add({ table: meanwhile, now }, readers.organization_id, fields);
    await expect(adding).rejects.toThrow('Email list not found');
    await purged(listJob(), then);
    expect(await left(readers.id)).toEqual([]);
  });

  describe('of a process that died between the trigger rows and the member', () => {
    const ben = [{ email: 'ben@example.com', ...DATES }];
    const dying = (on: Table) =>
      expect(upsert.upsertAll({ table: failingOnce(on, INSERT, 'Died'), now }, readers, ben));

    it('deletes the rows, though no member has a date in their column', async () => {
      await dying(table).rejects.toThrow('Died');
      expect(await left(recipientKey.hashOf('ben@example.com'))).toEqual([
        expect.stringContaining(`TRG#${readers.id}# `),
        expect.stringContaining(`TRG#${readers.id}#signed_up`),
      ]);
      await removeList();
      await purged(listJob(), then);
      expect(await left(readers.id)).toEqual([]);
    });

    it('deletes the rows, though they were written after the deletion', async () => {
      await dying(beforeFirst(table, 'BatchWriteCommand', removeList)).rejects.toThrow('Died');
      await purged(listJob(), then);
      expect(await left(readers.id)).toEqual([]);
    });
  });

  it('deletes the trigger row of a date that a member gets after their rows were deleted', async () => {
    await add(table);
    const key = recipientKey.keyOf(readers.organization_id, ANN);
    await removeList();
    const meanwhile = beforeFirst(table, 'DeleteCommand', () =>
      recipient.change({ table, now }, key, readers.id, state =>
        memberships.membershipChange(now, state, { metadata: { trial_ends: '2030-04-01' } }, 'app'),
      ),
    );
    expect(await purged(listJob(), then, { on: meanwhile })).toEqual(['done']);
    expect(await left(readers.id)).toEqual([]);
  });

  it('deletes a member while a transaction changes them', async () => {
    await add(table);
    await removeList();
    const on = failingOnce(table, 'DeleteCommand', 'TransactionConflictException');
    expect(await purged(listJob(), then, { on })).toEqual(['done']);
    expect(await left(readers.id)).toEqual([]);
  });

  it('deletes that a member has left, and keeps the journal of the person', async () => {
    const other = await newList(table, now, { organization: readers.organization_id });
    for (const of of [readers, other]) {
      await add(table, now, of);
      await recipient.leave({ table, now }, recipientKey.keyOf(of.organization_id, ANN), of.id, 'app');
    }
    expect(await left(readers.id)).toContain(memberKey());
    await removeList();
    await purged(listJob(), then);
    // Who left is noted for a day.
    const stored = (await left(readers.id)).filter(key => !/#STOPPED /.test(key));
    expect(stored).toEqual([expect.stringMatching(/ J#\d+$/)]);
    expect(await left(`IN#${other.id}`)).toHaveLength(1);
  });

  it('passes over deleted members that the index still lists', async () => {
    await add(table);
    await removeList();
    let listed: unknown;
    const stale = intercepted(table, async (send, { input }) => {
      if (!input.IndexName) return send();
      listed ??= await send();
      return listed;
    });
    expect(await purged(listJob(), then, { on: stale })).toEqual(['done']);
    expect(await left(readers.id)).toEqual([]);
  });

  it('leaves no column, whenever the projector counts meanwhile', async () => {
    await count(undefined, DATES);
    await removeList();
    // A batch is no transaction: each of its writes comes on its own.
    const counting = intercepted(table, async (send, { constructor: { name }, input }) => {
      if (name !== 'BatchWriteCommand') return send();
      for (const write of input.RequestItems?.[table.name] ?? []) {
        await count(undefined, DATES);
        input.RequestItems = { [table.name]: [write] };
        await send();
        await count(DATES, undefined);
      }
      return {};
    });
    expect(await purged(listJob(), then, { on: counting })).toEqual(['done']);
    expect(await left(readers.id)).toEqual([]);
  });

  it('still deletes the logo where it is requested again', async () => {
    const PNG = dataUrl(png(1, 1));
    const objects = { put: async () => {}, remove: async () => {}, deletePage: async () => false };
    const meanwhile = beforeFirst(table, INSERT, async () => {
      await list.changeLogo({ table, now, objects }, readers, PNG);
      await removeList();
    });
    await expect(add(meanwhile)).rejects.toThrow('Email list not found');
    await purged(listJob(), then);
    expect(removedFiles[0]).toMatch(/^files\//);
  });

  it('deletes the rest after its process died in any request', async () => {
    const members = ['ann', 'ben', 'cleo'].map(name => ({ email: `${name}@example.com`, ...DATES }));
    const deaths = await crashingInEachDelete(table, {
      async fill() {
        readers = await newList(table, now);
        await upsert.upsertAll({ table, now }, readers, members);
        await count(undefined, DATES);
        await removeList();
      },
      purge: on => purged(listJob(), then, { on }),
      async finish() {
        await purged(listJob(), then);
        expect(await left(readers.id)).toEqual([]);
      },
    });
    // Counts, a batch of trigger rows, three memberships, the column, and the end of the job.
    expect(deaths).toBe(7);
  });

  it('asks after each page of members whether it has time', async () => {
    const members = Array.from({ length: 101 }, (_, at) => ({ email: `reader${at}@example.com` }));
    await upsert.upsertAll({ table, now }, readers, members.slice(0, 100));
    await upsert.upsertAll({ table, now }, readers, members.slice(100));
    await removeList();
    const { on, requests } = counting(table, /^Delete/);
    const asked = await message(listJob());
    const deleted: number[] = [];
    for (let outcome = ''; outcome !== 'done'; deleted.push(requests())) {
      ({ outcome } = await round(asked, then, { on, mostPages: 1 }));
    }
    expect(deleted).toEqual([100, 1, 0]);
    expect(await left(readers.id)).toEqual([]);
  });
});

describe('the purge of an organization', () => {
  let owner: Awaited<ReturnType<typeof newUser>>;
  let job: { organization_id: number };
  beforeEach(async () => {
    owner = await newUser(table, now);
    const { id } = await organization.create({ table, now }, owner.id, 'Post office');
    job = { organization_id: id };
    readers = await newList(table, now, { organization: id });
    await add(table);
  });

  const removeOrganization = async () =>
    organization.remove({ table, now }, await actingIn(table, owner.id, job.organization_id));
  const subscribe = async (is_subscribed: boolean, on: Table = table) => {
    const member = recipientKey.memberId(readers.id, recipientKey.hashOf(ANN));
    const found = await listMember.find({ table }, job.organization_id, member);
    return listMember.change({ table: on, now }, found, { is_subscribed });
  };
  const partition = () => `R#${job.organization_id}#${recipientKey.hashOf(ANN)}`;
  const itemsLeft = async () => {
    const { Count = 0 } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'PK = :pk',
        ExpressionAttributeValues: { ':pk': partition() },
        ConsistentRead: true,
        Select: 'COUNT',
      }),
    );
    return Count;
  };
  const writeJournal = (from: number, to: number) =>
    batchWrite(table, {
      puts: Array.from({ length: to - from }, (_, at) => {
        const seq = from + at;
        return { PK: partition(), SK: `J#${9_999_999_999 - seq}`, seq, type: 'sent', at: now.toISOString() };
      }),
    });

  const purgePeople = async (on: Table) => {
    for await (const _ of recipient.purgePeople(on, job.organization_id));
  };

  it('leaves nothing of a person who is unsubscribed as it is deleted', async () => {
    await subscribe(false, beforeFirst(table, 'TransactWriteCommand', removeOrganization));
    await purged(job, now);
    await purged(listJob(), now);
    expect(await left(`R#${job.organization_id}#`)).toEqual([]);
    expect(await left(`ORG#${job.organization_id}`)).toEqual([]);
  });

  it('finds what is added to a person who is subscribed again just before their membership is deleted', async () => {
    await subscribe(false);
    await purgePeople(beforeFirst(table, 'BatchWriteCommand', () => subscribe(true)));
    expect(await left(`R#${job.organization_id}#`)).toEqual([]);
  });

  it('finds a click that is stored just before its email is deleted', async () => {
    await subscribe(false);
    const claim = { seq: 2, type: 'send', list_id: readers.id, at: now.toISOString() };
    await batchWrite(table, { puts: [{ PK: partition(), SK: `J#${9_999_999_999 - 2}`, ...claim }] });
    const key = { organization: job.organization_id, hash: recipientKey.hashOf(ANN) };
    const click = {
      url: 'https://example.com/',
      part: 'cta_url',
      by: 'person',
      at: now.toISOString(),
    } as const;
    const meanwhile = beforeFirst(table, 'BatchWriteCommand', async () => {
      expect(await journal.writeClick(table, key, { seq: 2, ...click })).toBe(true);
    });
    await purgePeople(meanwhile);
    expect(await left(`R#${job.organization_id}#`)).toEqual([]);
  });

  it('deletes a long journal in several rounds, and the head of the person last', async () => {
    await subscribe(false);
    await writeJournal(2, 600);
    await removeOrganization();
    const { on, requests } = counting(table, /BatchWrite/);
    let rounds = 0;
    for (let before = await itemsLeft(); before > 0; rounds++) {
      expect(await get(table, { PK: partition(), SK: 'HEAD' })).toBeDefined();
      expect((await round(await message(job), now, { on, mostPages: 1 })).outcome).toBe('continues');
      expect(requests()).toBeLessThanOrEqual(12);
      const after = await itemsLeft();
      expect(after).toBeLessThan(before);
      before = after;
    }
    expect(rounds).toBe(4);
    await purged(job, now, { mostPages: 1 });
    await purged(listJob(), now, { mostPages: 1 });
    expect(await left(readers.id)).toEqual([]);
  });

  it('deletes the rest of a person after its process died in any request', async () => {
    const other = await newList(table, now, { organization: job.organization_id });
    const deaths = await crashingInEachDelete(table, {
      async fill() {
        await add(table);
        await add(table, now, other);
        await subscribe(false);
        await writeJournal(2, 60);
      },
      purge: purgePeople,
      async finish() {
        await purgePeople(table);
        expect(await left(`R#${job.organization_id}#`)).toEqual([]);
        expect(await left(`TRG#${other.id}`)).toEqual([]);
      },
    });
    // A batch of trigger rows, three of memberships and the journal, and the head.
    expect(deaths).toBe(5);
  });

  it('skips a deleted person that the index still lists', async () => {
    const ben = 'ben@example.com';
    await upsert.upsertAll({ table, now }, readers, [{ email: ben }]);
    await Promise.all([ANN, ben].map(email => recipient.erase({ table, now }, job.organization_id, email)));
    let listed: unknown;
    const stale = intercepted(table, async (send, { input }) => {
      if (!input.IndexName) return send();
      listed ??= await send();
      return listed;
    });
    await purgePeople(stale);
    expect(await left(`R#${job.organization_id}#`)).toEqual([]);
  });

  it('deletes its lists a page at a time, each with a purge of its own', async () => {
    for (let at = 0; at < 30; at++) await newList(table, now, { organization: job.organization_id });
    await removeOrganization();
    const jobs = async () => (await queryPartition(table, 'PURGE', `LIST#${job.organization_id}#`)).length;
    expect((await round(await message(job), now, { mostPages: 1 })).outcome).toBe('continues');
    expect(await jobs()).toBe(25);
    await purged(job, now, { mostPages: 1 });
    expect(await jobs()).toBe(31);
    expect(await queryPartition(table, `ORG#${job.organization_id}`, 'LIST#')).toEqual([]);
  });
});

const start = Date.parse('2030-01-01T12:00:00Z');
const BEN = 'ben@example.com';
const HOUR = 60 * 60_000;
const WRITES = /^(Put|Update|Delete|TransactWrite|BatchWrite)Command$/;

/** An organization with a pack for two people, one of whom has unsubscribed since: to be claimed, and to be skipped. */
async function withPack(now: Date) {
  const owner = await newUser(table, now);
  const { id } = await organization.create({ table, now }, owner.id, 'Post office');
  const acting = () => actingIn(table, owner.id, id);
  const sender = await newSender(table, now, await acting());
  const readers = await sender.newList();
  const automation = await sender.newAutomation({ email_list_ids: [readers.id] });
  await sender.newTemplate([automation.id]);
  for (const email of [ANN, BEN]) await sender.add(readers, email);
  sender.at(new Date(now.getTime() + 2 * 60_000));
  await sender.sweep();
  const ben = await listMember.find(
    { table },
    id,
    recipientKey.memberId(readers.id, recipientKey.hashOf(BEN)),
  );
  await listMember.change({ table, now }, ben, { is_subscribed: false });
  const [{ pack } = { pack: undefined }] = sender.queue;
  if (!pack) throw new Error('Nothing is due');
  const remove = async () => organization.remove({ table, now }, await acting());
  return { id, list_id: readers.id, needs: sender.needs, pack, remove };
}

it('nothing is left of what a sender writes that had read the organization before its deletion, whenever that was', async () => {
  const kinds = new Set<string>();
  let deleted = 0;
  for (let at = 1; at === deleted + 1; at++) {
    const now = new Date(start + at * HOUR);
    const { id, list_id, needs, pack, remove } = await withPack(now);
    let writes = 0;
    const on = intercepted(table, async (send, { constructor: { name } }) => {
      if (WRITES.test(name) && ++writes === at) {
        await remove();
        deleted++;
      }
      return send();
    });
    await deliver({ ...needs, table: on }, pack);
    if (deleted < at) await remove();
    for (const of of ['LOG', 'SKIPS', 'PACKS'])
      for (const { SK } of await queryPartition(table, `ORG#${id}#${of}`))
        kinds.add(/#[M]$/.exec(String(SK))?.[0] ?? of);
    const key = recipientKey.keyOf(id, ANN);
    const link = { url: 'https://example.com/', part: 'cta_url', by: 'person' } as const;
    const click = () => journal.writeClick(table, key, { seq: 1, at: now.toISOString(), ...link });
    if (await click()) kinds.add('click');
    await purged({ organization_id: id }, now);
    await purged({ organization_id: id, list_id }, now);
    expect(await click()).toBe(false);
    await deliver(needs, pack);
    for (const text of [`R#${id}#`, `ORG#${id}#`, `ORG#${id}"`, list_id])
      expect(await left(text)).toEqual([]);
  }
  // The skip, the head of a person, the claim, the batch, its end: each was written after the deletion.
  expect(deleted).toBeGreaterThanOrEqual(5);
  expect([...kinds].sort()).toEqual(['#M', 'LOG', 'PACKS', 'SKIPS', 'click']);
});

describe('The requests of a purge', () => {
  const table = freshTable({ anyItems: true });
  const { purged, left } = purgesOf(table);
  const now = new Date('2030-01-08T12:00:00Z');
  const DAY = 24 * 60 * 60_000;
  const PEOPLE = 104;

  const emails = Array.from({ length: PEOPLE }, (_, at) => `reader${at}@example.com`);

  async function fill(on: list.CountedList): Promise<void> {
    for (const some of chunksOf(emails, 50)) {
      await upsert.upsertAll(
        { table, now },
        on,
        some.map(email => ({ email, signed_up: '2030-03-01' })),
      );
    }
  }

  /** The head, the journal and the clicks of somebody who was mailed each day for a week. */
  function week(of: number, list_id: string, email: string): (Item & Key)[] {
    const key = recipientKey.keyOf(of, email);
    const PK = `R#${of}#${key.hash}`;
    const claims = Array.from({ length: 7 }, (_, at) => ({
      ...journal.entryKey(key, at + 1),
      seq: at + 1,
      type: 'send',
      at: new Date(now.getTime() - at * DAY).toISOString(),
      list_id,
      automation_id: 'daily',
      key: `daily#${at}`,
      batch: 'b',
      combination: 'c',
    }));
    const clicks = [1, 3].map(seq => ({ PK, SK: `T#000000000${seq}#link`, url: 'https://example.com/' }));
    return [{ PK, SK: 'HEAD', email, GSI1PK: `ORG#${of}`, GSI1SK: email }, ...claims, ...clicks];
  }

  it('deleting the people of an organization takes at most four requests a person', async () => {
    const owner = await newUser(table, now);
    const { id } = await organization.create({ table, now }, owner.id, 'Post office');
    const lists = [
      await newList(table, now, { organization: id }),
      await newList(table, now, { organization: id }),
    ];
    for (const of of lists) await fill(of);
    await batchWrite(table, { puts: emails.flatMap(email => week(id, lists[0]?.id ?? '', email)) });
    await organization.remove({ table, now }, await actingIn(table, owner.id, id));
    const { on, requests } = counting(table);
    expect(await purged({ organization_id: id }, now, { on })).toEqual(['done']);
    const each = requests() / PEOPLE;
    expect(each).toBeLessThanOrEqual(4);
    expect(each).toBeGreaterThan(2);
    for (const of of lists) await purged({ organization_id: id, list_id: of.id }, now);
    expect(await left(`R#${id}#`)).toEqual([]);
    for (const of of lists) expect(await left(of.id)).toEqual([]);
  });

  it('deleting the members of a list takes at most four requests a member, no more than 25 of them at once', async () => {
    const readers = await newList(table, now);
    await fill(readers);
    await list.remove({ table, now }, readers);
    let [requests, underWay, most] = [0, 0, 0];
    const on = intercepted(table, async send => {
      requests++;
      most = Math.max(most, ++underWay);
      const answer = await send();
      underWay--;
      return answer;
    });
    const job = { organization_id: readers.organization_id, list_id: readers.id };
    expect(await purged(job, now, { on })).toEqual(['done']);
    expect(requests / PEOPLE).toBeLessThanOrEqual(1.5);
    expect(most).toBe(25);
    expect(await left(readers.id)).toEqual([]);
  });

  it('deleting any other partition takes a read for many items, and a write for 25', async () => {
    const puts = Array.from({ length: 130 }, (_, at) => ({ PK: 'MANY', SK: `A${at}`, text: 'text' }));
    await batchWrite(table, { puts: [...puts, { PK: 'MANY', SK: 'B', text: 'another prefix' }] });
    const { on, requests } = counting(table);
    expect(await deletePage(on, 'MANY', 'A')).toBe(false);
    expect(requests()).toBe(7);
    expect(await left('MANY')).toEqual(['MANY B']);
  });
});
