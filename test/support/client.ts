import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as whitelist from '#core/account/whitelist.ts';
import type { RouteKey } from '#shared/routes.ts';
import { tableOf } from './items.ts';
import type { Hosted } from './stack.ts';

/** The call of a program. */
export type ProgramKey = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /api/v1/${string}`;

type Call = {
  token?: string;
  organization?: number | string;
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
};
// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever came back; the test says what it should be.
export type Answered = { status: number; headers: Headers; text: string; body: any };

let addresses = 0;

/** An address that no other test uses. */
export const newAddress = (name = 'person') => `${name}@n${++addresses}.example.com`;

/** The requests of tests to a stack: those of a browser, and those that control the stack. */
export function clientOf(hosted: () => Hosted) {
  const stack = () => hosted().running;
  const mustNotBeLogged = (secret: string) => void hosted().secrets.add(secret);

  const get = (path: string, init: RequestInit = {}) =>
    (hosted().answer ?? fetch)(new URL(path, stack().url), init);

  async function fetchJson(method: string, path: string, init: RequestInit = {}): Promise<Answered> {
    const response = await get(path, { method, ...init });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: text && JSON.parse(text) };
  }

  function call(
    key: RouteKey | ProgramKey,
    { token, organization, params = {}, query, body, headers }: Call = {},
  ) {
    const [method = '', path = ''] = key.split(' ');
    const asked = query ? `?${new URLSearchParams(query)}` : '';
    return fetchJson(method, path.replace(/{(\w+)}/g, (_, name) => params[name] ?? '') + asked, {
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(organization !== undefined && { 'x-active-organization': String(organization) }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  async function inbox(
    to: string,
  ): Promise<{ from?: string; subject: string; text: string; html: string }[]> {
    const { body } = await fetchJson('GET', `/_local/inbox?to=${encodeURIComponent(to)}`);
    return body.messages;
  }

  async function latestCode(email: string): Promise<string> {
    const code = /^[A-Z2-9]{6}$/m.exec((await inbox(email))[0]?.text ?? '')?.[0] ?? '';
    if (code) mustNotBeLogged(code);
    return code;
  }

  async function signIn(email: string): Promise<{ token: string; user: { id: string; email: string } }> {
    const requested = await call('POST /api/login/request', { body: { email } });
    if (requested.status !== 200) throw new Error(`No code was sent: ${requested.text}`);
    const body = { email, code: await latestCode(email) };
    const verified = await call('POST /api/login/verify', { body });
    if (verified.status !== 200) throw new Error(`The code was refused: ${verified.text}`);
    mustNotBeLogged(verified.body.token);
    return verified.body;
  }

  /** Moves the clock; with `outage`, the schedules do not run on the way. */
  async function advance(
    seconds: number,
    { outage = false } = {},
  ): Promise<{ sweeps: number; sends: number }> {
    const { body } = await fetchJson('GET', '/_local/clock');
    const now = new Date(new Date(body.now).getTime() + seconds * 1000).toISOString();
    const moved = await fetchJson('PUT', '/_local/clock', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ now, outage }),
    });
    if (moved.status !== 200) throw new Error(moved.text);
    return moved.body;
  }

  /** Runs a command of the README, as an operator would. */
  const run = (command: string, ...words: string[]) =>
    promisify(execFile)('node', [`bin/${command}.ts`, ...words], {
      env: { ...process.env, DATA_DIR: hosted().dataDir },
    });
  /** Does work while only these domains may register. They stay listed, so no other test may rely on their refusal. */
  async function admittingOnly<T>(domains: string[], work: () => Promise<T>): Promise<T> {
    const needs = { table: hosted().table ?? tableOf(stack().env) };
    await whitelist.remove(needs, ['*']);
    if (domains.length > 0) await whitelist.add(needs, domains);
    try {
      return await work();
    } finally {
      await whitelist.add(needs, ['*']);
    }
  }

  return {
    call,
    get,
    fetchJson,
    inbox,
    latestCode,
    signIn,
    advance,
    run,
    admittingOnly,
    env: () => stack().env,
    /** The table, if it is one in memory. */
    memory: () => hosted().table,
    events: () => stack().events(),
    logs: () => stack().logs(),
    files: () => hosted().files?.() ?? [],
    mustNotBeLogged,
    url: () => stack().url,
  };
}
