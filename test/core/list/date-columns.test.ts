import { beforeEach, describe, expect, it } from 'vitest';
import * as counts from '#core/list/counts.ts';
import type * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as upsertStore from '#core/list/list-member/rows.ts';
import * as memberImport from '#core/list/member-import/member-import.ts';
import * as recipient from '#core/recipient/recipient.key.ts';
import { batchWrite, getAll, queryPartition, type Table } from '#core/storage/table.store.ts';
import { updateItem } from '#core/storage/write.store.ts';
import { NewImport } from '#shared/member-import.ts';
import { newList } from '#test/support/core-list.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst } from '#test/support/intercepted.ts';

const table = freshTable();
const START = new Date('2030-01-01T12:00:00Z');
const at = (minutes: number): { table: Table; now: Date } => ({
  table,
  now: new Date(START.getTime() + minutes * 60_000),
});
const needs = at(0);
const DAY = '2030-03-01';
const NO_PLACE =
  'A list can have dates in at most 100 columns of metadata. One without members gives way to a new one after a few minutes.';

let readers: list.CountedList;
beforeEach(async () => {
  readers = await newList(table, START);
});

const names = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `date_${from + index}`);
const dates = (columns: string[]) => Object.fromEntries(columns.map(column => [column, DAY]));
const insert = (columns: string[], on = needs) => counts.insertColumns(on, readers.id, columns);
const upsert = (members: object[], on = needs) => upsertStore.upsertAll(on, readers, members);
const partition = () => queryPartition(table, `LIST#${readers.id}`);
const places = async () => {
  const items = await partition();
  return [
    items.filter(({ SK }) => String(SK).startsWith('COLUMN#')).length,
    items.find(({ SK }) => SK === 'COUNTS')?.columns,
  ];
};
const count = (column: string, members: number) =>
  updateItem(table, { PK: `LIST#${readers.id}`, SK: `COLUMN#${column}` }, { set: { members } });
const countAll = (columns: string[], members: number) =>
  Promise.all(columns.map(column => count(column, members)));

