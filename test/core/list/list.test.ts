import { beforeEach, describe, expect, it } from 'vitest';
import * as listStore from '#core/list/list.store.ts';
import * as list from '#core/list/list.ts';
import * as sendingKey from '#core/list/sending-key.ts';
import * as organization from '#core/organization/organization.ts';
import type { KeyedProvider } from '#core/provider.ts';
import { batchWrite, queryPartition } from '#core/storage/table.store.ts';
import type { ListChange } from '#shared/list.ts';
import { createList, found, newList } from '#test/support/core-list.ts';
import { freshTable } from '#test/support/engine.ts';
import { actingIn, newUser } from '#test/support/people.ts';

const table = freshTable({ anyItems: true });
const now = new Date('2030-01-01T12:00:00Z');
const later = new Date('2030-01-02T12:00:00Z');

let readers: list.CountedList;
beforeEach(async () => {
  readers = await newList(table, now);
});
const reread = () => found(table, readers.organization_id, readers.id);

it('a list is read without the keys of its items', async () => {
  const { id, organization_id, counts, ...form } = await reread();
  expect(counts).toEqual({ total: 0, subscribed: 0 });
  expect(Object.keys(form).sort()).toEqual([
    'active',
    'created_at',
    'domain',
    'name',
    'provider',
    'public_name',
    'region',
    'reply_to',
    'second_provider',
    'sender_address',
    'sender_name',
    'time_zone',
    'unsubscribe_text',
  ]);
});

it('the lists of an organization are sorted by name, and are all that is listed of its partition', async () => {
  const { organization_id: organization } = readers;
  // Their ids are random, so that two names may be in order by chance.
  for (const name of ['f', 'b', 'e', 'a', 'd', 'c']) await newList(table, now, { organization, name });
  const PK = `ORG#${organization}`;
  const puts = [`HOOK#${readers.id}#hook`, 'AUTO#automation'].map(SK => ({ PK, SK, name: 'No list' }));
  await batchWrite(table, { puts });
  const listed = await list.listOf({ table, now }, organization);
  expect(listed.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'Readers']);
});

it('an automation shows of its lists why nothing is sent to one', async () => {
  const { organization_id, id } = readers;
  const paused = async (fields: object) => {
    const stored = { ...readers, sending_key: 'encrypted', ...fields };
    await batchWrite(table, { puts: [{ PK: `ORG#${organization_id}`, SK: `LIST#${id}`, ...stored }] });
    return (await list.options(table, organization_id, [id])).get(id)?.paused;
  };
  const refused = { connection: { valid: false, tested_at: now.toISOString() } };
  expect(await paused({})).toBeUndefined();
  expect(await paused({ connection: { valid: true, tested_at: now.toISOString() } })).toBeUndefined();
  expect(await paused(refused)).toBe('key_refused');
  expect(await paused({ sending_key: undefined })).toBe('no_key');
  expect(await paused({ ...refused, active: false })).toBe('inactive');
  expect(await paused({ sending_key: undefined, active: false })).toBe('inactive');
});

it('a list is not created in an organization that was deleted after the request was let in', async () => {
  const owner = await newUser(table, now);
  const { id } = await organization.create({ table, now }, owner.id, 'Annex');
  const active = await actingIn(table, owner.id, id);
  await organization.remove({ table, now }, active);
  await expect(createList(table, now, active)).rejects.toMatchObject({ reason: 'conflict' });
  expect(await queryPartition(table, `ORG#${id}`, 'LIST#')).toEqual([]);
});

