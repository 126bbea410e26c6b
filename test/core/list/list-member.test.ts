import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import type * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as upsertStore from '#core/list/list-member/rows.ts';
import type * as journalStore from '#core/recipient/journal.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import * as recipient from '#core/recipient/recipient.ts';
import { ADDED } from '#core/sources/source.ts';
import * as purge from '#core/storage/purge-request.ts';
import { batchWrite, getAll, queryPartition, type Table } from '#core/storage/table.store.ts';
import { MemberActions } from '#shared/list-member.ts';
import type { Metadata, MetadataChange } from '#shared/metadata.ts';
import { SUPPRESSED } from '#shared/suppression.ts';
import { newList } from '#test/support/core-list.ts';
import { freshTable } from '#test/support/engine.ts';
import { beforeFirst, INSERT, intercepted } from '#test/support/intercepted.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');
const needs = { table, now };
const ANN = 'ann@example.com';

let readers: list.CountedList;
beforeEach(async () => {
  readers = await newList(table, now);
});

const person = (email = ANN) => ({ organization: readers.organization_id, hash: recipientKey.hashOf(email) });
const idOf = (email = ANN) => `${readers.id}-${recipientKey.hashOf(email)}`;
const upsert = (...members: object[]) => upsertStore.upsertAll(needs, readers, members);
const named = (email?: string) => listMember.find({ table }, readers.organization_id, idOf(email));
const find = async (email?: string) => {
  const { list, state } = await named(email);
  return listMember.shown(list, state);
};
const change = async (to: { is_subscribed?: boolean; metadata?: MetadataChange }, on: Table = table) =>
  listMember.change({ table: on, now }, await named(), to);
const remove = async () => listMember.remove(needs, await named());
const rows = (column: string) => queryPartition(table, `TRG#${readers.id}#${column}`);
const journal = async (of = person()) =>
  (await queryPartition(table, `R#${of.organization}#${of.hash}`, 'J#')) as unknown as journalStore.Entry[];
const suppress = (reason: string) =>
  table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: { PK: `R#${readers.organization_id}#${person().hash}`, SK: 'HEAD' },
      UpdateExpression: 'SET suppression = :reason',
      ExpressionAttributeValues: { ':reason': reason },
    }),
  );

it('changing a member that the router found costs one query and one transaction', async () => {
  await upsert({ email: ANN });
  const items = await getAll(table, listMember.keysOf(readers.organization_id, idOf()));
  const commands: string[] = [];
  const counted = intercepted(table, (send, command) => {
    commands.push(command.constructor.name);
    return send();
  });
  const found = await listMember.found({ table: counted }, idOf(), items);
  await listMember.change({ table: counted, now }, found, { is_subscribed: false });
  expect(commands).toEqual(['QueryCommand', 'TransactWriteCommand']);
});

it('a change says whether the member was subscribed when it was written, whatever its caller had read', async () => {
  await upsert({ email: ANN });
  const read = await named();
  const unsubscribe = () => listMember.change(needs, read, { is_subscribed: false });
  expect(await unsubscribe()).toMatchObject({ is_subscribed: false, was_subscribed: true });
  expect(await unsubscribe()).toMatchObject({ is_subscribed: false, was_subscribed: false });
});

it('a change is written only if it changes something, also if it only removes a key', async () => {
  await upsert({ email: ANN, plan: 'basic', seats: 3 });
  await change({ metadata: { plan: null } });
  expect((await find()).metadata.map(({ key }) => key)).toEqual(['seats']);
  const { revision } = (await named()).state.membership;
  await change({ is_subscribed: true, metadata: { plan: null, seats: 3 } });
  expect((await named()).state.membership.revision).toBe(revision);
  await change({ is_subscribed: false });
  expect((await named()).state.membership).toMatchObject({ by: 'app', status: 'unsubscribed' });
});

