import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { byOf } from '#core/recipient/machine-visits.ts';
import { type By, keyFor, type Purpose, readToken, type Token } from '#core/recipient/tracking.ts';
import { described, log } from '../platform/log.ts';
import { env } from '../platform/runtime.ts';
import { secret } from '../platform/secrets.ts';
import { viewerOf } from './viewer.ts';

export type Event = APIGatewayProxyEventV2;
export type Answer = APIGatewayProxyStructuredResultV2;

/** The response is not cached, and the site to which a link leads does not get its token. */
export const PRIVATE = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

/** Reads the token of a link in an email, and who calls it. Returns undefined if it is forged. */
export async function readTracked<P extends Purpose>(
  event: Event,
  purpose: P,
  now: Date,
): Promise<{ token: Token<P>; by: By } | undefined> {
  const { pathParameters, headers, requestContext } = event;
  // Set by lib/edge/tracking.js. On the address of the stage, a caller who sets it gets what that domain would answer.
  const domain = headers['x-tracking-domain']?.toLowerCase().replace(/\.?(:\d+)?$/, '');
  const key = keyFor(await secret(env('TRACKING_KEY_SECRET'), now), domain);
  const token = readToken(key, purpose, pathParameters?.token ?? '');
  if (!token) return undefined;
  const visit = {
    method: requestContext.http.method,
    userAgent: headers['user-agent'] ?? '',
    purpose: headers['sec-purpose'] ?? headers.purpose ?? headers['x-moz'] ?? '',
    ip: viewerOf(event),
    seconds: (now.getTime() - token.written.getTime()) / 1000,
  };
  return { token, by: byOf(visit, Number(env('EARLIEST_VISIT'))) };
}

const PATIENCE_MS = 3_000;
// The function has few concurrent executions: while the table is slow, each request would keep others waiting.
const LITTLE_PATIENCE_MS = 300;
const SLOW_FOR_MS = 10_000;
let slowUntil = 0;

/** Waits a limited time for a write. The response does not depend on it. */
export async function tryToStore(what: string, storing: Promise<unknown>): Promise<void> {
  const { promise: tooLong, reject } = Promise.withResolvers<never>();
  const patience = performance.now() < slowUntil ? LITTLE_PATIENCE_MS : PATIENCE_MS;
  const timer = setTimeout(() => {
    slowUntil = performance.now() + SLOW_FOR_MS;
    reject(new Error('The table has not answered in time'));
  }, patience);
  try {
    await Promise.race([storing, tooLong]);
  } catch (error) {
    log.error(`${what} was not stored`, { error: described(error) });
  } finally {
    clearTimeout(timer);
  }
}
