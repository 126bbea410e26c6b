import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import * as columnsStore from '#core/list/counts.ts';
import * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as upsertStore from '#core/list/list-member/rows.ts';
import * as sendingKey from '#core/list/sending-key.ts';
import * as activity from '#core/person/activity.ts';
import type { KeyedProvider } from '#core/provider.ts';
import * as recipient from '#core/recipient/recipient.key.ts';
import { batchWrite, type Key, queryPartition, type Table } from '#core/storage/table.store.ts';
import type { MetadataChange } from '#shared/metadata.ts';
import { found, newList } from '#test/support/core-list.ts';
import { freshTable } from '#test/support/engine.ts';
import { dataUrl, png } from '#test/support/images.ts';
import {
  beforeFirst,
  conflictingOnce,
  failingOnce,
  INSERT,
  intercepted,
  interceptedOnce,
} from '#test/support/intercepted.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');
const ANN = 'ann@example.com';
const BEN = 'ben@example.com';

let readers: list.CountedList;
beforeEach(async () => {
  readers = await newList(table, now);
});

const hash = recipient.hashOf(ANN);
const idOf = (email = ANN, of = readers.id) => `${of}-${recipient.hashOf(email)}`;
const upsert = (members: object[], on: Table = table, to = readers) =>
  upsertStore.upsertAll({ table: on, now }, to, members);
const add = (metadata: MetadataChange, on: Table = table) =>
  listMember.add({ table: on, now }, readers.organization_id, {
    email_list_id: readers.id,
    email: ANN,
    is_subscribed: true,
    metadata,
  });
const named = (email?: string, of = readers.id) =>
  listMember.find({ table }, readers.organization_id, idOf(email, of));
const find = async (email?: string, of = readers.id) => {
  const { list, state } = await named(email, of);
  return listMember.shown(list, state);
};
const change = async (
  to: { is_subscribed?: boolean; metadata?: MetadataChange },
  on: Table = table,
  of = readers.id,
) => listMember.change({ table: on, now }, await named(ANN, of), to);
const remove = async () => listMember.remove({ table, now }, await named());
const rows = async (column: string) =>
  (await queryPartition(table, `TRG#${readers.id}#${column}`)).map(({ PK, SK }) => ({ PK, SK }) as Key);
const rowOf = (day: string, column = 'signed_up') => ({
  PK: `TRG#${readers.id}#${column}`,
  SK: `0000#${day}#${hash}`,
});
const reread = () => found(table, readers.organization_id, readers.id);

describe('a member added by two requests at once', () => {
  const signed_up = '2030-03-01';

  it('has a trigger row where the other request has removed them again', async () => {
    const meanwhile = beforeFirst(table, INSERT, async () => {
      await upsert([{ email: ANN, signed_up }]);
      await remove();
    });
    expect(await upsert([{ email: ANN, signed_up }], meanwhile)).toMatchObject([{ status: 'created' }]);
    expect(await find()).toMatchObject({ is_subscribed: true });
    expect(await rows('signed_up')).toEqual([rowOf(signed_up)]);
  });

  it('has the trigger row of their final metadata where they were removed and added once more', async () => {
    const meanwhile = beforeFirst(table, INSERT, async () => {
      await upsert([{ email: ANN, signed_up: '2030-04-01' }]);
      await remove();
      await upsert([{ email: ANN, signed_up: '2030-05-01' }]);
    });
    expect(await upsert([{ email: ANN, signed_up }], meanwhile)).toMatchObject([{ status: 'updated' }]);
    expect((await find()).metadata).toMatchObject([{ key: 'signed_up', value: signed_up }]);
    expect(await rows('signed_up')).toEqual([rowOf(signed_up)]);
  });

  it('has no trigger row of a request that was refused as the address is in the list', async () => {
    const meanwhile = beforeFirst(table, INSERT, () => upsert([{ email: ANN, signed_up }]));
    await expect(add({ signed_up: '2030-04-01' }, meanwhile)).rejects.toMatchObject({
      errors: { email: ['This email is already in the list'] },
    });
    expect(await rows('signed_up')).toEqual([rowOf(signed_up)]);
  });

  it('keeps the trigger row of a change that is made while the unused rows are deleted', async () => {
    await columnsStore.insertColumns({ table, now }, readers.id, ['signed_up']);
    const inserted = beforeFirst(table, INSERT, () => upsert([{ email: ANN, signed_up }]));
    const changed = beforeFirst(inserted, 'TransactWriteCommand', () =>
      change({ metadata: { signed_up: '2030-04-01' } }),
    );
    await expect(add({ signed_up: '2030-04-01' }, changed)).rejects.toThrow('already in the list');
    expect(await rows('signed_up')).toEqual([rowOf('2030-04-01')]);
  });

  it('has no trigger row where the other request unsubscribed them', async () => {
    const meanwhile = beforeFirst(table, INSERT, () => upsert([{ email: ANN, is_subscribed: false }]));
    expect(await upsert([{ email: ANN, signed_up }], meanwhile)).toMatchObject([{ status: 'updated' }]);
    expect(await find()).toMatchObject({ is_subscribed: false, metadata: [{ value: signed_up }] });
    expect(await rows('signed_up')).toEqual([]);
  });

  it('is answered as stored, unsubscribed, where they were unsubscribed and removed meanwhile', async () => {
    const meanwhile = beforeFirst(table, INSERT, async () => {
      await upsert([{ email: ANN, is_subscribed: false }]);
      await remove();
    });
    const added = await add({ signed_up }, meanwhile);
    expect(added.is_subscribed).toBe(false);
    expect(await find()).toEqual(added);
    expect(await rows('signed_up')).toEqual([]);
  });
});

