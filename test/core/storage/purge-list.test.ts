import { beforeEach, describe, expect, it } from 'vitest';
import { listCounters } from '../../../functions/core/list/list/list.counters.ts';
import * as list from '../../../functions/core/list/list/list.ts';
import * as listMember from '../../../functions/core/list/list-member/list-member.ts';
import * as recipient from '../../../functions/core/recipient/recipient/recipient.ts';
import { project } from '../../../functions/core/storage/projection/projection.ts';
import { batchWrite, type Table } from '../../../functions/core/storage/table.store.ts';
import type { Metadata } from '../../../shared/metadata.ts';
import { between, refusing, through } from '../../support/between.ts';
import { newList } from '../../support/core-list.ts';
import { freshTable } from '../../support/engine.ts';
import { dataUrl, png } from '../../support/images.ts';
import { countingDeletes, dyingInEachDelete, purgesOf } from '../../support/purge.ts';

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
const jobKey = () => `PURGE LIST#${readers.organization_id}#${readers.id}`;
const memberKey = (email = ANN) => `R#${readers.organization_id}#${recipient.hashOf(email)} IN#${readers.id}`;

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
    expect(await left(readers.id)).toEqual([`LIST#${readers.id} COLUMN#signed_up`, jobKey()]);
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
    const adding = () => listMember.upsertAll({ table, now: afterWait }, readers, [{ email: ANN }]);
    const late = () => expect(adding()).rejects.toThrow('Email list not found');
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
    expect(await left(readers.id)).toContain(memberKey());
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

  describe('of a process that died between the trigger rows and the member', () => {
    const ben = [{ email: 'ben@example.com', ...DATES }];
    const dying = (on: Table) =>
      expect(listMember.upsertAll({ table: refusing(on, 'PutCommand', 'Died'), now }, readers, ben));

    it('deletes the rows, though no member has a date in their column', async () => {
      await dying(table).rejects.toThrow('Died');
      expect(await left(recipient.hashOf('ben@example.com'))).toEqual([
        expect.stringContaining(`TRG#${readers.id}# `),
        expect.stringContaining(`TRG#${readers.id}#signed_up`),
      ]);
      await removeList();
      await purged(listJob(), now);
      expect(await left(readers.id)).toEqual([]);
    });

    it('deletes the rows, though they were written after its first pass', async () => {
      const meanwhile = between(table, 'BatchWriteCommand', async () => {
        await removeList();
        await round(listJob(), now);
      });
      await dying(meanwhile).rejects.toThrow('Died');
      await purged(listJob(), now);
      expect(await left(readers.id)).toEqual([]);
    });
  });

  it('deletes the trigger row of a date that a member gets after their rows were deleted', async () => {
    await add(table);
    const key = recipient.keyOf(readers.organization_id, ANN);
    await removeList();
    const meanwhile = between(table, 'DeleteCommand', () =>
      recipient.change({ table, now }, key, readers.id, state =>
        recipient.membershipChange(now, state, { metadata: { trial_ends: '2030-04-01' } }, 'app'),
      ),
    );
    await round(listJob(), now, { on: meanwhile });
    await purged(listJob(), now);
    expect(await left(readers.id)).toEqual([]);
  });

  it('deletes a member whom a transaction was changing', async () => {
    await add(table);
    await removeList();
    await round(listJob(), now, { on: refusing(table, 'DeleteCommand', 'TransactionConflictException') });
    expect(await left(readers.id)).not.toContain(memberKey());
  });

  it('deletes that a member has left, and keeps the journal of the person', async () => {
    const other = await newList(table, now, { organization: readers.organization_id });
    for (const of of [readers, other]) {
      await add(table, now, of);
      await recipient.leave({ table, now }, recipient.keyOf(of.organization_id, ANN), of.id, 'app');
    }
    expect(await left(readers.id)).toContain(memberKey());
    await removeList();
    await purged(listJob(), now);
    expect(await left(readers.id)).toEqual([expect.stringMatching(/ J#\d+$/)]);
    expect(await left(`IN#${other.id}`)).toHaveLength(1);
  });

  it('deletes a member who is not in the index yet', async () => {
    await add(table);
    await removeList();
    const behind = through(table, async (send, { input }) => (input.IndexName ? { Items: [] } : send()));
    await round(listJob(), now, { on: behind });
    expect(await left(readers.id)).toContain(memberKey());
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

  it('deletes the rest after its process died in any request', async () => {
    const members = ['ann', 'ben', 'cleo'].map(name => ({ email: `${name}@example.com`, ...DATES }));
    const deaths = await dyingInEachDelete(table, {
      async fill() {
        readers = await newList(table, now);
        await listMember.upsertAll({ table, now }, readers, members);
        await count(undefined, DATES);
        await removeList();
      },
      async purge(on) {
        await round(listJob(), now, { on });
        await round(listJob(), afterWait, { on });
      },
      async finish() {
        await purged(listJob(), now);
        expect(await left(readers.id)).toEqual([]);
      },
    });
    // Counts in both passes, a batch of trigger rows, three memberships, the column.
    expect(deaths).toBe(7);
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
    for (let outcome = ''; outcome !== 'done'; deleted.push(deletes())) {
      ({ outcome } = await round(listJob(), afterWait, { on, mostSteps: 1 }));
    }
    expect(Math.max(...deleted)).toBeLessThanOrEqual(100);
    expect(deleted.length).toBeGreaterThanOrEqual(5);
    expect(await left(readers.id)).toEqual([]);
  });
});
