import { createHash, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import * as deliveries from '#core/list/unsubscribe-webhook/delivery.store.ts';
import { ALL_LISTS } from '#shared/unsubscribe-webhook.ts';
import { answering } from './answering.ts';
import { needsOf } from './items.ts';
import type { Person } from './member.ts';
import type { Stack } from './stack.ts';

type Fields = { name?: string; url?: string; headers?: Record<string, string>; events?: string[] };

export async function newWebhook(
  stack: Stack,
  { token, home }: Person,
  list: string,
  { name = 'Shop', url = 'http://127.0.0.1:9/hook', ...fields }: Fields = {},
): Promise<{ id: string; secret: string }> {
  const route =
    list === ALL_LISTS
      ? 'POST /api/organizations/{organization}/webhooks'
      : 'POST /api/email-lists/{list}/unsubscribe-webhooks';
  const { body } = await stack.call(route, {
    token,
    organization: home.id,
    params: { list, organization: String(home.id) },
    body: { name, url, ...fields },
  });
  stack.mustNotBeLogged(body.secret);
  return body;
}

type Of = { organization: number; list: string; webhook: string; member: string };

export async function newFailedDelivery(
  stack: Stack,
  { member, ...place }: Of,
  ago = 60_000,
): Promise<string> {
  const { table, now } = await needsOf(stack);
  const at = new Date(now.getTime() - ago).toISOString();
  const hash = createHash('sha256').update(randomUUID()).digest('hex').slice(0, 24);
  const of = {
    id: deliveries.idOf(at, hash),
    memberEvent: { event: 'unsubscribed' as const, member, at, source: 'app' },
  };
  await deliveries.failWithoutAttempt(table, place, of, {
    error: 'The endpoint failed or was slow for days',
    tries: 10,
    now,
  });
  return of.id;
}

export type Got = { headers: IncomingHttpHeaders; body: string };
type Answer = { status: number; headers?: Record<string, string> };

/** An endpoint on this machine that records its requests. It is closed after the test. */
export async function newEndpoint(
  answer: (got: Got, nth: number) => Answer | Promise<Answer> = () => ({ status: 204 }),
) {
  const got: Got[] = [];
  const { url } = await answering(async (request, response) => {
    const one = { headers: request.headers, body: await text(request) };
    got.push(one);
    const { status, headers = {} } = await answer(one, got.length);
    response.writeHead(status, headers).end();
  });
  return { url: `${url}/hook`, got };
}

/** Verifies a request with the library of the standard. It uses the time of the message, as the stack has another clock. */
export function verified(secret: string, { headers, body }: Got): unknown {
  const real = Date.now;
  Date.now = () => Number(headers['webhook-timestamp']) * 1000;
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>);
  } finally {
    Date.now = real;
  }
}
