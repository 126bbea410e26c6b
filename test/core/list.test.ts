import { beforeEach, describe, expect, it } from 'vitest';
import * as list from '../../functions/core/list/list.ts';
import { found, newList } from '../support/core-list.ts';
import { freshTable } from '../support/engine.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');
const later = new Date('2030-01-02T12:00:00Z');

let readers: list.Found;
beforeEach(async () => {
  readers = await newList(table, now);
});
const again = () => found(table, readers.organization_id, readers.id);

it('a list is read without the keys of its items', async () => {
  const { id, organization_id, counts, ...form } = await again();
  expect(counts).toEqual({ total: 0, subscribed: 0 });
  expect(Object.keys(form).sort()).toEqual([
    'active',
    'created_at',
    'domain',
    'name',
    'region',
    'sender_address',
    'sender_name',
    'unsubscribe_text',
  ]);
});

describe('changing a list', () => {
  it('changes what is sent, and leaves the rest', async () => {
    const changed = await list.change({ table }, readers, { name: 'Subscribers', active: false });
    expect(changed).toEqual({ ...list.shown(readers), name: 'Subscribers', active: false });
    expect(list.shown(await again())).toEqual(changed);
  });

  it('keeps sender and domain in agreement, also with what it had before', async () => {
    await expect(list.change({ table }, readers, { domain: 'example.org' })).rejects.toMatchObject({
      errors: { sender_address: ['Email domain must match the list domain (example.org)'] },
    });
    const both = { domain: 'example.org', sender_address: 'letters@example.org' };
    expect(await list.change({ table }, readers, both)).toMatchObject(both);
  });

  it('keeps them in agreement when two change one each at the same moment', async () => {
    await list.change({ table }, readers, { domain: 'example.org', sender_address: 'letters@example.org' });
    // Whoever read the list before that still thinks of the old domain.
    await expect(
      list.change({ table }, readers, { sender_address: 'editors@example.com' }),
    ).rejects.toMatchObject({ errors: { sender_address: [expect.stringContaining('(example.org)')] } });
    expect(await again()).toMatchObject({ domain: 'example.org', sender_address: 'letters@example.org' });
  });

  it('says so where the list is deleted meanwhile', async () => {
    await list.remove({ table, now }, readers);
    await expect(list.change({ table }, readers, { name: 'Back' })).rejects.toThrow('Email list not found');
    await expect(list.remove({ table, now }, readers)).rejects.toThrow('Email list not found');
    expect(await list.lookUp({ table }, readers.organization_id, readers.id)).toBeUndefined();
  });
});

describe('the sending key', () => {
  type Sealed = { text: string; context: object };
  const vault: list.Vault = {
    seal: async (text, context) => Buffer.from(JSON.stringify({ text, context })).toString('base64'),
    open: async (sealed, context) => {
      const found = JSON.parse(Buffer.from(sealed, 'base64').toString()) as Sealed;
      expect(found.context).toEqual(context);
      return found.text;
    },
  };
  const set = (change: Parameters<typeof list.changeSendingKey>[2]) =>
    list.changeSendingKey({ table, vault }, readers, change);
  const answering = (status: number | undefined) => {
    const asked: object[] = [];
    const probe: list.Provider['probe'] = async as => {
      asked.push(as);
      return status === undefined ? undefined : { status, text: '' };
    };
    return { asked, provider: { probe } };
  };
  const test = async (status: number | undefined, at = now) =>
    list.testConnection({ table, vault, ...answering(status), now: at }, await again());

  it('is kept sealed, for its organization and list alone, and is never read back', async () => {
    expect(await set({ mailgun_sending_key: 'key-one', mailgun_webhook_signing_key: 'sign-one' })).toBe(true);
    const stored = await again();
    expect(JSON.stringify(stored)).not.toMatch(/key-one|sign-one/);
    expect(
      await vault.open(stored.sending_key ?? '', {
        organization: String(readers.organization_id),
        list: readers.id,
        purpose: 'sending-key',
      }),
    ).toBe('key-one');
    expect(list.shown(stored)).toMatchObject({
      mailgun_sending_key: 'Defined',
      mailgun_webhook_signing_key: 'Defined',
      mailgun_region: 'us',
    });
  });

  it('is left as it is by `Defined`, and by nothing', async () => {
    await set({ mailgun_sending_key: 'key-one', mailgun_webhook_signing_key: 'sign-one' });
    const before = await again();
    expect(await set({ mailgun_sending_key: 'Defined', mailgun_webhook_signing_key: 'Defined' })).toBe(true);
    expect(await set({ mailgun_region: 'us' })).toBe(true);
    expect(await again()).toEqual(before);
  });

  it.each([
    [400, true],
    [401, false],
    [403, false],
    [404, false],
  ])('is judged by the answer %i to a message without a recipient: valid is %s', async (status, valid) => {
    await set({ mailgun_sending_key: 'key-one', mailgun_region: 'eu' });
    const { asked, provider } = answering(status);
    const answer = await list.testConnection({ table, vault, provider, now: later }, await again());
    expect(asked).toEqual([{ key: 'key-one', domain: 'example.com', region: 'eu' }]);
    expect(answer).toMatchObject({ success: true, testedAt: later.toISOString(), connectionValid: valid });
    expect(list.shown(await again()).mailgun_connection_status).toEqual({
      last_tested_at: later.toISOString(),
      connection_valid: valid,
    });
  });

  it.each([200, 429, 500, 503, undefined])(
    'is not judged by the answer %s: the verdict before stands',
    async status => {
      await set({ mailgun_sending_key: 'key-one' });
      await test(400);
      expect(await test(status, later)).toMatchObject({
        success: false,
        testedAt: now.toISOString(),
        connectionValid: true,
      });
      expect((await again()).connection).toEqual({ tested_at: now.toISOString(), valid: true });
    },
  );

  it.each([
    ['another key', { mailgun_sending_key: 'key-two' }],
    ['no key', { mailgun_sending_key: null }],
    ['another region', { mailgun_region: 'eu' as const }],
  ])('is untested after %s', async (_, change) => {
    await set({ mailgun_sending_key: 'key-one' });
    await test(400);
    readers = await again();
    expect(await set(change)).toBe(!('mailgun_sending_key' in change) || change.mailgun_sending_key !== null);
    expect((await again()).connection).toBeUndefined();
  });

  it('is untested after another domain', async () => {
    await set({ mailgun_sending_key: 'key-one' });
    await test(400);
    await list.change({ table }, await again(), { domain: 'example.org', sender_address: 'a@example.org' });
    expect((await again()).connection).toBeUndefined();
  });

  it('is not called valid when it was replaced during the test', async () => {
    await set({ mailgun_sending_key: 'key-one' });
    const tested = await again();
    await set({ mailgun_sending_key: 'key-two' });
    await expect(list.testConnection({ table, vault, ...answering(400), now }, tested)).rejects.toMatchObject(
      { reason: 'conflict' },
    );
    expect((await again()).connection).toBeUndefined();
  });

  it('cannot be tested where there is none', async () => {
    await expect(test(400)).rejects.toMatchObject({ reason: 'invalid' });
  });
});
