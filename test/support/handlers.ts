import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { vi } from 'vitest';
import * as whitelist from '#core/account/whitelist.ts';
import type { Letter } from '#core/mail.ts';
import { project } from '#core/storage/projection.ts';
import type { Response as Answered, Request } from '#functions/providers/mailgun/request.ts';
import { contributionOf } from '#functions/stream/contributions.ts';
import { createEventLog } from '#local/events/log.ts';
import { proxyEvent } from '#local/gateway/event.ts';
import { answerOf, json, problem } from '#local/gateway/response.ts';
import { routeTable } from '#local/gateway/routes.ts';
import type { RunningStack } from '#local/stack.ts';
import { type Group, gatewayKeysOf, groups } from '#shared/routes.ts';
import { BATCHED } from '#shared/webhook-events.ts';
import { dnsOf, domainsAt, trackingAt } from './domains.ts';
import { memoryTable } from './memory-table.ts';
import { projecting } from './projecting.ts';
import { PROVE } from './prove.ts';
import { counting } from './purge.ts';
import { type Hosted, type Stack, sharedStack, stackOf, withRaces } from './stack.ts';
import { streamOf } from './stream.ts';

/** Finds the function of a request. */
const find = routeTable<{ key: string; group: string }>([
  ...(Object.keys(groups) as Group[]).flatMap(group =>
    gatewayKeysOf(group).map((key): [string, { key: string; group: string }] => [key, { key, group }]),
  ),
]);

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<object>;

const ENVIRONMENT = {
  CHECK_ANSWERS: 'true',
  PUBLIC_URL: 'https://letterflow.test',
  TRACKING_TARGET: 'links.letterflow.test',
  WEBHOOK_LOOPBACK: '1',
  EARLIEST_VISIT: '2026-01-01T00:00:00.000Z',
};

let shared: Promise<Hosted> | undefined;

/**
 * The handlers of the API on a table in memory, one for all test files of a worker; in a proof, the local stack, which calls
 * them over HTTP. A file in test/http that uses it must not import the modules of the platform that are replaced here.
 */
export function apiStack(): Stack {
  if (PROVE) {
    withRaces();
    return sharedStack();
  }
  return stackOf(() => {
    shared ??= host();
    return shared;
  });
}

/**
 * The handlers of the API, called in this process with the events that the local gateway makes. Nothing behind queues runs, and
 * nothing is purged.
 */
