import { beforeEach, describe, expect, it } from 'vitest';
import type * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as upsertStore from '#core/list/list-member/rows.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import * as recipient from '#core/recipient/recipient.ts';
import * as triggers from '#core/recipient/trigger.ts';
import { batchWrite, type Key, queryPartition, type Table } from '#core/storage/table.store.ts';
import { MOST_DATES } from '#shared/metadata.ts';
import { TIME_ZONES } from '#shared/time-zone.ts';
import { newList } from '#test/support/core-list.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst, failingOnce, INSERT } from '#test/support/intercepted.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');
const ANN = 'ann@example.com';

let readers: list.CountedList;
let key: recipientKey.RecipientKey;
beforeEach(async () => {
  readers = await newList(table, now);
  key = recipientKey.keyOf(readers.organization_id, ANN);
});

const upsert = (signed_up: string | null, on: Table = table) =>
  upsertStore.upsertAll({ table: on, now }, readers, [{ email: ANN, signed_up }]);
const unsubscribe = () =>
  upsertStore.upsertAll({ table, now }, readers, [{ email: ANN, is_subscribed: false }]);
const leave = () => recipient.leave({ table, now }, key, readers.id, 'app');
const read = () => recipientStore.read(table, key, readers.id);
const rows = async (): Promise<Key[]> =>
  (await queryPartition(table, `TRG#${readers.id}#signed_up`)).map(({ PK, SK }) => ({
    PK: String(PK),
    SK: String(SK),
  }));
const days = async () => (await rows()).map(({ SK }) => SK.split('#')[1]);
/** As a process that died leaves it: a row without a member. */
const dieBetween = (signed_up: string) =>
  expect(upsert(signed_up, failingOnce(table, INSERT, 'Died'))).rejects.toThrow('Died');
const deleteStray = (state: recipientStore.State, met: Key[], on: Table = table) =>
  triggers.deleteStrayTriggers({ table: on, now }, { key, listId: readers.id, state }, met);

describe('a trigger row that somebody meets', () => {
  it('is deleted where the person was never in the list, who can be added as before', async () => {
    await dieBetween('2030-03-01');
    expect(await deleteStray(await read(), await rows())).toBe(true);
    expect(await rows()).toEqual([]);
    const { data } = await listMember.page({ table }, readers, { page: 1, per_page: 10 });
    expect(data).toEqual([]);
    expect(await upsert('2030-03-01')).toMatchObject([{ status: 'created' }]);
    expect((await read()).membership).toMatchObject({ status: 'subscribed' });
    expect(await days()).toEqual(['2030-03-01']);
  });

  it('is written again by the insert that wrote it, and was still under way', async () => {
    const meanwhile = beforeFirst(table, INSERT, async () => deleteStray(await read(), await rows()));
    expect(await upsert('2030-03-01', meanwhile)).toMatchObject([{ status: 'created' }]);
    expect((await read()).membership).toMatchObject({ status: 'subscribed' });
    expect(await days()).toEqual(['2030-03-01']);
  });

  it('stays where the insert came first', async () => {
    await dieBetween('2030-03-01');
    const state = await read();
    const meanwhile = beforeFirst(table, 'TransactWriteCommand', () => upsert('2030-03-01'));
    expect(await deleteStray(state, await rows(), meanwhile)).toBe(false);
    expect(await days()).toEqual(['2030-03-01']);
  });

  it('stays where it is one of the membership, while those of another date are deleted', async () => {
    await dieBetween('2030-03-01');
    await upsert('2030-04-01');
    expect(await days()).toEqual(['2030-03-01', '2030-04-01']);
    expect(await deleteStray(await read(), await rows())).toBe(true);
    expect(await days()).toEqual(['2030-04-01']);
    expect((await read()).membership?.metadata).toEqual({ signed_up: '2030-04-01' });
  });

  it('stays where the membership got its date after it was read', async () => {
    await dieBetween('2030-03-01');
    await upsert('2030-04-01');
    const state = await read();
    const met = (await rows()).filter(({ SK }) => SK.includes('2030-03-01'));
    const meanwhile = beforeFirst(table, 'TransactWriteCommand', () => upsert('2030-03-01'));
    expect(await deleteStray(state, met, meanwhile)).toBe(false);
    expect(await days()).toEqual(['2030-03-01']);
  });

  it('is deleted where the member has unsubscribed or left, who stays so', async () => {
    await dieBetween('2030-03-01');
    const met = await rows();
    for (const end of [unsubscribe, leave]) {
      await upsert('2030-03-01');
      await end();
      await batchWrite(table, { puts: met });
      const state = await read();
      expect(await deleteStray(state, met)).toBe(true);
      expect(await rows()).toEqual([]);
      expect(await read()).toEqual(state);
    }
  });
});

describe('the rows of a member with a time zone', () => {
  const zoned = (zone: string | null, more: object = {}) =>
    upsertStore.upsertAll({ table, now }, readers, [{ email: ANN, signed_up: '2030-04-01', zone, ...more }]);
  const allDay = triggers.rangeOfMinutes(0, 1440);
  const found = async (zone: string, column = 'signed_up') =>
    (await triggers.triggerPage(table, { listId: readers.id, column, zone }, allDay, { most: 10 })).rows;

  it('are found by it, whatever it is called', async () => {
    for (const zone of TIME_ZONES) {
      const row = triggers.triggerRow(readers.id, 'zones', { hash: key.hash, instant: now, zone });
      await batchWrite(table, { puts: [row] });
      expect(await found(zone, 'zones')).toEqual([{ hash: key.hash, instant: now, zone }]);
    }
  });

  it('are written again where they were stored before it was kept in them', async () => {
    await zoned('America/Port-au-Prince');
    const [own] = await rows();
    const SK = own?.SK.split('#').slice(0, 3).join('#') ?? '';
    const old = { PK: own?.PK ?? '', SK };
    await batchWrite(table, { deletes: own ? [own] : [], puts: [old] });
    expect(await deleteStray(await read(), [old])).toBe(true);
    expect(await rows()).toEqual([own]);
    expect(await found('America/Port-au-Prince')).toHaveLength(1);
  });

  it('are all replaced with it at once, also of as many dates as there can be', async () => {
    const dates = Object.fromEntries(
      Array.from({ length: MOST_DATES - 1 }, (_, nth) => [`date_${nth}`, '2030-05-01T10:00:00Z']),
    );
    await zoned('Asia/Tokyo', dates);
    for (const zone of ['Europe/Berlin', null, 'Pacific/Apia']) {
      expect(await zoned(zone)).toMatchObject([{ status: 'updated' }]);
      expect((await rows()).map(({ SK }) => SK.split('#')[3])).toEqual([zone ?? undefined]);
      const columns = await queryPartition(table, `TRG#${readers.id}#date_38`);
      expect(columns.map(({ SK }) => String(SK).split('#')[3])).toEqual([zone ?? undefined]);
    }
    expect(await found('Asia/Tokyo')).toEqual([]);
    expect(await found('Pacific/Apia')).toHaveLength(1);
    // Other dates and another time zone at once.
    const later = Object.fromEntries(Object.keys(dates).map(column => [column, '2031-05-01T10:00:00Z']));
    expect(await zoned('UTC', later)).toMatchObject([{ status: 'updated' }]);
    const byId = await listMember.find(
      { table },
      readers.organization_id,
      recipientKey.memberId(readers.id, key.hash),
    );
    await listMember.change({ table, now }, byId, { metadata: { zone: 'Asia/Tokyo', ...dates } });
    expect(await found('Asia/Tokyo')).toHaveLength(1);
  });
});
