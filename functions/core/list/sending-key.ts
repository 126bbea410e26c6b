import { type ConnectionTest, DEFINED, type Region, type SendingKeyChange } from '../../../shared/list.ts';
import { invalid, Refusal } from '../refusal.ts';
import type { Table } from '../table.store.ts';
import * as store from './list.store.ts';

type Context = Record<string, string>;
/** Keeps texts that only we can read, each bound to what it is for. */
export type Vault = {
  seal: (text: string, context: Context) => Promise<string>;
  open: (sealed: string, context: Context) => Promise<string>;
};
/** What a provider says to a message that lacks its recipient; undefined where it says nothing. */
export type Provider = {
  probe: (as: {
    key: string;
    domain: string;
    region: Region;
  }) => Promise<{ status: number; text: string } | undefined>;
};

const contextOf = ({ organization_id, id }: store.StoredList, purpose: 'sending-key' | 'signing-key') => ({
  organization: String(organization_id),
  list: id,
  purpose,
});

const MOST_TRIES = 5;

/** Whether the list has a sending key after the change. A verdict goes with the key and the region it was given on. */
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
  const sealed = async (text: string | null | undefined, purpose: 'sending-key' | 'signing-key') =>
    typeof text === 'string' && text !== DEFINED
      ? await vault.seal(text, contextOf(list, purpose))
      : undefined;
  const set = {
    sending_key: await sealed(sending, 'sending-key'),
    signing_key: await sealed(signing, 'signing-key'),
    region,
  };
  let before: store.StoredList = list;
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const isUntested =
      set.sending_key !== undefined || sending === null || (region ?? before.region) !== before.region;
    const drop = [
      ...(sending === null ? (['sending_key'] as const) : []),
      ...(signing === null ? (['signing_key'] as const) : []),
      ...(isUntested ? (['connection'] as const) : []),
    ];
    const isChange = drop.length > 0 || Object.values(set).some(value => value !== undefined);
    const written = isChange && (await store.change(table, before, { set, drop, provided: ['region'] }));
    if (written) return written.sending_key !== undefined;
    const now = await store.read(table, list.organization_id, list.id);
    if (!now) throw new Refusal('not-found', 'Email list not found');
    if (!isChange) return now.sending_key !== undefined;
    before = now;
  }
  throw new Refusal('conflict', 'Somebody else is changing the sending key. Please try again.');
}

type Verdict = { valid: boolean; message: string };

// A key that can only send says nothing of itself: but a message without a recipient is judged for its key first.
const VERDICTS: Record<number, Verdict> = {
  400: { valid: true, message: 'Mailgun accepts this sending key for the domain.' },
  401: { valid: false, message: 'Mailgun does not accept this sending key. Check the key and the region.' },
  403: { valid: false, message: 'Mailgun does not let this sending key send for the domain.' },
  404: { valid: false, message: 'Mailgun does not know this domain. Check the domain and the region.' },
};

const NO_VERDICT = 'Mailgun could not be reached or gave no clear answer. Please try again later.';

/** A verdict is kept as long as key, region and domain are those that were tested. */
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
