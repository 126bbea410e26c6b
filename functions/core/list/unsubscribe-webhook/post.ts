import type { Vault } from '../sending-key.ts';
import { headersOf, secretsOf } from './sealed.ts';
import { signedHeaders } from './signature.ts';
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

/**
 * Posts a signed message to an endpoint.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
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

/** The text for a failed attempt. Returns undefined if it did not fail. */
export function faultOf(posted: Posted): string | undefined {
  if (isDelivered(posted)) return undefined;
  if ('error' in posted) return ERRORS[posted.error];
  const isRedirect = posted.status >= 300 && posted.status < 400;
  return isRedirect ? 'The endpoint redirects, which is not followed' : 'The endpoint answered with an error';
}

/**
 * The duration of an attempt. Undefined if the address was not reached: how long that takes would tell something of the
 * network.
 */
export const durationOf = (posted: Posted) =>
  'error' in posted && posted.error === 'unreachable' ? undefined : posted.ms;
