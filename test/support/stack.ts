import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect } from 'vitest';
import { type RunningStack, startStack } from '../../local/stack.ts';
import type { RouteKey } from '../../shared/routes.ts';
import { ASSEMBLY } from './setup.ts';

type Call = {
  token?: string;
  organization?: number | string;
  params?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
};
// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever came back; the test says what it should be.
export type Answered = { status: number; headers: Headers; text: string; body: any };

/** The whole product on the real local engines, for this test file alone. */
export function freshStack() {
  let stack: RunningStack;
  let dataDir: string;
  /** Codes and tokens that this file has come across: none may stand in a log, nor may any address. */
  const seen = new Set<string>();

  const logs: string[] = [];

  async function start(): Promise<void> {
    stack = await startStack({ port: 0, dataDir, demo: false, assembly: ASSEMBLY });
  }
  async function end(): Promise<void> {
    logs.push(...stack.logs());
    await stack.close();
  }

  beforeAll(async () => {
    dataDir = mkdtempSync(join(resolve('.tmp'), 'stack-'));
    await start();
  });
  afterAll(async () => {
    await end();
    const written = logs.join('\n');
    // Whoever was seen must have left a request in the log, or there would be nothing to look through.
    if (seen.size > 0) expect(written).toContain('"request"');
    expect(written).not.toMatch(/[\w.+-]+@[\w-]+\.[\w.-]+/);
    for (const secret of seen) expect(written).not.toContain(secret);
  });

  async function fetchJson(method: string, path: string, init: RequestInit = {}): Promise<Answered> {
    const response = await fetch(new URL(path, stack.url), { method, ...init });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: text && JSON.parse(text) };
  }

  /** One call of a declared route, as the web app would make it. */
  function call(key: RouteKey, { token, organization, params = {}, body, headers }: Call = {}) {
    const [method = '', path = ''] = key.split(' ');
    return fetchJson(
      method,
      path.replace(/{(\w+)}/g, (_, name) => params[name] ?? ''),
      {
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(organization !== undefined && { 'x-active-organization': String(organization) }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
    );
  }

  async function inbox(to: string): Promise<{ subject: string; text: string; html: string }[]> {
    const { body } = await fetchJson('GET', `/_local/inbox?to=${encodeURIComponent(to)}`);
    return body.messages;
  }

  async function latestCode(email: string): Promise<string> {
    const code = /^[A-Z2-9]{6}$/m.exec((await inbox(email))[0]?.text ?? '')?.[0] ?? '';
    if (code) seen.add(code);
    return code;
  }

  async function signIn(email: string): Promise<{ token: string; user: { id: string; email: string } }> {
    await call('POST /api/login/request', { body: { email } });
    const { body } = await call('POST /api/login/verify', { body: { email, code: await latestCode(email) } });
    if (body.token) seen.add(body.token);
    return body;
  }

  /** Moves the clock; `outage` jumps over what the schedules would have done on the way. */
  async function advance(seconds: number, { outage = false } = {}): Promise<{ sweeps: number }> {
    const { body } = await fetchJson('GET', '/_local/clock');
    const now = new Date(new Date(body.now).getTime() + seconds * 1000).toISOString();
    const moved = await fetchJson('PUT', '/_local/clock', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ now, outage }),
    });
    if (moved.status !== 200) throw new Error(moved.text);
    return moved.body;
  }

  /** As an operator would, with the command of the README. */
  const whitelist = (...words: string[]) =>
    promisify(execFile)('node', ['bin/whitelist.ts', ...words], {
      env: { ...process.env, DATA_DIR: dataDir },
    });

  return {
    call,
    fetchJson,
    inbox,
    latestCode,
    signIn,
    advance,
    whitelist,
    /** What is stored stays; everything else begins anew. */
    restart: async () => {
      await end();
      await start();
    },
    env: () => stack.env,
    /** What functions have told on the event bus, the newest last. */
    events: () => stack.events(),
    dataDir: () => dataDir,
    mustNotBeLogged: (secret: string) => void seen.add(secret),
    url: () => stack.url,
  };
}