async function host(): Promise<Hosted> {
  for (const [name, value] of Object.entries(ENVIRONMENT)) vi.stubEnv(name, value);
  vi.useFakeTimers({ toFake: ['Date'] });
  const table = memoryTable({ anyItems: false });
  const metered = counting(table);
  const mails: { to: string; letter: Letter & { from?: string } }[] = [];
  const files = new Map<string, { bytes: Uint8Array; type: string }>();
  const log = createEventLog();
  let provider = 'ok';

  const post: Request = async ({ key = '' }, form) => {
    if (provider === 'refuse') throw new Error('The connection was refused');
    const field = (name: string) => String(form.get(name) ?? '');
    const taken = form.has('to') ? 200 : 400;
    const status = Number(key.includes('unknown') ? '401' : provider) || taken;
    const letter = {
      from: field('from'),
      subject: field('subject'),
      text: field('text'),
      html: field('html'),
    };
    if (status === 200) mails.push({ to: field('to'), letter });
    return { status, retryAfter: null, body: { id: '<1@example.com>' } } satisfies Answered;
  };
  vi.doMock('#functions/platform/table.ts', () => ({ table: metered.on }));
  vi.doMock('#functions/platform/mailer.ts', () => ({
    mailer: { send: async (to: string, letter: Letter) => void mails.push({ to, letter }) },
  }));
  vi.doMock('#functions/platform/queue.ts', () => ({
    queuePack: async () => {},
    queuePacks: async () => {},
    queueWebhooks: async () => {},
  }));
  vi.doMock('#functions/platform/objects.ts', () => ({
    objects: {
      put: async (name: string, bytes: Uint8Array, type: string) => void files.set(name, { bytes, type }),
      remove: async (name: string) => void files.delete(name),
      deletePage: async () => false,
    },
  }));
  vi.doMock('#functions/platform/vault.ts', () => ({
    // As KMS, which gives the same text another ciphertext each time.
    vault: {
      seal: async (text: string) => btoa(randomUUID() + text),
      open: async (sealed: string) => atob(sealed).slice(36),
    },
  }));
  const { dns, set: setRecord } = dnsOf();
  const { domains } = domainsAt(dns);
  vi.doMock('#functions/platform/dns.ts', () => ({ dns }));
  vi.doMock('#functions/providers/ses/account.ts', () => ({ domains }));
  vi.doMock('#functions/platform/tracking-domains.ts', () => trackingAt());
  vi.doMock('#functions/providers/mailgun/request.ts', async original => ({
    ...(await original<object>()),
    request: post,
  }));
  const { table: used } = await import('#functions/platform/table.ts');
  if (used !== metered.on) throw new Error('The table of the platform was imported before it was replaced');
  // All of them now: what is imported in the next file gets the modules of the platform themselves.
  const handlers = new Map<string, Handler>();
  for (const group of Object.keys(groups)) {
    handlers.set(group, (await import(resolve(`functions/api/${group}.ts`))).handler);
  }

  async function answer(url: URL, init: RequestInit): Promise<Response> {
    const { method = 'GET' } = init;
    const file = files.get(url.pathname.slice(1));
    if (url.pathname.startsWith('/files/'))
      return new Response(file?.bytes.slice(), {
        status: file ? 200 : 403,
        headers: file ? { 'content-type': file.type } : {},
      });
    const { status, headers, body } = url.pathname.startsWith('/_local/')
      ? json(200, await control(url, init))
      : await answerOfApi(url, method, init);
    return new Response(status === 204 ? null : new Uint8Array(body), { status, headers });
  }

  const written = streamOf(table);
  /** Counts what was written, as the projector does, and keeps the events that follow from it, where nobody wants batches. */
  async function drain(): Promise<void> {
    const publish = async (events: { type: string; detail: object }[]) => {
      for (const { type, detail } of events.filter(({ type }) => type !== BATCHED)) {
        const at = new Date().toISOString();
        log.keep({ bus: 'events', source: 'letterflow', detailType: type, detail, at });
      }
    };
    for (const { shard, records } of await written()) {
      await project(
        { ...projecting, publish, table, now: new Date() },
        shard,
        records.map(record => contributionOf(record)),
      );
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
    if (pathname === '/_local/meter') return { dynamodb: { requests: metered.requests() } };
    if (pathname === '/_local/faults') ({ provider } = JSON.parse(String(body)));
    if (pathname === '/_local/dns') {
      const { type, name, values } = JSON.parse(String(body));
      setRecord(type === 'MX' ? `MX ${name}` : name, ...values);
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
      ip: '127.0.0.1',
      headers: Object.fromEntries(new Headers(headers)),
      body: typeof body === 'string' ? Buffer.from(body) : Buffer.from((body as Uint8Array) ?? ''),
    };
    const handler = handlers.get(match.route.group);
    if (!handler) return problem(404, 'Not Found');
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

  await whitelist.add({ table }, ['*']);
  const running = {
    url: ENVIRONMENT.PUBLIC_URL,
    env: {},
    drain,
    inbox: { clear: async () => void mails.splice(0) },
    events: log.events,
    logs: writtenLog(),
  } as unknown as RunningStack;
  return { running, secrets: new Set(), answer, table, files: () => [...files.keys()] };
}

/** The lines that handlers log from now on, which are not shown among the results of tests. */
function writtenLog(): () => string[] {
  const lines: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    stream.write = (text: unknown, ...rest: unknown[]) => {
      if (!String(text).startsWith('{"level":')) return write(text, ...rest);
      lines.push(String(text));
      return true;
    };
  }
  return () => lines;
}
