import type { Vault } from '../list/list.ts';
import { headersOf, secretsOf } from './sealed.ts';
import { signedHeaders } from './signature.ts';
import type { StoredWebhook } from './unsubscribe-webhook.store.ts';

type Answered =
  | { status: number }
  /** Unreachable is also what no connection may be opened to: nothing tells one from the other. */
  | { error: 'unreachable' | 'tls' | 'timeout' | 'broken' };
export type Posted = { ms: number; retryAfter?: number | undefined } & Answered;
/** Sends one request to an address of the public internet, and never fails. */
export type Post = (message: {
  url: string;
  headers: Record<string, string>;
  body: string;
}) => Promise<Posted>;

export type Posts = { vault: Pick<Vault, 'open'>; post: Post };

const GONE = 410;

/** A message as an endpoint gets it. https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
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

/** A redirect is not followed, so it is a failure. */
export const isDelivered = (posted: Posted) =>
  'status' in posted && posted.status >= 200 && posted.status < 300;

export const isGone = (posted: Posted) => 'status' in posted && posted.status === GONE;

const ERRORS = {
  unreachable: 'The address cannot be reached',
  tls: 'The TLS certificate is not valid',
  timeout: 'There was no answer within 15 seconds',
  broken: 'The connection was closed before an answer',
};

/** What went wrong; undefined where nothing did. */
export function faultOf(posted: Posted): string | undefined {
  if (isDelivered(posted)) return undefined;
  if ('error' in posted) return ERRORS[posted.error];
  const isRedirect = posted.status >= 300 && posted.status < 400;
  return isRedirect ? 'The endpoint redirects, which is not followed' : 'The endpoint answered with an error';
}

/** How long an address takes that is not reached says something of the network it is in. */
export const durationOf = (posted: Posted) =>
  'error' in posted && posted.error === 'unreachable' ? undefined : posted.ms;
