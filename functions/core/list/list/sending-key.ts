import { type ConnectionTest, DEFINED, type Region, type SendingKeyChange } from '../../../../shared/list.ts';
import { invalid, Refusal } from '../../refusal.ts';
import { optimistically } from '../../storage/optimistic.ts';
import type { Table } from '../../storage/table.store.ts';
import * as store from './list.store.ts';

type Context = Record<string, string>;
/** Encrypts texts, each bound to a context: it is decrypted in the same context only. */
export type Vault = {
  seal: (text: string, context: Context) => Promise<string>;
  open: (sealed: string, context: Context) => Promise<string>;
};
/** Posts a message without a recipient and answers the response; undefined where there was none. */
export type Provider = {
  probe: (as: Access) => Promise<{ status: number } | undefined>;
};

const contextOf = ({ organization_id, id }: store.StoredList, purpose: 'sending-key' | 'signing-key') => ({
  organization: String(organization_id),
  list: id,
  purpose,
});

type Purpose = Parameters<typeof contextOf>[1];

/** Whether the list has a sending key after the change. A verdict is dropped with the key or the region it was for. */
export async function changeSendingKey(
  { table, vault }: { table: Table; vault: Vault },
  list: store.StoredList,
  change: SendingKeyChange,
): Promise<boolean> {
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
      const written = await store.change(table, before, { set, drop, provided: ['region'] });
      return written && written.sending_key !== undefined;
    },
    conflict: 'Another change of the sending key is under way. Please try again.',
  });
}

type Verdict = { valid: boolean; message: string };

// A sending key can do nothing but post messages; Mailgun checks the key before it misses the recipient.
const VERDICTS: Record<number, Verdict> = {
  400: { valid: true, message: 'Mailgun accepts this sending key for the domain.' },
  401: { valid: false, message: 'Mailgun does not accept this sending key. Check the key and the region.' },
  403: { valid: false, message: 'Mailgun does not let this sending key send for the domain.' },
  404: { valid: false, message: 'Mailgun does not know this domain. Check the domain and the region.' },
};

const NO_VERDICT = 'Mailgun could not be reached or gave no clear answer. Please try again later.';

export type Access = { key: string; domain: string; region: Region };

/** What the provider is called with for a list. */
export async function accessOf({ vault }: { vault: Vault }, list: store.StoredList): Promise<Access> {
  if (!list.sending_key) {
    throw new Refusal('conflict', `The list ${list.name} has no sending key yet. Set one on its page.`);
  }
  const key = await vault.open(list.sending_key, contextOf(list, 'sending-key'));
  return { key, domain: list.domain, region: list.region };
}

/** The key that the provider signs a list's events with; undefined where the list has none of its own. */
export const signingKeyOf = async ({ vault }: { vault: Pick<Vault, 'open'> }, list: store.StoredList) =>
  list.signing_key && vault.open(list.signing_key, contextOf(list, 'signing-key'));

/** The verdict is stored on condition that key, region and domain are those that were tested. */
export async function testConnection(
  { table, vault, provider, now }: { table: Table; vault: Vault; provider: Provider; now: Date },
  list: store.StoredList,
): Promise<ConnectionTest> {
  if (!list.sending_key)
    throw invalid('mailgun_sending_key', 'Set a sending key before you test the connection');
  const key = await vault.open(list.sending_key, contextOf(list, 'sending-key'));
  const answer = await provider.probe({ key, domain: list.domain, region: list.region });
  const verdict = answer && VERDICTS[answer.status];
  if (!verdict) {
    return {
      success: false,
      message: NO_VERDICT,
      testedAt: list.connection?.tested_at ?? null,
      connectionValid: list.connection?.valid ?? null,
    };
  }
  const tested_at = now.toISOString();
  const written = await store.change(table, list, {
    set: { connection: { tested_at, valid: verdict.valid } },
    provided: ['sending_key', 'region', 'domain'],
  });
  if (!written) {
    throw new Refusal('conflict', 'The sending key was changed during the test. Please test it again.');
  }
  return { success: true, message: verdict.message, testedAt: tested_at, connectionValid: verdict.valid };
}

/** The provider does not take the key: nothing is sent until it is replaced, or tested as valid. */
export const markDenied = ({ table, now }: { table: Table; now: Date }, list: store.StoredList) =>
  store.change(table, list, {
    set: { connection: { tested_at: now.toISOString(), valid: false } },
    provided: ['sending_key', 'region', 'domain'],
  });

/** The provider takes nothing for the list until then. */
export const pause = ({ table }: { table: Table }, list: store.StoredList, until: Date) =>
  store.change(table, list, { set: { paused_until: until.toISOString() } });