it('a member whom the public API sends as they are is not written again', async () => {
  await upsert({ email: ANN, plan: 'basic', signed_up: '2030-01-05' });
  const writes: string[] = [];
  const on = intercepted(table, (send, { constructor: { name } }) => {
    if (/Write|Put|Update|Delete|Statement/.test(name)) writes.push(name);
    return send();
  });
  const same = [{ email: ANN, plan: 'basic', signed_up: '2030-01-05', is_subscribed: true }];
  expect(await upsertStore.upsertAll({ table: on, now }, readers, same)).toMatchObject([
    { status: 'unchanged' },
  ]);
  expect(writes).toEqual([]);
});

it('an address may come once more in a call after a row with it was rejected, and not after one that was accepted', async () => {
  const results = await upsert(
    { email: ANN, plan: {} },
    { email: ANN, plan: 'basic' },
    { email: ANN, plan: 'pro' },
  );
  expect(results).toMatchObject([
    { status: 'rejected', errors: { plan: [expect.any(String)] } },
    { status: 'created' },
    { status: 'rejected', errors: { email: ['This address is in the call twice: see row 1'] } },
  ]);
  expect((await find()).metadata).toMatchObject([{ key: 'plan', value: 'basic' }]);
});

it('of an address that is too long, the answer has the beginning', async () => {
  const [result] = await upsert({ email: `${'x'.repeat(300)}@example.com` });
  expect(result).toMatchObject({ status: 'rejected', email: 'x'.repeat(254) });
});

const byHand = { email: ANN, is_subscribed: true, metadata: {} };
it.each([
  ['a program', (on: Table) => upsertStore.upsertAll({ table: on, now }, readers, [{ email: ANN }])],
  [
    'hand',
    (on: Table) => {
      const fields = { ...byHand, email_list_id: readers.id };
      return listMember.add({ table: on, now }, readers.organization_id, fields);
    },
  ],
])('a member who is added by %s while the list is deleted is not found, and purged', async (_, add) => {
  const key = { PK: `ORG#${readers.organization_id}`, SK: `LIST#${readers.id}` };
  const on = beforeFirst(table, INSERT, () => batchWrite(table, { deletes: [key] }));
  await expect(add(on)).rejects.toMatchObject({ reason: 'not-found', message: 'Email list not found' });
  expect((await purge.readAll(table)).map(({ list_id }) => list_id)).toContain(readers.id);
});

describe('requests at the same time', () => {
  it('that upsert one address create one member, whose trigger rows match its final metadata', async () => {
    const dates = Array.from({ length: 8 }, (_, day) => `2030-03-0${day + 1}`);
    const results = await Promise.all(dates.map(signed_up => upsert({ email: ANN, signed_up })));
    const statuses = results.flatMap(([result]) => result?.status);
    expect(statuses.filter(status => status === 'created')).toHaveLength(1);
    expect(statuses.filter(status => status === 'updated')).toHaveLength(7);
    const { metadata } = await find();
    expect(await rows('signed_up')).toEqual([
      expect.objectContaining({ SK: `0000#${metadata[0]?.value}#${person().hash}` }),
    ]);
  });

  it('that set different keys of metadata lose none of them', async () => {
    await upsert({ email: ANN });
    const keys = Array.from({ length: 8 }, (_, index) => `key_${index}`);
    await Promise.all(keys.map(key => change({ metadata: { [key]: key } })));
    expect((await find()).metadata.map(({ key }) => key)).toEqual(keys);
  });

  it('that all unsubscribe a member append one journal entry', async () => {
    await upsert({ email: ANN });
    await Promise.all([1, 2, 3, 4].map(() => change({ is_subscribed: false })));
    expect((await journal()).map(({ seq, type }) => [seq, type])).toEqual([[1, 'unsubscribed']]);
  });

  it('that add one address by hand are all refused but one, as the address is in the list', async () => {
    const add = () =>
      listMember.add(needs, readers.organization_id, {
        email_list_id: readers.id,
        email: ANN,
        is_subscribed: true,
        metadata: {},
      });
    const outcomes = await Promise.allSettled([add(), add(), add(), add()]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue;
      expect(outcome.reason.errors).toEqual({ email: ['This email is already in the list'] });
    }
  });
});