describe('the datetime columns of a list', () => {
  it('are a hundred at most, also when programs send more at once', async () => {
    const calls = Array.from({ length: 12 }, (_, call) =>
      upsert([{ email: `m${call}@example.com`, ...dates(names(10, call * 10)) }]),
    );
    const results = (await Promise.all(calls)).flat();
    const rejected = results.filter(({ status }) => status === 'rejected');
    expect(rejected).toHaveLength(2);
    for (const { errors } of rejected) expect(Object.values(errors ?? {})).toContainEqual([NO_PLACE]);
    expect(await places()).toEqual([100, 100]);
  });

  it('are a hundred in one call, and its other rows are stored', async () => {
    const rows = Array.from({ length: 4 }, (_, row) => ({
      email: `m${row}@example.com`,
      ...dates(names(30, row * 30)),
    }));
    const results = await upsert([...rows, { email: 'last@example.com', date_0: DAY, plan: 'basic' }]);
    expect(results.map(({ status }) => status)).toEqual([
      'created',
      'created',
      'created',
      'rejected',
      'created',
    ]);
    expect(results[3]?.errors).toMatchObject({ date_100: [NO_PLACE] });
    expect(await places()).toEqual([100, 100]);
  });

  describe('that are a hundred', () => {
    beforeEach(async () => {
      await insert(names(100));
      await countAll(names(100), 1);
    });

    it('can still be used', async () => {
      const [result] = await upsert([{ email: 'ann@example.com', ...dates(names(40)) }]);
      expect(result?.status).toBe('created');
    });

    it('refuse another one by hand, at its key', async () => {
      const form = { email_list_id: readers.id, email: 'ann@example.com', is_subscribed: true };
      const add = (metadata: Record<string, string>) =>
        listMember.add(needs, readers.organization_id, { ...form, metadata });
      const errors = { 'metadata.another': [NO_PLACE] };
      await expect(add({ another: DAY, date_0: DAY })).rejects.toMatchObject({ errors });
      await add({ another: 'not a date', date_0: DAY });
      const id = recipient.memberId(readers.id, recipient.hashOf('ann@example.com'));
      const found = await listMember.find({ table }, readers.organization_id, id);
      await expect(listMember.change(needs, found, { metadata: { another: DAY } })).rejects.toMatchObject({
        reason: 'invalid',
        errors,
      });
      await listMember.change(needs, found, { metadata: { date_0: null, date_1: DAY } });
    });

    it('refuse the row of an import, in the check before it as when it is stored', async () => {
      const rows = [
        ['ann@example.com', DAY],
        ['ben@example.com', ''],
      ];
      const how = NewImport.parse({
        file_name: 'people.csv',
        size: 1,
        fingerprint: 'f'.repeat(64),
        total_rows: 2,
        columns: [
          { position: 0, name: 'Address', to: 'email' },
          { position: 1, name: 'Ends', to: 'metadata', key: 'ends' },
        ],
        as: 'unsubscribed',
      });
      const asOwner = { ...needs, role: 'OWNER' as const, user: 'u', hasTimeLeft: () => true };
      const outcomes = [
        { row: 1, status: 'rejected', errors: [{ column: 'Ends', reason: NO_PLACE }] },
        { row: 2, status: 'created' },
      ];
      const from = { from: 1, rows };
      expect(await memberImport.check(asOwner, readers, { ...how, ...from })).toEqual(outcomes);
      const { id } = await memberImport.create(asOwner, readers, how);
      const keys = memberImport.keysOf(readers.organization_id, id, { list: readers.id });
      const of = memberImport.found(id, await getAll(table, keys));
      expect((await memberImport.addRows(asOwner, readers, of, from)).results).toEqual(outcomes);
    });

    it('have places for as many others as have no members, which a check does not take', async () => {
      const without = (columns: string[]) => counts.columnsWithoutPlace(needs, readers.id, columns);
      expect(await without(['one', 'date_0', 'two'])).toEqual(new Set(['one', 'two']));
      await count('date_0', 0);
      await count('date_1', -1);
      expect(await without(['one', 'two', 'two', 'three'])).toEqual(new Set(['three']));
      expect(await without([])).toEqual(new Set());
      expect(await places()).toEqual([100, 100]);
      await counts.deleteCounts(table, readers.id);
      expect(await without(['one'])).toEqual(new Set());
    });

    it('give way when they have had no members for a while, and once', async () => {
      await countAll(names(2), 0);
      expect(await insert(['one'])).toEqual(new Set(['one']));
      expect(await insert(['one'], at(1.9))).toEqual(new Set(['one']));
      const both = await Promise.all([insert(['one'], at(2)), insert(['other', 'third'], at(2))]);
      expect(both.map(({ size }) => size).reduce((a, b) => a + b)).toBe(1);
      expect(await places()).toEqual([100, 100]);
      const columns = (await partition()).map(({ SK }) => String(SK).slice('COLUMN#'.length));
      await countAll(
        columns.filter(column => /^(one|other|third)$/.test(column)),
        1,
      );
      expect(await insert(['fourth'], at(5))).toEqual(new Set(['fourth']));
    });

    it('keep their place where a member gets one of them meanwhile', async () => {
      await countAll(names(2), 0);
      await insert(['one']);
      // Without a trigger row, as they are not subscribed.
      await upsert([{ email: 'ann@example.com', is_subscribed: false, date_0: DAY }], at(1));
      await count('date_1', 1);
      expect(await insert(['one'], at(3))).toEqual(new Set(['one']));
      expect(await places()).toEqual([100, 100]);
    });

    it.each([
      ['wants it', () => insert(['date_0'], at(3))],
      ['has counted a member', () => count('date_0', 1)],
    ])('keep their place where another request %s just before they are deleted', async (_, meanwhile) => {
      await count('date_0', 0);
      await insert(['one']);
      const overtaken = { ...at(3), table: beforeFirst(table, 'TransactWriteCommand', meanwhile) };
      expect(await insert(['one'], overtaken)).toEqual(new Set(['one']));
      expect(await places()).toEqual([100, 100]);
    });

    it('keep their place while a process that died has left trigger rows in them', async () => {
      await count('date_0', 0);
      await batchWrite(table, { puts: [{ PK: `TRG#${readers.id}#date_0`, SK: '0000#2030-03-01#x' }] });
      await insert(['one']);
      expect(await insert(['one'], at(3))).toEqual(new Set(['one']));
    });
  });

  it('take no place where they are counted already, and no member is written for one that is refused', async () => {
    await count('earlier', 3);
    expect(await insert(['earlier', 'earlier'])).toEqual(new Set());
    expect(await places()).toEqual([1, 1]);
    expect((await partition()).find(({ SK }) => SK === 'COLUMN#earlier')).toMatchObject({ members: 3 });
    expect(await insert([])).toEqual(new Set());
  });

  it('count once where several requests insert them at once', async () => {
    const inserted = await Promise.all([1, 2, 3, 4, 5].map(() => insert(['one', 'two'])));
    expect(inserted.map(({ size }) => size)).toEqual([0, 0, 0, 0, 0]);
    expect(await places()).toEqual([2, 2]);
  });

  it('are not written for a deleted list', async () => {
    await counts.deleteCounts(table, readers.id);
    await expect(insert(['one'])).rejects.toThrow('Email list not found');
    expect(await partition()).toEqual([]);
  });
});