describe('an insert that the SDK retries after its answer was lost', () => {
  const repeating = () =>
    interceptedOnce(table, INSERT, async send => {
      await send();
      return send();
    });

  it('succeeds for a member who is added by hand', async () => {
    const added = await add({ signed_up: '2030-03-01' }, repeating());
    expect(await find()).toEqual(added);
    expect(await rows('signed_up')).toEqual([rowOf('2030-03-01')]);
  });

  it('is answered as created by the public API', async () => {
    expect(await upsert([{ email: ANN }], repeating())).toMatchObject([{ status: 'created' }]);
  });
});

it('a change that loses every race is refused with a conflict', async () => {
  await upsert([{ email: ANN }]);
  let changes = 0;
  const losing = intercepted(table, async (send, { constructor: { name } }) => {
    if (name === 'TransactWriteCommand') await change({ metadata: { changes: ++changes } });
    return send();
  });
  await expect(change({ metadata: { mine: 1 } }, losing)).rejects.toMatchObject({ reason: 'conflict' });
  expect((await find()).metadata).toEqual([{ key: 'changes', type: 'number', value: changes }]);
  expect(changes).toBeGreaterThan(3);
});

describe('a write that the table refuses once', () => {
  it('does not fail the call: an insert that conflicts with a transaction', async () => {
    const busy = () => conflictingOnce(table);
    const members = [{ email: ANN, signed_up: '2030-03-01' }, { email: BEN }];
    expect(await upsert(members, busy())).toMatchObject([{ status: 'created' }, { status: 'created' }]);
    expect(await rows('signed_up')).toEqual([rowOf('2030-03-01')]);
    await remove();
    expect(await add({}, busy())).toEqual(await find());
  });

  it('does not overwrite the member that the conflicting transaction inserts', async () => {
    const meanwhile = conflictingOnce(table, () => upsert([{ email: ANN, plan: 'basic' }]));
    const result = await upsert([{ email: ANN, signed_up: '2030-03-01' }], meanwhile);
    expect(result).toMatchObject([{ status: 'updated' }]);
    expect((await find()).metadata.map(({ key }) => key)).toEqual(['plan', 'signed_up']);
  });

  it.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'is retried: a transaction cancelled by %s',
    async code => {
      await upsert([{ email: ANN }]);
      const codes = ['None', code];
      const busy = failingOnce(table, 'TransactWriteCommand', 'TransactionCanceledException', codes);
      await change({ metadata: { plan: 'basic' } }, busy);
      expect((await find()).metadata).toMatchObject([{ key: 'plan', value: 'basic' }]);
    },
  );
});

describe('a complaint that arrives during another write', () => {
  /** As a complaint will write it: from then on the person is not mailed. */
  async function complain() {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: { PK: `R#${readers.organization_id}#${hash}`, SK: 'HEAD' },
        UpdateExpression: 'SET suppression = :reason',
        ExpressionAttributeValues: { ':reason': 'complaint' },
      }),
    );
    await batchWrite(table, { deletes: await rows('signed_up') });
  }
  const meanwhile = () => beforeFirst(table, 'TransactWriteCommand', complain);

  beforeEach(() => upsert([{ email: ANN, signed_up: '2030-03-01' }]));

  it('keeps the member from being subscribed again', async () => {
    await change({ is_subscribed: false });
    await expect(change({ is_subscribed: true }, meanwhile())).rejects.toMatchObject({
      errors: { is_subscribed: [expect.stringContaining('reported an email as spam')] },
    });
    expect(await find()).toMatchObject({ is_subscribed: false, suppression: 'complaint' });
    expect(await rows('signed_up')).toEqual([]);
  });

  it('ends what is inserted into another list just then', async () => {
    await change({ is_subscribed: false });
    const other = await newList(table, now, { organization: readers.organization_id });
    const stored = await upsert(
      [{ email: ANN, signed_up: '2030-03-01' }],
      beforeFirst(table, INSERT, complain),
      other,
    );
    expect(stored).toMatchObject([{ status: 'created', warnings: { is_subscribed: [expect.any(String)] } }]);
    expect(await find(ANN, other.id)).toMatchObject({ is_subscribed: false, suppression: 'complaint' });
    for (const column of ['', 'signed_up'])
      expect(await queryPartition(table, `TRG#${other.id}#${column}`)).toEqual([]);
  });

  it('keeps a changed date from adding a trigger row', async () => {
    await change({ metadata: { signed_up: '2030-04-01' } }, meanwhile());
    expect((await find()).metadata).toMatchObject([{ key: 'signed_up', value: '2030-04-01' }]);
    expect(await rows('signed_up')).toEqual([]);
  });
});