describe('a member with 40 dates', () => {
  const columns = Array.from({ length: 40 }, (_, index) => `date_${index}`);
  const dates = (year: number): Metadata =>
    Object.fromEntries(columns.map(column => [column, `${year}-01-01`]));
  const days = async () =>
    (await Promise.all(columns.map(rows))).map(ofColumn => ofColumn.map(({ SK }) => SK));
  const each = (year: number) => columns.map(() => [`0000#${year}-01-01#${person().hash}`]);

  it('has a trigger row for each while they may be mailed, also after all dates change at once', async () => {
    await upsert({ email: ANN, ...dates(2030) });
    expect(await days()).toEqual(each(2030));
    expect(await upsert({ email: ANN, ...dates(2031) })).toMatchObject([{ status: 'updated' }]);
    expect(await days()).toEqual(each(2031));
    await change({ is_subscribed: false });
    expect((await days()).flat()).toEqual([]);
    await change({ is_subscribed: true });
    expect(await days()).toEqual(each(2031));
  });
});

describe('the trigger row of the instant a member was added', () => {
  const added = () => rows(ADDED);
  const row = () => ({ SK: `0720#2030-01-01#${person().hash}` });

  it('exists while the member may be mailed, with the minute of the day and the day in its key', async () => {
    await upsert({ email: ANN });
    expect(await added()).toMatchObject([row()]);
    await change({ metadata: { plan: 'basic' } });
    expect(await added()).toMatchObject([row()]);
    await change({ is_subscribed: false });
    expect(await added()).toEqual([]);
    const later = { table, now: new Date('2030-01-02T13:01:00Z') };
    await listMember.change(later, await named(), { is_subscribed: true });
    expect(await added()).toMatchObject([row()]);
    await remove();
    expect(await added()).toEqual([]);
  });

  it('has the instant of the new membership after the member was removed and added again', async () => {
    await upsert({ email: ANN });
    await remove();
    const later = { table, now: new Date('2030-01-02T13:01:00Z') };
    await upsertStore.upsertAll(later, readers, [{ email: ANN }]);
    expect(await added()).toMatchObject([{ SK: `0781#2030-01-02#${person().hash}` }]);
  });
});

