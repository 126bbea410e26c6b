import type { RouteKey } from '#shared/routes.ts';

type Call = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown };

/** The failure of a step, as a sentence. */
export class Failed extends Error {}

const TIMEOUT = 30_000;

/** Calls the API as the web app does. A response that is not expected fails the step. */
export function clientOf(url: string) {
  let session: { token: string; organization: number | undefined } | undefined;

  // biome-ignore lint/suspicious/noExplicitAny: each step says what of an answer it needs.
  async function call(key: RouteKey, { params = {}, query, body }: Call = {}): Promise<any> {
    const [method = '', pattern = ''] = key.split(' ');
    const path = pattern.replace(/{(\w+)}/g, (_, name) => params[name] ?? '');
    const response = await get(`${path}${query ? `?${new URLSearchParams(query)}` : ''}`, {
      method,
      headers: {
        ...(session && { authorization: `Bearer ${session.token}` }),
        ...(session?.organization && { 'x-active-organization': String(session.organization) }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok)
      throw new Failed(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
    return text && JSON.parse(text);
  }

  async function get(path: string, init: RequestInit = {}): Promise<Response> {
    const address = new URL(path, url);
    try {
      return await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT), ...init });
    } catch (error) {
      throw new Failed(`${address.origin} does not answer: ${(error as Error).message}`);
    }
  }

  const as = (token: string, organization?: number) => {
    session = { token, organization };
  };
  return { url, call, get, as };
}
export type Client = ReturnType<typeof clientOf>;

export function expecting(isAsExpected: boolean, otherwise: string): asserts isAsExpected {
  if (!isAsExpected) throw new Failed(otherwise);
}