describe('40 dates that change while their member is removed', () => {
  const columns = Array.from({ length: 40 }, (_, index) => `date_${index}`);
  const dates = (year: number) => Object.fromEntries(columns.map(column => [column, `${year}-01-01`]));

  it('leave no trigger row', async () => {
    await upsert([{ email: ANN, ...dates(2030) }]);
    const meanwhile = beforeFirst(table, 'TransactWriteCommand', remove);
    await expect(change({ metadata: dates(2031) }, meanwhile)).rejects.toThrow('Member not found');
    expect((await Promise.all(columns.map(rows))).flat()).toEqual([]);
  });
});

describe('a person with more journal entries in another list than one page has', () => {
  it('still has their actions in this one', async () => {
    await upsert([{ email: ANN }]);
    await change({ is_subscribed: false });
    const other = await newList(table, now, { organization: readers.organization_id });
    await upsert([{ email: ANN }], table, other);
    for (let changes = 0; changes < 204; changes++) {
      await change({ is_subscribed: changes % 2 === 1 }, table, other.id);
    }
    const actions = await activity.actions({ table, now }, readers.organization_id, idOf());
    expect(actions.map(({ type }) => type)).toEqual(['unsubscribe', 'subscribe']);
  });
});

describe('the sending key, changed by a request that has read a stale list', () => {
  const vault: sendingKey.Vault = { seal: async text => text, open: async sealed => sealed };
  const provider: Pick<KeyedProvider, 'probe'> = { probe: async () => ({ valid: true, message: '' }) };
  const set = (to: Parameters<typeof sendingKey.changeSendingKey>[2], of = readers) =>
    sendingKey.changeSendingKey({ table, now, vault }, of, to);
  const test = async () => sendingKey.testConnection({ table, vault, provider, now }, await reread());

  let stale: list.CountedList;
  beforeEach(async () => {
    await set({ mailgun_sending_key: 'key-one' });
    stale = await reread();
    await set({ mailgun_region: 'eu' }, stale);
    await test();
  });

  it('keeps its region and its test result where only the signing key is changed', async () => {
    await set({ mailgun_webhook_signing_key: 'sign-one' }, stale);
    expect(list.shown(await reread(), now)).toMatchObject({
      mailgun_webhook_signing_key: 'Defined',
      mailgun_region: 'eu',
      mailgun_connection_status: { connection_valid: true },
    });
  });

  it('is untested after a change of region, also where the stale list has that region', async () => {
    await set({ mailgun_region: 'us' }, stale);
    expect(list.shown(await reread(), now)).toMatchObject({
      mailgun_region: 'us',
      mailgun_connection_status: { connection_valid: null, last_tested_at: null },
    });
  });
});

describe('a list that is deleted', () => {
  const PNG = dataUrl(png(1, 1));
  const objects = { put: async () => {}, remove: async () => {}, deletePage: async () => false };

  it.each(['had none', 'had another one'])(
    'has the logo deleted that another request set meanwhile, where it %s',
    async had => {
      if (had === 'had another one') await list.changeLogo({ table, now, objects }, readers, PNG);
      const stale = await reread();
      const meanwhile = beforeFirst(table, 'TransactWriteCommand', () =>
        list.changeLogo({ table, now, objects }, stale, PNG),
      );
      await list.remove({ table: meanwhile, now }, stale);
      const [job] = await queryPartition(table, 'PURGE', `LIST#${readers.organization_id}#${readers.id}`);
      expect(job?.logo).toMatch(/^\/files\//);
      expect(job?.logo).not.toBe(stale.logo);
      expect(await list.lookUp({ table }, readers.organization_id, readers.id)).toBeUndefined();
    },
  );

  it('has no logo deleted where another request removed it meanwhile', async () => {
    await list.changeLogo({ table, now, objects }, readers, PNG);
    const stale = await reread();
    await list.changeLogo({ table, now, objects }, stale, null);
    await list.remove({ table, now }, stale);
    const [job] = await queryPartition(table, 'PURGE', `LIST#${readers.organization_id}#${readers.id}`);
    expect(job).toBeDefined();
    expect(job).not.toHaveProperty('logo');
  });
});
