import { expect, vi } from 'vitest';
import type { Answer, BodyInput, Params, RouteKey } from '#shared/routes.ts';
import { PROVE } from '../prove.ts';

type Asked<K extends RouteKey> = {
  params: Params<K>;
  query: URLSearchParams;
  body: BodyInput<K>;
  organization: number;
};
type Reply<K extends RouteKey> = Answer<K> | Response | Promise<Answer<K> | Response>;
/** The responses by route: values, or functions of the request. */
export type Answers = { [K in RouteKey]?: Reply<K> | ((asked: Asked<K>) => Reply<K>) };

export const DOWN = new Response('', { status: 502 });
export const unreachable = () => Promise.reject(new TypeError('Failed to fetch'));
export const refusal = (status: number, message = 'Invalid', errors: Record<string, string[]> = {}) =>
  Response.json({ message, errors }, { status });

/** A response that is held until `release` is called with it. */
export function held<Value>() {
  const { promise, resolve } = Promise.withResolvers<Value>();
  return { answer: () => promise, release: resolve };
}

const { setTimeout } = window;
/** In a proof responses arrive late, and in another order: a test that reads what has not arrived yet fails then. */
const delayed = () => PROVE && new Promise(arrive => setTimeout(arrive, Math.random() * 300));

/** The requests without a response, of the present test. */
let unanswered: string[] = [];

/** Responds to the requests of the web app in place of a server. A request without a response fails the test. */
export function fakeApi(first: Answers) {
  let answers = Object.entries(first);
  const calls: { call: string; body: unknown }[] = [];
  // A request that a page makes when its test has ended is not one of the next test.
  const ofThisTest = unanswered;

  vi.stubGlobal('fetch', async (url: string, { method, body, headers, signal }: RequestInit) => {
    const { pathname, searchParams: query } = new URL(url, location.origin);
    const call = `${method} ${pathname}`;
    const sent = typeof body === 'string' ? JSON.parse(body) : undefined;
    const organization = Number(new Headers(headers).get('x-active-organization'));
    calls.push({ call, body: sent });
    for (const [route, reply] of answers) {
      const params = paramsOf(route, call);
      if (!params) continue;
      const answer =
        typeof reply === 'function' ? reply({ params, query, body: sent, organization } as never) : reply;
      const late = Promise.allSettled([answer, delayed()]);
      const [settled] = await Promise.race([late, aborted(signal)]);
      // What arrives when its test has ended, SWR would keep for the next one.
      if (ofThisTest !== unanswered) return new Promise<never>(() => undefined);
      if (settled.status === 'rejected') throw settled.reason;
      return responseOf(settled.value);
    }
    ofThisTest.push(call);
    return new Response('', { status: 501 });
  });

  return {
    answer(changed: Answers) {
      answers = Object.entries({ ...Object.fromEntries(answers), ...changed });
    },
    /** The requests that change something: other than GET, predictions and counts. */
    changes: () => calls.filter(({ call }) => !/^GET |\/(dry-run|forecast|count)$/.test(call)),
    count: (call: string) => calls.filter(one => one.call === call).length,
  };
}

function paramsOf(route: string, call: string): Record<string, string> | undefined {
  const pattern = route.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const match = call.match(new RegExp(`^${pattern}$`));
  return match ? { ...match.groups } : undefined;
}

const aborted = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

function responseOf(answer: unknown): Response {
  if (answer instanceof Response) return answer.clone();
  return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer);
}

/** Called after each test. Fails if a request had no response. */
export function expectAllAnswered() {
  const calls = unanswered;
  unanswered = [];
  expect(calls, 'calls without an answer').toEqual([]);
}
