import { beforeEach, describe, expect, it } from 'vitest';
import * as columns from '#core/list/counts.ts';
import { listCounters } from '#core/list/counts.ts';
import * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as upsert from '#core/list/list-member/rows.ts';
import { PURGE_AFTER } from '#core/operations/purge.ts';
import * as memberships from '#core/recipient/membership.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipient from '#core/recipient/recipient.ts';
import { project } from '#core/storage/projection.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { Metadata } from '#shared/metadata.ts';
import { newList } from '#test/support/core-list.ts';
import { freshTable } from '#test/support/engine.ts';
import { dataUrl, png } from '#test/support/images.ts';
import { beforeFirst, failingOnce, INSERT, intercepted } from '#test/support/intercepted.ts';
import { projecting } from '#test/support/projecting.ts';
import { counting, crashingInEachDelete, purgesOf } from '#test/support/purge.ts';

const table = freshTable();
const { removedFiles, message, round, purged, left } = purgesOf(table);
const now = new Date('2030-01-01T12:00:00Z');
const then = new Date(now.getTime() + PURGE_AFTER * 1000);
const ANN = 'ann@example.com';
const DATES = { signed_up: '2030-03-01' };
const SHARD = 'shard-1';

let readers: list.CountedList;
beforeEach(async () => {
  readers = await newList(table, now);
});

const add = (on: Table, at = now, to = readers) =>
  upsert.upsertAll({ table: on, now: at }, to, [{ email: ANN, ...DATES }]);
const removeList = () => list.remove({ table, now }, readers);

const listJob = () => ({ organization_id: readers.organization_id, list_id: readers.id });
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

  it('deletes a member whom a transaction was changing', async () => {
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

  it('passes over members whom the index still lists', async () => {
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
      await list.changeLogo({ table, objects }, readers, PNG);
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
