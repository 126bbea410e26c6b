import { beforeEach, describe, expect, it } from 'vitest';
import type * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as upsertStore from '#core/list/list-member/rows.ts';
import * as activity from '#core/person/activity.ts';
import * as journalStore from '#core/recipient/journal.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipientStore from '#core/recipient/recipient.store.ts';
import * as recipient from '#core/recipient/recipient.ts';
import { batchWrite, queryPartition, type Table } from '#core/storage/table.store.ts';
import { PUNCTUAL } from '#core/timeouts.ts';
import { newList } from '#test/support/core-list.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst } from '#test/support/intercepted.ts';
import { proof } from '#test/support/proof.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');
const needs = { table, now };
const asked = { ...needs, publicUrl: 'https://letterflow.example' };
const ANN = 'ann@example.com';

let readers: list.CountedList;
beforeEach(async () => {
  readers = await newList(table, now);
});

const person = (email = ANN) => ({ organization: readers.organization_id, hash: recipientKey.hashOf(email) });
const idOf = (email = ANN) => `${readers.id}-${recipientKey.hashOf(email)}`;
const upsert = (...members: object[]) => upsertStore.upsertAll(needs, readers, members);
const named = () => listMember.find({ table }, readers.organization_id, idOf());
const change = async (to: { is_subscribed: boolean }, on: Table = table) =>
  listMember.change({ table: on, now }, await named(), to);
const remove = async () => listMember.remove(needs, await named());
const journal = async (of = person()) =>
  (await queryPartition(table, `R#${of.organization}#${of.hash}`, 'J#')) as unknown as journalStore.Entry[];
const partitionOf = () => queryPartition(table, `R#${person().organization}#${person().hash}`);

/** A journal that is larger than is worth storing for a test: it answers the pages of a query alone. */
function paging(entries: object[]): Table {
  const send = async ({ input }: { input: { Limit: number; ExclusiveStartKey?: { at: number } } }) => {
    const from = input.ExclusiveStartKey?.at ?? 0;
    const to = from + input.Limit;
    return { Items: entries.slice(from, to), ...(to < entries.length && { LastEvaluatedKey: { at: to } }) };
  };
  return { name: 'journal', client: { send } as never };
}