describe('changing a list', () => {
  it('changes the fields that are sent, and no others', async () => {
    const changed = await list.change({ table, now }, readers, { name: 'Subscribers', active: false });
    expect(changed).toEqual({ ...list.shown(readers, now), name: 'Subscribers', active: false });
    expect(list.shown(await reread(), now)).toEqual(changed);
  });

  it('stores since when it is active where that is switched on, and keeps it where an active one is saved', async () => {
    const since = async (to: ListChange, at: Date) => {
      await list.change({ table, now: at }, await reread(), to);
      return (await reread()).active_since;
    };
    expect(await since({ name: 'Subscribers', active: true }, now)).toBeUndefined();
    expect(await since({ active: false }, now)).toBeUndefined();
    expect(await since({ active: true }, now)).toBe(now.toISOString());
    expect(await since({ name: 'Readers', active: true }, later)).toBe(now.toISOString());
  });

  it('keeps since when it is active where another request switched it on after the list was read', async () => {
    await list.change({ table, now }, readers, { active: false });
    const off = await reread();
    await list.change({ table, now }, off, { active: true });
    await list.change({ table, now: later }, off, { name: 'Readers', active: true });
    expect((await reread()).active_since).toBe(now.toISOString());
  });

  it('keeps the pauses and failures of its providers until these change, if only their order', async () => {
    const until = later.toISOString();
    const failing = { since: now.toISOString(), tried_at: now.toISOString(), reason: 'denied' } as const;
    const noted = { paused_until: until, second_paused_until: until, failing };
    await listStore.change(table, readers, { set: { second_provider: 'ses', ...noted } });
    await list.change({ table, now }, await reread(), { name: 'Renamed' });
    expect(await reread()).toMatchObject(noted);
    await list.change({ table, now }, await reread(), { provider: 'ses', second_provider: 'mailgun' });
    for (const field of Object.keys(noted)) expect(await reread()).not.toHaveProperty(field);
  });

  it('has two providers that differ, also where only one of them is sent', async () => {
    await listStore.change(table, readers, { set: { second_provider: 'ses' } });
    await expect(list.change({ table, now }, await reread(), { provider: 'ses' })).rejects.toMatchObject({
      errors: { second_provider: [expect.any(String)] },
    });
  });

  it('requires that the sender matches the domain, also where only one of them is sent', async () => {
    await expect(list.change({ table, now }, readers, { domain: 'example.org' })).rejects.toMatchObject({
      errors: { sender_address: ['Email domain must match the list domain (example.org)'] },
    });
    const both = { domain: 'example.org', sender_address: 'letters@example.org' };
    expect(await list.change({ table, now }, readers, both)).toMatchObject(both);
  });

  it('requires a matching sender also where another request changed the domain after the list was read', async () => {
    await list.change({ table, now }, readers, {
      domain: 'example.org',
      sender_address: 'letters@example.org',
    });
    // `readers` was read before that, with the old domain.
    await expect(
      list.change({ table, now }, readers, { sender_address: 'editors@example.com' }),
    ).rejects.toMatchObject({ errors: { sender_address: [expect.stringContaining('(example.org)')] } });
    expect(await reread()).toMatchObject({ domain: 'example.org', sender_address: 'letters@example.org' });
  });

  it('refuses an admin a domain that another list warms up, unless it is warmed up here too', async () => {
    const domain = { domain: 'example.org', sender_address: 'a@example.org' };
    const { organization_id: organization } = readers;
    await newList(table, now, { organization, name: 'Buyers', ...domain, warm_up: 'on' });
    const admin = { table, now, role: 'ADMIN' } as const;
    await expect(list.change(admin, readers, domain)).rejects.toMatchObject({
      reason: 'forbidden',
      message: expect.stringContaining('example.org is in warm-up by “Buyers”'),
    });
    expect(await reread()).toEqual(readers);
    const both = { ...domain, warm_up: 'on' } as const;
    expect(await list.change(admin, readers, both)).toMatchObject(both);
  });

  it('answers not found where the list was deleted meanwhile', async () => {
    await list.remove({ table, now }, readers);
    await expect(list.change({ table, now }, readers, { name: 'Back' })).rejects.toThrow(
      'Email list not found',
    );
    await expect(list.remove({ table, now }, readers)).rejects.toThrow('Email list not found');
    expect(await list.lookUp({ table }, readers.organization_id, readers.id)).toBeUndefined();
  });
});

