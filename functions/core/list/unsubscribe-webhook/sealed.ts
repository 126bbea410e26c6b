import { invalid } from '#core/refusal.ts';
import { DEFINED } from '#shared/list.ts';
import type { Vault } from '../sending-key.ts';
import type { StoredWebhook } from './unsubscribe-webhook.store.ts';

type Named = Pick<StoredWebhook, 'organization_id' | 'list_id' | 'id'>;
type Opens = { vault: Pick<Vault, 'open'> };

const contextOf = ({ organization_id, list_id, id }: Named, purpose: 'secret' | 'headers') => ({
  organization: String(organization_id),
  list: list_id,
  webhook: id,
  purpose: `webhook-${purpose}`,
});

type Headers = Record<string, string>;

export const sealSecret = ({ vault }: { vault: Vault }, webhook: Named, secret: string) =>
  vault.seal(secret, contextOf(webhook, 'secret'));

/** The secrets to sign with: the current one, and for a while after a rotation the one before. */
export async function secretsOf({ vault }: Opens, webhook: StoredWebhook, now: Date): Promise<string[]> {
  const { secret, old_secret, old_secret_until = '' } = webhook;
  const sealed = old_secret && old_secret_until > now.toISOString() ? [secret, old_secret] : [secret];
  return Promise.all(sealed.map(one => vault.open(one, contextOf(webhook, 'secret'))));
}

export const headersOf = async ({ vault }: Opens, webhook: StoredWebhook): Promise<Headers> =>
  webhook.headers === undefined
    ? {}
    : JSON.parse(await vault.open(webhook.headers, contextOf(webhook, 'headers')));

/** The stored fields of changed headers. The value `Defined` keeps the value before. */
export async function headerFields(
  needs: { vault: Vault },
  webhook: Named & Partial<Pick<StoredWebhook, 'headers'>>,
  written: Headers,
): Promise<{ header_keys: string[]; headers?: string }> {
  const header_keys = Object.keys(written);
  if (header_keys.length === 0) return { header_keys };
  const isKept = Object.values(written).includes(DEFINED);
  const before = isKept ? await headersOf(needs, webhook as StoredWebhook) : {};
  const known = new Map(Object.entries(before).map(([key, value]) => [key.toLowerCase(), value]));
  const all = Object.entries(written).map(([key, value]): [string, string] => {
    const text = value === DEFINED ? known.get(key.toLowerCase()) : value.trim();
    if (text === undefined) throw invalid(`headers.${key}`, 'Header value is required');
    return [key, text];
  });
  const sealed = await needs.vault.seal(
    JSON.stringify(Object.fromEntries(all)),
    contextOf(webhook, 'headers'),
  );
  return { header_keys, headers: sealed };
}