describe('a member who unsubscribed', () => {
  beforeEach(async () => {
    await upsert({ email: ANN, signed_up: '2030-01-01' });
    await change({ is_subscribed: false });
  });

  it('is not subscribed again by the public API, which answers a warning', async () => {
    const [result] = await upsert({ email: ANN, is_subscribed: true, plan: 'basic' });
    expect(result).toMatchObject({
      status: 'updated',
      warnings: { is_subscribed: [expect.stringContaining('stay unsubscribed')] },
    });
    expect(await find()).toMatchObject({ is_subscribed: false });
    expect(await rows('signed_up')).toEqual([]);
  });

  it('is no reason for a warning where the public API does not ask for a subscription', async () => {
    const updated = { index: 0, email: ANN, status: 'updated' };
    expect(await upsert({ email: ANN, plan: 'basic' })).toEqual([updated]);
    expect(await upsert({ email: ANN, plan: 'pro', is_subscribed: false })).toEqual([updated]);
    await remove();
    expect(await upsert({ email: ANN, is_subscribed: false })).toEqual([{ ...updated, status: 'created' }]);
  });

  it('stays unsubscribed when removed and added again, through the public API or by hand', async () => {
    await remove();
    expect(await upsert({ email: ANN, signed_up: '2030-01-01' })).toMatchObject([
      { status: 'created', warnings: { is_subscribed: [expect.any(String)] } },
    ]);
    expect(await find()).toMatchObject({ is_subscribed: false });
    await remove();
    const added = await listMember.add(needs, readers.organization_id, {
      email_list_id: readers.id,
      email: ANN,
      is_subscribed: true,
      metadata: { signed_up: '2030-01-01' },
    });
    expect(added.is_subscribed).toBe(false);
    expect(await find()).toEqual(added);
    expect(await rows('signed_up')).toEqual([]);
  });

  it('stays unsubscribed when erased and added again', async () => {
    await recipient.erase(needs, readers.organization_id, ANN);
    await expect(find()).rejects.toThrow('Member not found');
    expect(
      JSON.stringify(await queryPartition(table, `R#${readers.organization_id}#${person().hash}`)),
    ).not.toContain('example.com');
    await upsert({ email: ANN });
    expect(await find()).toMatchObject({ is_subscribed: false });
  });

  it('may be subscribed again by hand, and stays subscribed when removed and added after that', async () => {
    expect(await change({ is_subscribed: true })).toMatchObject({ is_subscribed: true });
    expect(await rows('signed_up')).toHaveLength(1);
    await remove();
    await upsert({ email: ANN });
    expect(await find()).toMatchObject({ is_subscribed: true });
  });

  it.each([
    ['complaint', 'reported an email as spam'],
    ['bounce', 'does not exist any more'],
  ])('cannot be subscribed again after a %s', async (reason, why) => {
    await suppress(reason);
    await expect(change({ is_subscribed: true })).rejects.toMatchObject({
      errors: { is_subscribed: [expect.stringContaining(why)] },
    });
    await remove();
    await upsert({ email: ANN });
    expect(await find()).toMatchObject({ is_subscribed: false, suppression: reason });
  });
});

it('a person who complained is not subscribed by being added to another list, by a program or by hand', async () => {
  await upsert({ email: ANN });
  await change({ is_subscribed: false });
  await change({ is_subscribed: true });
  await suppress('complaint');
  const { organization_id: organization } = readers;
  const lists = [await newList(table, now, { organization }), await newList(table, now, { organization })];
  const [first, second] = lists as [list.CountedList, list.CountedList];
  expect(await upsertStore.upsertAll(needs, first, [{ email: ANN }])).toMatchObject([
    { status: 'created', warnings: { is_subscribed: [expect.any(String)] } },
  ]);
  const fields = { email_list_id: second.id, email: ANN, is_subscribed: true, metadata: {} };
  expect(await listMember.add(needs, organization, fields)).toMatchObject({ is_subscribed: false });
  for (const { id } of lists) expect(await queryPartition(table, `TRG#${id}#`)).toEqual([]);
});

