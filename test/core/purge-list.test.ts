import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { listCounters } from '../../functions/core/list/list.counters.ts';
import * as list from '../../functions/core/list/list.ts';
import * as listMember from '../../functions/core/list-member/list-member.ts';
import * as organization from '../../functions/core/organization/organization.ts';
import { project } from '../../functions/core/projection/projection.ts';
import * as recipient from '../../functions/core/recipient/recipient.ts';
import { batchWrite, get, queryPartition, type Table } from '../../functions/core/table.store.ts';
import type { Metadata } from '../../shared/metadata.ts';
import { between, refusing, through } from '../support/between.ts';
import { newList } from '../support/core-list.ts';
import { Died } from '../support/cut.ts';
import { freshTable } from '../support/engine.ts';
import { dataUrl, png } from '../support/images.ts';
import { actingIn, newUser } from '../support/people.ts';
import { countingDeletes, dyingInBatch, purgesOf } from '../support/purge.ts';

const table = freshTable();
const { removedFiles, round, purged, left } = purgesOf(table);
const now = new Date('2030-01-01T12:00:00Z');
const afterWait = new Date(now.getTime() + 2 * 60_000);
const ANN = 'ann@example.com';
const DATES = { signed_up: '2030-03-01' };
const SHARD = 'shard-1';

let readers: list.Found;
beforeEach(async () => {
  readers = await newList(table, now);
});

const add = (on: Table, at = now, to = readers) =>
  listMember.upsertAll({ table: on, now: at }, to, [{ email: ANN, ...DATES }]);
const removeList = () => list.remove({ table, now }, readers);

const listJob = () => ({ organization_id: readers.organization_id, list_id: readers.id });

let sequence = 100;
/** Counts a member who was added with these dates, or removed, as the projector does. */
function count(before: Metadata | undefined, after: Metadata | undefined): Promise<void> {
  const membership = (metadata: Metadata | undefined) => metadata && { status: 'subscribed', metadata };
  const change = { list_id: readers.id, before: membership(before), after: membership(after) };
  const counters = listCounters(change);
  const publish = async () => {};
  return project({ table, now, publish }, SHARD, [{ sequence: String(sequence++), counters, events: [] }]);
}

