import { resolve } from 'node:path';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { afterAll, beforeAll, vi } from 'vitest';
import * as whitelist from '#core/account/whitelist.ts';
import { project } from '#core/storage/projection.ts';
import { contributionOf } from '#functions/projector/projector.kinds.ts';
import { proxyEvent } from '#local/gateway/event.ts';
import { answerOf, json, problem } from '#local/gateway/response.ts';
import { routeTable } from '#local/gateway/routes.ts';
import { type Group, groups, routesOf } from '#shared/routes.ts';
import { clientOf } from './client.ts';
import { freshTable } from './engine.ts';
import { postbox } from './people.ts';
import { projecting } from './projecting.ts';
import { PROVE } from './prove.ts';
import { type Hosted, type Stack, sharedStack } from './stack.ts';
import { streamOf } from './stream.ts';

/** Finds the function of a request. */
const find = routeTable(
  (Object.keys(groups) as Group[]).flatMap(group =>
    Object.keys(routesOf(group)).map((key): [string, { key: string; group: string }] => [
      key,
      { key, group },
    ]),
  ),
);

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<object>;

const ENVIRONMENT = {
  CHECK_ANSWERS: 'true',
  PUBLIC_URL: 'https://letterflow.test',
  WEBHOOK_LOOPBACK: '1',
  EARLIEST_VISIT: '2026-01-01T00:00:00.000Z',
};

/** The handlers of the API on a table in memory; in a proof, the local stack, which calls them over HTTP. */
export const apiStack = (): Stack => (PROVE ? sharedStack() : handlers());

/**
 * The handlers of the API, called in this process with the events that the local gateway makes, on a table in memory. Nothing
 * behind queues runs. Its file must be isolated from others, as the modules of the platform are replaced.
 */
function handlers(): Stack {
  const table = freshTable();
  const { mails, mailer } = postbox();
  const secrets = new Set<string>();

  beforeAll(async () => {
    for (const [name, value] of Object.entries(ENVIRONMENT)) vi.stubEnv(name, value);
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.resetModules();
    mockPlatform();
    await whitelist.add({ table }, ['*']);
  });
  afterAll(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });

  function mockPlatform() {
    vi.doMock('#functions/platform/table.ts', () => ({ table }));
    vi.doMock('#functions/platform/mailer.ts', () => ({ mailer }));
    vi.doMock('#functions/platform/bus.ts', () => ({ bus: { put: async () => {} } }));
    vi.doMock('#functions/platform/packs.ts', () => ({
      queuePack: async () => {},
      queuePacks: async () => {},
    }));
    vi.doMock('#functions/platform/webhooks.ts', () => ({ queueWebhooks: async () => {} }));
    vi.doMock('#functions/platform/objects.ts', () => ({
      objects: { put: async () => {}, remove: async () => {}, deletePage: async () => false },
    }));
    vi.doMock('#functions/platform/vault.ts', () => ({
      vault: { seal: async (text: string) => btoa(text), open: async (sealed: string) => atob(sealed) },
    }));
    vi.doMock('#functions/providers/mailgun/mailgun.ts', () => ({
      request: async () => ({ status: 200, retryAfter: null, body: { id: '<1@example.com>' } }),
    }));
  }

  async function answer(url: URL, init: RequestInit): Promise<Response> {
    const { method = 'GET' } = init;
    const { status, headers, body } = url.pathname.startsWith('/_local/')
      ? json(200, await control(url, init))
      : await answerOfApi(url, method, init);
    return new Response(status === 204 ? null : new Uint8Array(body), { status, headers });
  }

  const written = streamOf(table);
  /** Counts what was written, as the projector does. */
  async function drain(): Promise<void> {
    for (const { shard, records } of await written()) {
      await project({ ...projecting, table, now: new Date() }, shard, records.map(contributionOf));
    }
  }

  async function control({ pathname, searchParams }: URL, { method, body }: RequestInit): Promise<object> {
    if (pathname === '/_local/drain') await drain();
    if (pathname === '/_local/inbox') {
      const messages = mails
        .filter(({ to }) => to === searchParams.get('to'))
        .map(({ letter }) => letter)
        .reverse();
      return { messages };
    }
    if (method === 'PUT' && pathname === '/_local/clock') vi.setSystemTime(JSON.parse(String(body)).now);
    return { now: new Date().toISOString() };
  }

  async function answerOfApi({ pathname, search }: URL, method: string, { headers, body }: RequestInit) {
    const match = find(method, pathname);
    if (!match) return problem(404, 'Not Found');
    const request = {
      method,
      path: pathname,
      query: search.slice(1),
      sourceIp: '127.0.0.1',
      headers: Object.fromEntries(new Headers(headers)),
      body: typeof body === 'string' ? Buffer.from(body) : Buffer.from((body as Uint8Array) ?? ''),
    };
    const { handler }: { handler: Handler } = await import(resolve(`functions/api/${match.route.group}.ts`));
    const place = {
      apiId: 'api',
      region: 'eu-central-1',
      routeKey: match.route.key,
      now: new Date(),
      offset: 0,
    };
    const context = { getRemainingTimeInMillis: () => 29_000 } as Context;
    const result = await handler(proxyEvent(request, place, match.parameters), context);
    return answerOf(JSON.stringify(result)) ?? problem(500, 'The handler did not answer an HTTP response');
  }

  return clientOf(
    () => ({ running: { url: ENVIRONMENT.PUBLIC_URL }, answer, table, secrets }) as unknown as Hosted,
  );
}