describe('the journal', () => {
  it('continues when a person is removed, added and erased, without a gap or an address', async () => {
    await upsert({ email: ANN });
    await change({ is_subscribed: false });
    await change({ is_subscribed: true });
    await remove();
    await upsert({ email: ANN, plan: 'basic' });
    await upsert({ email: ANN, is_subscribed: false });
    await recipient.erase(needs, readers.organization_id, ANN);
    const entries = await journal();
    expect(entries.map(({ seq, type }) => `${seq} ${type}`)).toEqual([
      '5 erased',
      '4 unsubscribed',
      '3 removed',
      '2 subscribed',
      '1 unsubscribed',
    ]);
    expect(JSON.stringify(entries)).not.toContain(ANN);
  });

  it('says with the end of a membership when it began', async () => {
    await upsert({ email: ANN });
    const later = new Date(now.getTime() + 60_000);
    await listMember.remove({ table, now: later }, await named());
    expect(await journal()).toMatchObject([
      { type: 'removed', at: later.toISOString(), since: now.toISOString(), by: 'app' },
    ]);
  });

  it('loses no entry where another list appends one of the same number first', async () => {
    const other = await newList(table, now, { organization: readers.organization_id });
    await upsert({ email: ANN });
    await upsertStore.upsertAll(needs, other, [{ email: ANN }]);
    const meanwhile = beforeFirst(table, 'TransactWriteCommand', () =>
      recipient.leave(needs, person(), other.id, 'api'),
    );
    await change({ is_subscribed: false }, meanwhile);
    expect((await journal()).map(({ seq, type, list_id }) => [seq, type, list_id])).toEqual([
      [2, 'unsubscribed', readers.id],
      [1, 'removed', other.id],
    ]);
  });

  it('has one entry where a person is erased twice, and none where the person is unknown', async () => {
    await upsert({ email: ANN });
    await recipient.erase(needs, readers.organization_id, ANN);
    await recipient.erase(needs, readers.organization_id, ANN);
    expect(await journal()).toHaveLength(1);
    await recipient.erase(needs, readers.organization_id, 'unknown@example.com');
    expect(await journal(person('unknown@example.com'))).toEqual([]);
  });

  it('is shown as the actions of a member since they were added', async () => {
    const actions = () => activity.actions(asked, readers.organization_id, idOf());
    await upsert({ email: ANN });
    expect((await actions()).map(({ type }) => type)).toEqual(['subscribe']);
    await change({ is_subscribed: false });
    await change({ is_subscribed: true });
    expect((await actions()).map(({ type }) => type)).toEqual(['subscribe', 'unsubscribe', 'subscribe']);
    await expect(
      activity.actions(asked, readers.organization_id, idOf('unknown@example.com')),
    ).rejects.toThrow('Member not found');
  });

  it('loses the address each time that its person is erased', async () => {
    for (const is_subscribed of [false, true]) {
      await upsert({ email: ANN });
      await change({ is_subscribed });
      await recipient.erase(needs, readers.organization_id, ANN);
      expect(JSON.stringify(await partitionOf())).not.toContain(ANN);
      expect((await recipientStore.read(table, person(), readers.id)).left?.unsubscribed).toBe(
        !is_subscribed,
      );
    }
  });

  proof('is continued for a person who is in more lists than one page of the query has', async () => {
    for (let lists = 0; lists < 10; lists++) {
      const { organization_id: organization } = readers;
      await upsertStore.upsertAll(needs, await newList(table, now, { organization }), [{ email: ANN }]);
    }
    await upsert({ email: ANN });
    await change({ is_subscribed: false });
    await change({ is_subscribed: true });
    expect((await journal()).map(({ seq }) => seq)).toEqual([2, 1]);
  });

  describe('as the actions of a member', () => {
    const HOUR = 60 * 60 * 1000;
    const later = new Date(now.getTime() + HOUR);
    const sources = async () =>
      (await activity.actions(asked, readers.organization_id, idOf())).map(({ metadata }) => metadata.source);
    const types = async () =>
      (await activity.actions(asked, readers.organization_id, idOf())).map(({ type }) => type);
    const partition = () => `R#${readers.organization_id}#${person().hash}`;
    const write = (from: number, to: number) =>
      batchWrite(table, {
        puts: Array.from({ length: to - from }, (_, index) => {
          const seq = from + index;
          const SK = `J#${String(9_999_999_999 - seq).padStart(10, '0')}`;
          const type = seq % 2 ? 'unsubscribed' : 'subscribed';
          return { PK: partition(), SK, seq, type, at: later.toISOString(), list_id: readers.id };
        }),
      });

    it('is the newest two hundred, and that they were added where there are no more', async () => {
      await upsert({ email: ANN });
      await write(1, 200);
      expect((await types()).at(-1)).toBe('subscribe');
      expect(await sources()).toContain('added');
      await write(200, 201);
      expect(await types()).toHaveLength(200);
      expect(await sources()).not.toContain('added');
    });

    it('is read as far as one call reads, and no further back than the membership', async () => {
      const mail = { list_id: 'other', type: 'unsubscribed', at: later.toISOString() };
      const ours = { ...mail, list_id: readers.id };
      const read = async (entries: object[], since = now) => {
        const wanted = { list_id: readers.id, since: since.toISOString(), most: 200 };
        const { entries: found, complete } = await journalStore.readJournal(
          paging(entries),
          person(),
          wanted,
        );
        return [found.length, complete];
      };
      const mails = (count: number) => Array.from({ length: count }, () => mail);
      expect(await read([...mails(1_998), ours])).toEqual([1, true]);
      expect(await read([...mails(2_000), ours])).toEqual([0, false]);
      // An email of the minute in which they were added counts from its beginning.
      expect(await read([ours], new Date(later.getTime() + PUNCTUAL))).toEqual([1, true]);
      expect(await read([ours, ...mails(2_100)], new Date(later.getTime() + PUNCTUAL + 1))).toEqual([
        0,
        true,
      ]);
    });
  });
});