describe('the purge of a list', () => {
  it('waits after its first pass, and ends with another one two minutes after its request', async () => {
    await add(table);
    await count(undefined, DATES);
    await removeList();
    expect(await round(listJob(), now)).toEqual({ outcome: 'waits', waits: [120] });
    expect(await left(readers.id)).toEqual([`PURGE LIST#${readers.organization_id}#${readers.id}`]);
    const almost = new Date(afterWait.getTime() - 500);
    expect(await round(listJob(), almost)).toEqual({ outcome: 'waits', waits: [1] });
    expect(await round(listJob(), afterWait)).toEqual({ outcome: 'done', waits: [] });
    expect(await left(readers.id)).toEqual([]);
    expect(await round(listJob(), afterWait)).toEqual({ outcome: 'done', waits: [] });
  });

  it('is not begun again by a round that another one has overtaken', async () => {
    await add(table);
    await removeList();
    const overtaken = between(table, 'TransactWriteCommand', () => purged(listJob(), now));
    expect((await round(listJob(), now, { on: overtaken, mostSteps: 1 })).outcome).toBe('continues');
    expect(await left(readers.id)).toEqual([]);
  });

  it('loses no request that arrives as it ends', async () => {
    await removeList();
    await round(listJob(), now);
    const late = () => expect(add(table, afterWait)).rejects.toThrow('Email list not found');
    const last = await round(listJob(), afterWait, { on: between(table, 'TransactWriteCommand', late) });
    expect(last.outcome).not.toBe('done');
    await purged(listJob(), afterWait);
    expect(await left(readers.id)).toEqual([]);
  });

  it('deletes a member whose process died before it could request the purge again', async () => {
    await list.insertColumns({ table, now }, readers.id, ['signed_up']);
    const meanwhile = between(table, 'PutCommand', async () => {
      await removeList();
      await round(listJob(), now);
    });
    await add(refusing(meanwhile, 'TransactWriteCommand', 'TimedOut')).catch(({ name }) =>
      expect(name).toBe('TimedOut'),
    );
    expect(await left(readers.id)).toContain(
      `R#${readers.organization_id}#${recipient.hashOf(ANN)} IN#${readers.id}`,
    );
    await purged(listJob(), now);
    expect(await left(readers.id)).toEqual([]);
  });

  it('deletes a member who is added by hand meanwhile', async () => {
    const meanwhile = between(table, 'PutCommand', async () => {
      await removeList();
      await purged(listJob(), now);
    });
    const fields = { email_list_id: readers.id, email: ANN, is_subscribed: true, metadata: DATES };
    const adding = listMember.add({ table: meanwhile, now: afterWait }, readers.organization_id, fields);
    await expect(adding).rejects.toThrow('Email list not found');
    await purged(listJob(), afterWait);
    expect(await left(readers.id)).toEqual([]);
  });

  it('deletes a trigger row whose process died before it wrote the member', async () => {
    await add(table);
    await count(undefined, DATES);
    const died = refusing(table, 'PutCommand', 'Died');
    const ben = [{ email: 'ben@example.com', ...DATES }];
    await expect(listMember.upsertAll({ table: died, now }, readers, ben)).rejects.toThrow('Died');
    expect(await left(recipient.hashOf('ben@example.com'))).toEqual([
      expect.stringContaining(`TRG#${readers.id}# `),
      expect.stringContaining(`TRG#${readers.id}#signed_up`),
    ]);
    await removeList();
    await purged(listJob(), now);
    expect(await left(readers.id)).toEqual([]);
  });

  it('deletes a member who is not in the index yet', async () => {
    await add(table);
    await removeList();
    const behind = through(table, async (send, { input }) => (input.IndexName ? { Items: [] } : send()));
    await round(listJob(), now, { on: behind });
    expect(await left(readers.id)).toHaveLength(2);
    await purged(listJob(), now);
    expect(await left(readers.id)).toEqual([]);
  });

  it('leaves no column, whenever the projector counts meanwhile', async () => {
    await count(undefined, DATES);
    await removeList();
    // A batch is no transaction: each of its writes comes on its own.
    const counting = through(table, async (send, { constructor: { name }, input }) => {
      if (name !== 'BatchWriteCommand') return send();
      for (const write of input.RequestItems?.[table.name] ?? []) {
        await count(undefined, DATES);
        input.RequestItems = { [table.name]: [write] };
        await send();
        await count(DATES, undefined);
      }
      return {};
    });
    await round(listJob(), now, { on: counting });
    expect((await round(listJob(), afterWait, { on: counting })).outcome).toBe('done');
    expect(await left(readers.id)).toEqual([]);
  });

  it('still deletes the logo where it is requested again', async () => {
    const PNG = dataUrl(png(1, 1));
    const objects = { put: async () => {}, remove: async () => {}, removeSome: async () => false };
    const meanwhile = between(table, 'PutCommand', async () => {
      await list.changeLogo({ table, objects }, readers, PNG);
      await removeList();
    });
    await expect(add(meanwhile)).rejects.toThrow('Email list not found');
    await purged(listJob(), now);
    expect(removedFiles[0]).toMatch(/^files\//);
  });

  it('deletes the rest after its process died in any batch', async () => {
    const members = ['ann', 'ben', 'cleo'].map(name => ({ email: `${name}@example.com`, ...DATES }));
    const deaths = await dyingInEachBatch({
      async fill() {
        readers = await newList(table, now);
        await listMember.upsertAll({ table, now }, readers, members);
        await count(undefined, DATES);
        await removeList();
      },
      purge: on => round(listJob(), now, { on }),
      async finish() {
        await purged(listJob(), now);
        expect(await left(readers.id)).toEqual([]);
      },
    });
    // Trigger rows, memberships, counts (twice), the column.
    expect(deaths).toBe(5);
  });

  it('deletes few items at a time where members have many dates, or a column many trigger rows', async () => {
    const dates = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`date_${at}`, '2030-03-01']));
    const members = ['ann', 'ben', 'cleo'].map(name => ({ email: `${name}@example.com`, ...dates }));
    await listMember.upsertAll({ table, now }, readers, members);
    await count(undefined, DATES);
    const orphans = Array.from({ length: 60 }, (_, at) => {
      return { PK: `TRG#${readers.id}#signed_up`, SK: `0000#2030-03-01#orphan${at}` };
    });
    await batchWrite(table, { puts: orphans });
    await removeList();
    const { on, deletes } = countingDeletes(table);
    const deleted: number[] = [];
    for (let outcome = ''; outcome !== 'waits'; deleted.push(deletes())) {
      ({ outcome } = await round(listJob(), now, { on, mostSteps: 1 }));
    }
    expect(Math.max(...deleted)).toBeLessThanOrEqual(100);
    expect(deleted.length).toBeGreaterThanOrEqual(5);
    expect(await left(readers.id)).toEqual([`PURGE LIST#${readers.organization_id}#${readers.id}`]);
  });
});