describe('a change of many members', () => {
  const BEN = 'ben@example.com';
  const failed = (_: string, error: unknown) => {
    throw error;
  };
  const act = (action: MemberActions['action'], ids: string[], more: object = {}) =>
    listMember.changeMany({ ...needs, hasTimeLeft: () => true, failed, ...more }, readers, { action, ids });
  const statuses = async (...input: Parameters<typeof act>) =>
    (await act(...input)).map(({ status }) => status);

  beforeEach(async () => {
    await upsert({ email: ANN, signed_up: '2030-01-01' }, { email: BEN });
  });

  it('changes nothing more when it is repeated', async () => {
    const ids = [idOf(), idOf(BEN), idOf()];
    expect(await act('unsubscribe', ids)).toEqual([
      { id: idOf(), status: 'changed' },
      { id: idOf(BEN), status: 'changed' },
    ]);
    expect(await statuses('unsubscribe', ids)).toEqual(['unchanged', 'unchanged']);
    expect((await journal()).map(({ type }) => type)).toEqual(['unsubscribed']);
    expect(await rows('signed_up')).toEqual([]);
    expect(await statuses('subscribe', [idOf()])).toEqual(['changed']);
    expect(await statuses('subscribe', [idOf()])).toEqual(['unchanged']);
    expect([await find(), await find(BEN)]).toMatchObject([
      { is_subscribed: true },
      { is_subscribed: false },
    ]);
    expect(await statuses('delete', ids)).toEqual(['changed', 'changed']);
    expect(await act('delete', [idOf()])).toEqual([
      { id: idOf(), status: 'not_found', message: 'Member not found' },
    ]);
    expect((await journal()).map(({ type }) => type)).toEqual(['removed', 'subscribed', 'unsubscribed']);
  });

  it('is counted for one of two callers at once', async () => {
    const twice = async (action: MemberActions['action']) =>
      (await Promise.all([statuses(action, [idOf()]), statuses(action, [idOf()])])).flat().sort();
    expect(await twice('unsubscribe')).toEqual(['changed', 'unchanged']);
    expect(await twice('delete')).toEqual(['changed', 'not_found']);
    expect((await journal()).map(({ type }) => type)).toEqual(['removed', 'unsubscribed']);
  });

  it('finds no member of another list or organization, and changes the others', async () => {
    const sibling = await newList(table, now, { organization: readers.organization_id });
    const foreign = await newList(table, now);
    for (const list of [sibling, foreign]) await upsertStore.upsertAll(needs, list, [{ email: ANN }]);
    const ids = [sibling.id, foreign.id].map(list => `${list}-${person().hash}`);
    const sent = [...ids, 'x', `${readers.id}-${'x'.repeat(3_000)}`, idOf()];
    expect(await statuses('delete', sent)).toEqual([...Array(4).fill('not_found'), 'changed']);
    for (const [list, id] of [
      [sibling, ids[0]],
      [foreign, ids[1]],
    ] as const) {
      expect(await listMember.find({ table }, list.organization_id, String(id))).toMatchObject({ list });
    }
  });

  it('says why a suppressed person is not subscribed', async () => {
    await statuses('unsubscribe', [idOf(), idOf(BEN)]);
    await suppress('complaint');
    expect(await act('subscribe', [idOf(), idOf(BEN)])).toEqual([
      { id: idOf(), status: 'rejected', message: SUPPRESSED.complaint },
      { id: idOf(BEN), status: 'changed' },
    ]);
  });

  it('leaves members to a retry where the table fails or the time runs out', async () => {
    const failures: unknown[] = [];
    const broken = intercepted(table, (send, { input }) => {
      if (JSON.stringify(input).includes(person(BEN).hash)) throw new Error('The table is down');
      return send();
    });
    const withFailures = { table: broken, failed: (_: string, error: unknown) => failures.push(error) };
    expect(await statuses('delete', [idOf(BEN), idOf()], withFailures)).toEqual(['failed', 'changed']);
    expect(failures).toEqual([new Error('The table is down')]);
    expect(await statuses('delete', [idOf(BEN)], { hasTimeLeft: () => false })).toEqual(['failed']);
    expect(await find(BEN)).toMatchObject({ is_subscribed: true });
  });

  it('has at most 500 ids', () => {
    const errorsOf = (count: number) =>
      MemberActions.safeParse({ action: 'delete', ids: Array(count).fill('x') }).error?.issues.map(
        ({ message }) => message,
      );
    expect(errorsOf(500)).toBeUndefined();
    expect(errorsOf(501)).toEqual(['At most 500 ids can be sent per call']);
    expect(errorsOf(0)).toEqual(['Send at least one id']);
  });
});

describe('an organization', () => {
  // DynamoDB refuses a partition key of more than 2,048 bytes; the local engine takes it.
  it('reads nothing for an id that is longer than any key', async () => {
    const id = recipientKey.memberId(readers.id, 'x'.repeat(3_000));
    expect(listMember.keysOf(readers.organization_id, id)).toEqual([]);
    await expect(listMember.find({ table }, readers.organization_id, id)).rejects.toThrow('Member not found');
  });
});
