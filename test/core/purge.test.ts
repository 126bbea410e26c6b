import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import * as list from '../../functions/core/list/list.ts';
import * as listMember from '../../functions/core/list-member/list-member.ts';
import * as organization from '../../functions/core/organization/organization.ts';
import { type Change, project } from '../../functions/core/projection/projection.ts';
import * as purge from '../../functions/core/purge/purge.ts';
import * as recipient from '../../functions/core/recipient/recipient.ts';
import type { Table } from '../../functions/core/table.store.ts';
import type { Metadata } from '../../shared/metadata.ts';
import { between, refusing, through } from '../support/between.ts';
import { newList } from '../support/core-list.ts';
import { freshTable } from '../support/engine.ts';
import { actingIn, newUser } from '../support/people.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');
const rested = new Date(now.getTime() + purge.REST);
const ANN = 'ann@example.com';
const DATES = { signed_up: '2030-03-01' };
const SHARD = 'shard-1';

let readers: list.Found;
beforeEach(async () => {
  readers = await newList(table, now);
});

const add = (on: Table, at = now) =>
  listMember.upsertAll({ table: on, now: at }, readers, [{ email: ANN, ...DATES }]);
const removeList = () => list.remove({ table, now }, readers);

const ofList = (on: Table): purge.Plan => ({
  steps: [
    ({ organization_id, list_id = '' }) => listMember.purgeSome(on, organization_id, list_id),
    ({ list_id = '' }) => listMember.purgeColumns(on, list_id),
  ],
  last: () => [],
});
const ofOrganization: purge.Plan = {
  steps: [
    ({ organization_id }) => organization.eraseMembers(table, organization_id),
    ({ organization_id }) => list.removeAll({ table, now }, organization_id),
    ({ organization_id }) => recipient.purgePeople(table, organization_id),
  ],
  last: ({ organization_id }) => [organization.eraseMetaWrite(table, organization_id)],
};

const listJob = () => ({ organization_id: readers.organization_id, list_id: readers.id });

// More than any purge here takes: one that would never end is seen to go on.
const MOST_STEPS = 50;

type Wanted = { on?: Table; job?: purge.Job; plan?: purge.Plan };

/** One round, and after how many seconds it asked for another one. */
async function round(at: Date, { on = table, job = listJob(), plan = ofList(on) }: Wanted = {}) {
  const waits: number[] = [];
  const later = async (_: purge.Job, seconds: number) => void waits.push(seconds);
  let steps = 0;
  const hasTime = () => ++steps < MOST_STEPS;
  const outcome = await purge.round({ table: on, now: at, hasTime, later }, job, plan);
  return { outcome, waits };
}

/** Rounds as they call each other, up to the last one. */
async function purged(from: Date, wanted: Wanted = {}): Promise<void> {
  let at = from;
  for (let rounds = 0; rounds < 10; rounds++) {
    const { outcome, waits } = await round(at, wanted);
    if (outcome === 'done') return;
    at = new Date(at.getTime() + (waits[0] ?? 0) * 1000);
  }
  throw new Error('The purge does not end');
}

/** The keys of all that is stored and tells of this. */
async function left(text: string): Promise<string[]> {
  const { Items = [] } = await table.client.send(
    new ScanCommand({ TableName: table.name, ConsistentRead: true }),
  );
  return Items.filter(item => JSON.stringify(item).includes(text)).map(({ PK, SK }) => `${PK} ${SK}`);
}

let sequence = 100;
/** As the stream tells that somebody was added with these dates, or taken away. */
function count(before: Metadata | undefined, after: Metadata | undefined): Promise<void> {
  const image = (metadata: Metadata | undefined) =>
    metadata && { email: ANN, status: 'subscribed', metadata, updated_at: '', revision: 'r' };
  const change: Change = {
    sequence: String(sequence++),
    organization: readers.organization_id,
    hash: recipient.hashOf(ANN),
    list: readers.id,
    before: image(before),
    after: image(after),
  };
  return project({ table, now, publish: async () => {} }, SHARD, [change]);
}

