import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import type * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as upsert from '#core/list/list-member/rows.ts';
import * as organization from '#core/organization/organization.ts';
import * as clickStore from '#core/recipient/journal.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipientPurge from '#core/recipient/recipient.purge.ts';
import * as recipient from '#core/recipient/recipient.ts';
import { batchWrite, get, queryPartition, type Table } from '#core/storage/table.store.ts';
import { newList } from '#test/support/core-list.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst, intercepted } from '#test/support/intercepted.ts';
import { actingIn, newUser } from '#test/support/people.ts';
import { counting, crashingInEachDelete, purgesOf } from '#test/support/purge.ts';

const table = freshTable();
const { message, round, purged, left } = purgesOf(table);
const now = new Date('2030-01-01T12:00:00Z');
const ANN = 'ann@example.com';
const DATES = { signed_up: '2030-03-01' };

let readers: list.CountedList;
const add = (on: Table, at = now, to = readers) =>
  upsert.upsertAll({ table: on, now: at }, to, [{ email: ANN, ...DATES }]);
const listJob = () => ({ organization_id: readers.organization_id, list_id: readers.id });

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
    for await (const _ of recipientPurge.purgePeople(on, job.organization_id));
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
      expect(await clickStore.writeClick(table, key, { seq: 2, ...click })).toBe(true);
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

  it('skips a deleted person whom the index still lists', async () => {
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
