import type { Changing } from '#core/organization/record.ts';
import type { Access, KeyedProvider } from '#core/provider.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import { definedFields, optimistically } from '#core/storage/write.store.ts';
import { type ConnectionTest, DEFINED, type SendingKeyChange } from '#shared/list.ts';
import { KEY_PROVIDER, needsKey, type ProviderName } from '#shared/providers.ts';
import { listNotFound } from './counts.ts';
import * as store from './list.store.ts';
import { recordedWrites } from './list.ts';

type Context = Record<string, string>;
/** Encrypts texts. Each is bound to a context, and can be decrypted with the same context only. */
export type Vault = {
  seal: (text: string, context: Context) => Promise<string>;
  open: (sealed: string, context: Context) => Promise<string>;
};

const contextOf = ({ organization_id, id }: store.StoredList, purpose: 'sending-key' | 'signing-key') => ({
  organization: String(organization_id),
  list: id,
  purpose,
});

type Purpose = Parameters<typeof contextOf>[1];

/** A change of key or region drops the result of the last test. Returns whether the list has a key now. */
export async function changeSendingKey(
  needs: Changing & { vault: Vault },
  list: store.StoredList,
  change: SendingKeyChange,
): Promise<boolean> {
  const { table, vault } = needs;
  const {
    mailgun_sending_key: sending,
    mailgun_webhook_signing_key: signing,
    mailgun_region: region,
  } = change;
  const sealed = async (text: string | null | undefined, purpose: Purpose) =>
    typeof text === 'string' && text !== DEFINED ? vault.seal(text, contextOf(list, purpose)) : undefined;
  const set = {
    sending_key: await sealed(sending, 'sending-key'),
    signing_key: await sealed(signing, 'signing-key'),
    region,
  };
  const read = () => store.readExisting(table, list);
  return optimistically<store.StoredList, boolean>({
    known: list,
    read,
    write: async before => {
      const isOtherRegion = region !== undefined && region !== before.region;
      const isUntested = set.sending_key !== undefined || sending === null || isOtherRegion;
      const drop = [
        ...(sending === null ? (['sending_key'] as const) : []),
        ...(signing === null ? (['signing_key'] as const) : []),
        ...(isUntested ? (['connection'] as const) : []),
      ];
      const isChange = drop.length > 0 || Object.values(set).some(value => value !== undefined);
      if (!isChange) return (await read()).sending_key !== undefined;
      const dropped = Object.fromEntries(drop.map(field => [field, undefined]));
      const after = { ...before, ...definedFields(set), ...dropped };
      const written = await store.change(table, before, {
        set,
        drop,
        provided: ['region', 'sending_key', 'signing_key'],
        others: recordedWrites(needs, before, after),
      });
      return written && written.sending_key !== undefined;
    },
    conflict: 'Another change of the sending key is under way. Please try again.',
  });
}

export async function accessOf(
  { vault }: { vault: Pick<Vault, 'open'> },
  list: store.StoredList,
  provider: ProviderName,
): Promise<Access> {
  const { organization_id: organization, domain, region, test_mode } = list;
  const access = { organization, domain, region, ...(test_mode && { testMode: test_mode }) };
  if (!needsKey(provider)) return access;
  if (!list.sending_key) {
    throw new Refusal('conflict', `The list ${list.name} has no sending key yet. Set one on its page.`);
  }
  return { ...access, key: await vault.open(list.sending_key, contextOf(list, 'sending-key')) };
}

/** Switches the test mode on: the provider delivers no email of the list any more. Emails are counted and tracked as before. */
export async function setTestMode(table: Table, organizationId: number, id: string): Promise<void> {
  const [list] = await store.readThese(table, organizationId, [id]);
  if (!list || !(await store.change(table, list, { set: { test_mode: true } }))) throw listNotFound();
}

/** The key with which the provider signs a list's events. Returns undefined if the list has none of its own. */
export const signingKeyOf = async ({ vault }: { vault: Pick<Vault, 'open'> }, list: store.StoredList) =>
  list.signing_key && vault.open(list.signing_key, contextOf(list, 'signing-key'));

/** Tests the connection. The result is stored on condition that key, region and domain are still the tested ones. */
export async function testConnection(
  {
    table,
    vault,
    provider,
    now,
  }: { table: Table; vault: Vault; provider: Pick<KeyedProvider, 'probe'>; now: Date },
  list: store.StoredList,
): Promise<ConnectionTest> {
  if (!list.sending_key)
    throw invalid('mailgun_sending_key', 'Set a sending key before you test the connection');
  const { valid, message } = await provider.probe(await accessOf({ vault }, list, KEY_PROVIDER));
  if (valid === undefined) {
    return {
      success: false,
      message,
      testedAt: list.connection?.tested_at ?? null,
      connectionValid: list.connection?.valid ?? null,
    };
  }
  const tested_at = now.toISOString();
  const written = await store.change(table, list, {
    set: { connection: { tested_at, valid } },
    provided: ['sending_key', 'region', 'domain'],
  });
  if (!written) {
    throw new Refusal('conflict', 'The sending key was changed during the test. Please test it again.');
  }
  return { success: true, message, testedAt: tested_at, connectionValid: valid };
}

/** Marks the key as refused by the provider: nothing is sent until it is replaced, or tested as valid. */
export const markDenied = ({ table, now }: { table: Table; now: Date }, list: store.StoredList) =>
  store.change(table, list, {
    set: { connection: { tested_at: now.toISOString(), valid: false } },
    provided: ['sending_key', 'region', 'domain'],
  });