describe('the purge of a list', () => {
  it('rests after its first pass, and ends with another one', async () => {
    await add(table);
    await count(undefined, DATES);
    await removeList();
    expect(await round(now)).toEqual({ outcome: 'rests', waits: [purge.REST / 1000] });
    expect(await left(readers.id)).toEqual([`PURGE LIST#${readers.organization_id}#${readers.id}`]);
    const almost = new Date(rested.getTime() - 1000);
    expect(await round(almost)).toEqual({ outcome: 'rests', waits: [1] });
    expect(await round(rested)).toEqual({ outcome: 'done', waits: [] });
    expect(await left(readers.id)).toEqual([]);
    expect(await round(rested)).toEqual({ outcome: 'done', waits: [] });
  });

  it('loses no request that arrives as it ends', async () => {
    await removeList();
    await round(now);
    const late = () => expect(add(table, rested)).rejects.toThrow('Email list not found');
    const last = await round(rested, { on: between(table, 'TransactWriteCommand', late) });
    expect(last.outcome).not.toBe('done');
    await purged(rested);
    expect(await left(readers.id)).toEqual([]);
  });

  it('takes along a member of a process that died before it could ask for that', async () => {
    const meanwhile = between(table, 'PutCommand', async () => {
      await removeList();
      await round(now);
    });
    await add(refusing(meanwhile, 'TransactWriteCommand', 'TimedOut')).catch(({ name }) =>
      expect(name).toBe('TimedOut'),
    );
    expect(await left(readers.id)).toContain(
      `R#${readers.organization_id}#${recipient.hashOf(ANN)} IN#${readers.id}`,
    );
    await purged(now);
    expect(await left(readers.id)).toEqual([]);
  });

  it('takes along a trigger row whose process died before the member stood', async () => {
    await add(table);
    await count(undefined, DATES);
    const died = refusing(table, 'PutCommand', 'Died');
    const ben = [{ email: 'ben@example.com', ...DATES }];
    await expect(listMember.upsertAll({ table: died, now }, readers, ben)).rejects.toThrow('Died');
    expect(await left(recipient.hashOf('ben@example.com'))).toEqual([
      expect.stringContaining(`TRG#${readers.id}#signed_up`),
    ]);
    await removeList();
    await purged(now);
    expect(await left(readers.id)).toEqual([]);
  });

  it('takes along a member whom the index does not know of yet', async () => {
    await add(table);
    await removeList();
    const behind = through(table, async (send, { input }) => (input.IndexName ? { Items: [] } : send()));
    await round(now, { on: behind });
    expect(await left(readers.id)).toHaveLength(3);
    await purged(now);
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
    await round(now, { on: counting });
    expect((await round(rested, { on: counting })).outcome).toBe('done');
    expect(await left(readers.id)).toEqual([]);
  });

  it('still knows the logo it is to take along where somebody asks for it again', async () => {
    const PNG = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a0000', 'hex').toString('base64')}`;
    const objects = { put: async () => {}, remove: async () => {}, removeSome: async () => false };
    const meanwhile = between(table, 'PutCommand', async () => {
      await list.changeLogo({ table, objects }, readers, PNG);
      await removeList();
    });
    await expect(add(meanwhile)).rejects.toThrow('Email list not found');
    const known: (string | undefined)[] = [];
    const step: purge.Step = async ({ logo }) => {
      known.push(logo);
      return false;
    };
    await purged(now, { plan: { steps: [step], last: () => [] } });
    expect(known[0]).toMatch(/^\/files\//);
  });
});

describe('the purge of an organization', () => {
  it('leaves nothing of somebody who unsubscribes in flight', async () => {
    const owner = await newUser(table, now);
    const { id } = await organization.create({ table, now }, owner.id, 'Post office');
    readers = await newList(table, now, { organization: id });
    await add(table);
    const job = { organization_id: id };
    const meanwhile = between(table, 'TransactWriteCommand', async () => {
      await organization.remove({ table, now }, await actingIn(table, owner.id, id));
      expect((await round(now, { job, plan: ofOrganization })).outcome).toBe('rests');
    });
    const member = `${readers.id}-${recipient.hashOf(ANN)}`;
    const unsubscribed = { is_subscribed: false };
    await listMember.change({ table: meanwhile, now }, id, member, () => unsubscribed);
    await purged(now);
    expect(await left(`R#${id}#`)).toHaveLength(2);
    await purged(now, { job, plan: ofOrganization });
    expect(await left(`R#${id}#`)).toEqual([]);
    expect(await left(`ORG#${id}`)).toEqual([]);
  });
});
