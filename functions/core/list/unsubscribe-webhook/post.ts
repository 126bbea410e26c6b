import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { invalid } from '#core/refusal.ts';
import { DEFINED } from '#shared/list.ts';
import type { WebhookTest } from '#shared/unsubscribe-webhook.ts';
import { eventType } from '#shared/webhook-events.ts';
import type { Vault } from '../sending-key.ts';
import { dataOf, exampleOf } from './member-event.ts';
import type { StoredWebhook } from './unsubscribe-webhook.store.ts';

type Answered =
  | { status: number }
  /** `unreachable` also covers addresses to which no connection may be opened: a caller cannot tell one from the other. */
  | { error: 'unreachable' | 'tls' | 'timeout' | 'broken' };
export type Posted = { ms: number; retryAfter?: number | undefined } & Answered;
/** Sends one request to an address of the public internet. It never throws. */
export type Post = (message: {
  url: string;
  headers: Record<string, string>;
  body: string;
}) => Promise<Posted>;

export type Posts = { vault: Pick<Vault, 'open'>; post: Post };

const GONE = 410;

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export async function postTo(
  needs: Posts & { now: Date },
  webhook: StoredWebhook,
  { id, type, at, data }: { id: string; type: string; at: string; data: object },
): Promise<Posted> {
  const body = JSON.stringify({ type, timestamp: at, data });
  const [secrets, headers] = await Promise.all([
    secretsOf(needs, webhook, needs.now),
    headersOf(needs, webhook),
  ]);
  return needs.post({
    url: webhook.url,
    headers: {
      'user-agent': 'Letterflow-Webhooks',
      ...lowered(headers),
      'content-type': 'application/json',
      ...signedHeaders(secrets, { id, at: needs.now, body }),
    },
    body,
  });
}

const lowered = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]));

/** Whether the endpoint has accepted the message. A redirect is not followed, so it is a failure. */
export const isDelivered = (posted: Posted) =>
  'status' in posted && posted.status >= 200 && posted.status < 300;

export const isGone = (posted: Posted) => 'status' in posted && posted.status === GONE;

const ERRORS = {
  unreachable: 'The address cannot be reached',
  tls: 'The TLS certificate is not valid',
  timeout: 'There was no answer within 15 seconds',
  broken: 'The connection was closed before an answer',
};

export function faultOf(posted: Posted): string | undefined {
  if (isDelivered(posted)) return undefined;
  if ('error' in posted) return ERRORS[posted.error];
  const isRedirect = posted.status >= 300 && posted.status < 400;
  return isRedirect ? 'The endpoint redirects, which is not followed' : 'The endpoint answered with an error';
}

/** Undefined if the address was not reached: how long that takes would tell something of the network. */
export const durationOf = (posted: Posted) =>
  'error' in posted && posted.error === 'unreachable' ? undefined : posted.ms;

const PREFIX = 'whsec_';
const BYTES = 32;

export const newSigningSecret = () => `${PREFIX}${randomBytes(BYTES).toString('base64')}`;

type Message = { id: string; at: Date; body: string };

/**
 * The headers of a message, signed with each of the secrets.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#webhook-headers-sending-metadata-to-consumers
 */
export function signedHeaders(secrets: string[], { id, at, body }: Message): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatureBy = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(secret => `v1,${signatureBy(secret)}`).join(' '),
  };
}

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

export async function sendExample(
  needs: Posts & { now: Date },
  webhook: StoredWebhook,
): Promise<WebhookTest> {
  const [event = 'unsubscribed'] = webhook.events;
  const at = needs.now.toISOString();
  const posted = await postTo(needs, webhook, {
    id: `msg_test_${randomUUID().replaceAll('-', '')}`,
    type: eventType(event),
    at,
    data: dataOf(exampleOf(event, at), () => 'example@example.com'),
  });
  const status = 'status' in posted ? ` ${posted.status}` : '';
  const ms = durationOf(posted);
  const message = isDelivered(posted)
    ? `The endpoint answered${status} in ${ms} ms`
    : [faultOf(posted), status && `:${status}`].join('');
  return { success: isDelivered(posted), message };
}
