import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import type { Table } from '#core/storage/table.store.ts';
import { documentClient } from '#functions/platform/table.ts';
import type { Reading } from '#local/meter.ts';
import { startStack } from '#local/stack.ts';
import type { Answer, RouteKey } from '#shared/routes.ts';
import { processorTimeOf } from './process.ts';

export type Caller = { token: string; organization: number };
type Input = {
  caller?: Partial<Caller>;
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
};

const MOST_TRIES = 5;

export type Product = Awaited<ReturnType<typeof startProduct>>;

/** The whole product on this machine with an empty table, called over HTTP, and what it uses of the table. */
export async function startProduct(assembly: string) {
  const { BENCH_DIR = '.tmp' } = process.env;
  mkdirSync(BENCH_DIR, { recursive: true });
  const dataDir = mkdtempSync(join(resolve(BENCH_DIR), 'bench-'));
  const log = (line: string) => console.error(line);
  const stack = await startStack({ port: 0, dataDir, assembly, log, webhookLoopback: true });

  function send(key: RouteKey, { caller = {}, params = {}, query = {}, body }: Input = {}) {
    const [method = '', path = ''] = key.split(' ');
    const { token, organization } = caller;
    const url = new URL(
      path.replace(/{(\w+)}/g, (_, name) => params[name] ?? ''),
      stack.url,
    );
    url.search = new URLSearchParams(query).toString();
    return fetch(url, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(organization !== undefined && { 'x-active-organization': String(organization) }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  async function call<K extends RouteKey>(key: K, input?: Input): Promise<Answer<K>> {
    const response = await send(key, input);
    const text = await response.text();
    if (!response.ok) throw new Error(`${key} answered ${response.status}: ${text}`);
    return (text && JSON.parse(text)) as Answer<K>;
  }

  const control = (method: string, path: string, body?: object) =>
    fetch(new URL(path, stack.url), {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });

  async function using(work: () => Promise<unknown>): Promise<Reading> {
    await stack.drain();
    await control('DELETE', '/_local/meter');
    await work();
    await stack.drain();
    return readMeter();
  }

  const readMeter = async () => (await control('GET', '/_local/meter')).json() as Promise<Reading>;

  async function now(): Promise<Date> {
    const answered = (await (await control('GET', '/_local/clock')).json()) as { now: string };
    return new Date(answered.now);
  }

  async function moveTo(instant: Date, { outage = false } = {}): Promise<void> {
    const url = new URL('/_local/clock', stack.url);
    const body = JSON.stringify({ now: instant.toISOString(), outage });
    // `fetch` waits five minutes for an answer, and no longer.
    const status = await new Promise<number | undefined>((done, failed) => {
      const headers = { 'content-type': 'application/json' };
      const put = request(url, { method: 'PUT', headers }, answer => done(answer.resume().statusCode));
      put.on('error', failed).end(body);
    });
    if (status !== 200) throw new Error(`The clock answered ${status}`);
  }

  const table: Table = {
    name: stack.env.TABLE_NAME ?? '',
    client: documentClient({
      endpoint: stack.env.AWS_ENDPOINT_URL_DYNAMODB ?? '',
      region: stack.env.AWS_REGION ?? '',
      credentials: {
        accessKeyId: stack.env.AWS_ACCESS_KEY_ID ?? '',
        secretAccessKey: stack.env.AWS_SECRET_ACCESS_KEY ?? '',
      },
    }),
  };

  return {
    /** Without the endpoints of a function, so that nothing written here is metered. */
    table,
    send,
    call,
    using,
    setDns: async (record: { type: string; name: string; values: string[] }): Promise<void> => {
      await control('PUT', '/_local/dns', record);
    },
    /**
     * What one call uses, which must only read: it is repeated where a scheduled run came between. Undefined where its
     * function timed out.
     */
    async usingOfCall(key: RouteKey, input?: Input): Promise<Reading['dynamodb'] | undefined> {
      for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
        let isInTime = true;
        const { dynamodb, lambda } = await using(async () => {
          const response = await send(key, input);
          const text = await response.text();
          isInTime = response.status !== 504;
          if (isInTime && !response.ok) throw new Error(`${key} answered ${response.status}: ${text}`);
        });
        if (!isInTime) return undefined;
        if (lambda.invocations === 1) return dynamodb;
      }
      throw new Error(`${key} was never alone`);
    },
    drain: stack.drain,
    mailTo: async (address: string) => (await stack.inbox.messages(address, 1))[0]?.text ?? '',
    mails: (most: number) => stack.inbox.messages(undefined, most),
    now,
    moveTo,
    /** Moves the simulated clock forward, without running schedules. */
    passTime: async (seconds: number) =>
      void (await moveTo(new Date((await now()).getTime() + seconds * 1000), { outage: true })),
    /** What each process of the stack is, and for how many seconds it has used a processor. */
    processorTime: () => [process.pid, ...stack.pids()].map(processorTimeOf),
    readMeter,
    logged: (entry: string, message: string) =>
      stack.logs().filter(line => line.startsWith(entry) && line.includes(`"message":"${message}"`)).length,
    /** When a function logged it, the first one first. */
    loggedAt: (entry: string, message: string) =>
      stack
        .logs()
        .filter(line => line.startsWith(entry) && line.includes(`"message":"${message}"`))
        .map(line => Date.parse(/"timestamp":"([^"]+)"/.exec(line)?.[1] ?? '')),
    async close(): Promise<void> {
      table.client.destroy();
      await stack.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}