type Work = {
  fill: () => Promise<void>;
  purge: (on: Table) => Promise<unknown>;
  finish: () => Promise<void>;
};

/** Purges with a process that dies in its first BatchWriteItem, then in its second, until a run completes. */
async function dyingInEachBatch({ fill, purge, finish }: Work): Promise<number> {
  for (let deaths = 0; ; deaths++) {
    await fill();
    const isDone = await purge(dyingInBatch(table, deaths + 1)).then(
      () => true,
      error => {
        expect(error).toBeInstanceOf(Died);
        return false;
      },
    );
    await finish();
    if (isDone) return deaths;
  }
}

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
  const unsubscribe = async (on = table as Table) => {
    const member = recipient.memberId(readers.id, recipient.hashOf(ANN));
    const found = await listMember.find({ table }, job.organization_id, member);
    return listMember.change({ table: on, now }, found, { is_subscribed: false });
  };
  const partition = () => `R#${job.organization_id}#${recipient.hashOf(ANN)}`;
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

  it('leaves nothing of a person who is unsubscribed during it', async () => {
    const meanwhile = between(table, 'TransactWriteCommand', async () => {
      await removeOrganization();
      expect((await round(job, now)).outcome).toBe('waits');
    });
    await unsubscribe(meanwhile);
    await purged(listJob(), now);
    expect(await left(`R#${job.organization_id}#`)).toHaveLength(2);
    await purged(job, now);
    expect(await left(`R#${job.organization_id}#`)).toEqual([]);
    expect(await left(`ORG#${job.organization_id}`)).toEqual([]);
  });

  it('deletes a long journal in small steps, and the head of the person last', async () => {
    await unsubscribe();
    await writeJournal(2, 600);
    await removeOrganization();
    const { on, deletes } = countingDeletes(table);
    let rounds = 0;
    for (let before = await itemsLeft(); before > 0; rounds++) {
      expect(await get(table, { PK: partition(), SK: 'HEAD' })).toBeDefined();
      expect((await round(job, now, { on, mostSteps: 1 })).outcome).toBe('continues');
      expect(deletes()).toBeLessThanOrEqual(100);
      const after = await itemsLeft();
      expect(after).toBeLessThan(before);
      before = after;
    }
    expect(rounds).toBeGreaterThanOrEqual(6);
    await purged(job, now, { mostSteps: 1 });
    await purged(listJob(), now, { mostSteps: 1 });
    expect(await left(readers.id)).toEqual([]);
  });

  it('deletes the rest of a person after its process died in any batch', async () => {
    const other = await newList(table, now, { organization: job.organization_id });
    const purgePeople = async (on: Table) => {
      while (await recipient.purgePeople(on, job.organization_id));
    };
    const deaths = await dyingInEachBatch({
      async fill() {
        await add(table);
        await add(table, now, other);
        await unsubscribe();
        await writeJournal(2, 60);
      },
      purge: purgePeople,
      async finish() {
        await purgePeople(table);
        expect(await left(`R#${job.organization_id}#`)).toEqual([]);
        expect(await left(`TRG#${other.id}`)).toEqual([]);
      },
    });
    // Trigger rows, three batches of journal and memberships, and the head.
    expect(deaths).toBe(5);
  });

  it('skips a deleted person whom the index still lists', async () => {
    const ben = 'ben@example.com';
    await listMember.upsertAll({ table, now }, readers, [{ email: ben }]);
    await Promise.all([ANN, ben].map(email => recipient.erase({ table, now }, job.organization_id, email)));
    let listed: unknown;
    const stale = through(table, async (send, { input }) => {
      if (!input.IndexName) return send();
      listed ??= await send();
      return listed;
    });
    while (await recipient.purgePeople(stale, job.organization_id));
    expect(await left(`R#${job.organization_id}#`)).toEqual([]);
  });

  it('deletes its lists a page at a time, each with a purge of its own', async () => {
    for (let at = 0; at < 30; at++) await newList(table, now, { organization: job.organization_id });
    await removeOrganization();
    const jobs = async () => (await queryPartition(table, 'PURGE', `LIST#${job.organization_id}#`)).length;
    expect((await round(job, now, { mostSteps: 1 })).outcome).toBe('continues');
    expect(await jobs()).toBe(25);
    expect((await round(job, now, { mostSteps: 1 })).outcome).toBe('waits');
    expect(await jobs()).toBe(31);
    expect(await queryPartition(table, `ORG#${job.organization_id}`, 'LIST#')).toEqual([]);
  });
});