describe('the sending key', () => {
  type Sealed = { text: string; context: object };
  const vault: sendingKey.Vault = {
    seal: async (text, context) => Buffer.from(JSON.stringify({ text, context })).toString('base64'),
    open: async (sealed, context) => {
      const found = JSON.parse(Buffer.from(sealed, 'base64').toString()) as Sealed;
      expect(found.context).toEqual(context);
      return found.text;
    },
  };
  const set = (change: Parameters<typeof sendingKey.changeSendingKey>[2]) =>
    sendingKey.changeSendingKey({ table, now, vault }, readers, change);
  const answering = (valid: boolean | undefined) => {
    const asked: object[] = [];
    const probe: KeyedProvider['probe'] = async as => {
      asked.push(as);
      return { valid, message: 'As the provider says' };
    };
    return { asked, provider: { probe } };
  };
  const test = async (valid: boolean | undefined, at = now) =>
    sendingKey.testConnection({ table, vault, ...answering(valid), now: at }, await reread());

  it('is stored encrypted, for its organization and list alone, and never answered', async () => {
    expect(await set({ mailgun_sending_key: 'key-one', mailgun_webhook_signing_key: 'sign-one' })).toBe(true);
    const stored = await reread();
    expect(JSON.stringify(stored)).not.toMatch(/key-one|sign-one/);
    const context = { organization: String(readers.organization_id), list: readers.id };
    const opened = [
      vault.open(stored.sending_key ?? '', { ...context, purpose: 'sending-key' }),
      vault.open(stored.signing_key ?? '', { ...context, purpose: 'signing-key' }),
    ];
    expect(await Promise.all(opened)).toEqual(['key-one', 'sign-one']);
    expect(list.shown(stored, now)).toMatchObject({
      mailgun_sending_key: 'Defined',
      mailgun_webhook_signing_key: 'Defined',
      mailgun_region: 'us',
    });
  });

  it('does not change where `Defined` or nothing is sent', async () => {
    await set({ mailgun_sending_key: 'key-one', mailgun_webhook_signing_key: 'sign-one' });
    const before = await reread();
    expect(await set({ mailgun_sending_key: 'Defined', mailgun_webhook_signing_key: 'Defined' })).toBe(true);
    expect(await set({ mailgun_region: 'us' })).toBe(true);
    expect(await reread()).toEqual(before);
  });

  it.each([true, false])('is tested as the provider says: %s', async valid => {
    await set({ mailgun_sending_key: 'key-one', mailgun_region: 'eu' });
    const { asked, provider } = answering(valid);
    const answer = await sendingKey.testConnection({ table, vault, provider, now: later }, await reread());
    expect(asked).toMatchObject([{ key: 'key-one', domain: 'example.com', region: 'eu' }]);
    expect(answer).toMatchObject({
      success: true,
      testedAt: later.toISOString(),
      connectionValid: valid,
      message: 'As the provider says',
    });
    expect(list.shown(await reread(), now).mailgun_connection_status).toEqual({
      last_tested_at: later.toISOString(),
      connection_valid: valid,
    });
  });

  it('is tested as that of Mailgun where another provider comes first', async () => {
    await set({ mailgun_sending_key: 'key-one' });
    const { asked, provider } = answering(true);
    const both = { ...(await reread()), provider: 'ses', second_provider: 'mailgun' } as const;
    await sendingKey.testConnection({ table, vault, provider, now }, both);
    expect(asked).toMatchObject([{ key: 'key-one' }]);
  });

  it('keeps the result of the test before where the provider gives no clear answer', async () => {
    await set({ mailgun_sending_key: 'key-one' });
    await test(true);
    expect(await test(undefined, later)).toMatchObject({
      success: false,
      testedAt: now.toISOString(),
      connectionValid: true,
    });
    expect((await reread()).connection).toEqual({ tested_at: now.toISOString(), valid: true });
  });

  it.each([
    ['another key', { mailgun_sending_key: 'key-two' }],
    ['no key', { mailgun_sending_key: null }],
    ['another region', { mailgun_region: 'eu' as const }],
  ])('is untested after %s', async (_, change) => {
    await set({ mailgun_sending_key: 'key-one' });
    await test(true);
    readers = await reread();
    expect(await set(change)).toBe(!('mailgun_sending_key' in change) || change.mailgun_sending_key !== null);
    expect((await reread()).connection).toBeUndefined();
  });

  it('is untested after another domain', async () => {
    await set({ mailgun_sending_key: 'key-one' });
    await test(true);
    await list.change({ table, now }, await reread(), {
      domain: 'example.org',
      sender_address: 'a@example.org',
    });
    expect((await reread()).connection).toBeUndefined();
  });

  it.each([
    ['it', () => set({ mailgun_sending_key: 'key-two' })],
    ['its region', () => set({ mailgun_region: 'eu' })],
    [
      'the domain',
      () => list.change({ table, now }, readers, { domain: 'a.org', sender_address: 'a@a.org' }),
    ],
  ])('has no test result where %s was replaced during the test', async (_, replace) => {
    await set({ mailgun_sending_key: 'key-one' });
    const tested = await reread();
    await replace();
    await expect(
      sendingKey.testConnection({ table, vault, ...answering(true), now }, tested),
    ).rejects.toMatchObject({ reason: 'conflict' });
    expect((await reread()).connection).toBeUndefined();
  });

  it('cannot be tested where none is set, nor used to send', async () => {
    await expect(test(true)).rejects.toMatchObject({ reason: 'invalid' });
    await expect(sendingKey.accessOf({ vault }, readers, 'mailgun')).rejects.toMatchObject({
      reason: 'conflict',
      message: expect.stringContaining('Readers has no sending key'),
    });
  });

  it('and its test stay as they are where the signing key is replaced or removed', async () => {
    const both = { mailgun_sending_key: 'key-one', mailgun_webhook_signing_key: 'sign-one' };
    await set(both);
    await test(true);
    readers = await reread();
    const signingKey = async () => sendingKey.signingKeyOf({ vault }, await reread());
    expect(await set({ mailgun_webhook_signing_key: 'sign-two' })).toBe(true);
    expect(await signingKey()).toBe('sign-two');
    expect(await set({ mailgun_webhook_signing_key: null })).toBe(true);
    expect(await signingKey()).toBeUndefined();
    const after = await reread();
    expect(after.connection).toEqual({ tested_at: now.toISOString(), valid: true });
    expect(await sendingKey.accessOf({ vault }, after, 'mailgun')).toEqual({
      organization: after.organization_id,
      key: 'key-one',
      domain: 'example.com',
      region: 'us',
    });
  });

  it('is refused by the provider until it is replaced, which a late refusal does not undo', async () => {
    await set({ mailgun_sending_key: 'key-one' });
    const refused = await reread();
    await sendingKey.markDenied({ table, now }, refused);
    expect((await reread()).connection).toEqual({ tested_at: now.toISOString(), valid: false });
    await set({ mailgun_sending_key: 'key-two' });
    await sendingKey.markDenied({ table, now: later }, refused);
    expect((await reread()).connection).toBeUndefined();
  });

  it('pauses its list until the latest instant that the provider named, and brings no deleted list back', async () => {
    await listStore.pause(table, readers, later);
    await listStore.pause(table, readers, now);
    expect((await reread()).paused_until).toBe(later.toISOString());
    await sendingKey.setTestMode(table, readers.organization_id, readers.id);
    await set({ mailgun_sending_key: 'key-one' });
    expect(await sendingKey.accessOf({ vault }, await reread(), 'mailgun')).toMatchObject({ testMode: true });
    await list.remove({ table, now }, readers);
    await listStore.pause(table, readers, later);
    await sendingKey.markDenied({ table, now }, readers);
    await expect(sendingKey.setTestMode(table, readers.organization_id, readers.id)).rejects.toMatchObject({
      reason: 'not-found',
    });
    expect(await list.lookUp({ table }, readers.organization_id, readers.id)).toBeUndefined();
  });
});
