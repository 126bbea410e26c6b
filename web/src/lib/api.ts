import type { Answer, BodyInput, Params, QueryInput, RouteKey } from '../../../shared/routes.ts';
import { tellRefusal } from './organization.ts';
import { isInvitation, paths } from './paths.ts';
import { Problem, TOO_SLOW, UNREACHABLE, UNREADABLE } from './problem.ts';
import { forget, token } from './session.ts';

const LONGEST_WAIT = 15_000;
/** What an organization answers to whom it does not know, or no longer grants a right. */
const REFUSED = [403, 404];

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : keyof Value extends never
    ? unknown
    : Record<Name, Value>;

/** What a call needs besides its route: exactly what the contract declares of it. */
export type Input<K extends RouteKey> = Part<'body', BodyInput<K>> &
  Part<'params', Params<K>> &
  (undefined extends QueryInput<K> ? unknown : { query?: QueryInput<K> }) & {
    /** The organization that a call within one is about. */
    organization?: number;
    /** Gives the call up. It then fails like any other; whoever gave it up knows why. */
    signal?: AbortSignal;
  };

type Loose = {
  body?: unknown;
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  organization?: number;
  signal?: AbortSignal;
};
type Rest<K extends RouteKey> =
  Record<never, never> extends Input<K> ? [input?: Input<K>] : [input: Input<K>];

/** Calls a route of the contract. Whatever goes wrong becomes a Problem that can be shown. */
export async function api<K extends RouteKey>(route: K, ...[input]: Rest<K>): Promise<Answer<K>> {
  const { body, params = {}, query = {}, organization, signal }: Loose = input ?? {};
  const [method = '', path = ''] = route.split(' ');
  const response = await send(pathOf(path, params) + search(query), {
    method,
    headers: headers(body !== undefined, organization),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const answer = await read(response);
  if (response.ok) return answer as Answer<K>;
  if (response.status === 401 && location.pathname !== paths.login()) return signedOut();
  if (organization !== undefined && REFUSED.includes(response.status)) tellRefusal();
  throw refusal(response.status, answer);
}

function pathOf(path: string, params: Record<string, string>) {
  return path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
}

function search(query: Record<string, unknown>) {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value == null ? [] : [[name, String(value)]],
  );
  return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
}

function headers(hasBody: boolean, organization: number | undefined): Record<string, string> {
  const bearer = token();
  return {
    accept: 'application/json',
    ...(hasBody && { 'content-type': 'application/json' }),
    ...(bearer && { authorization: `Bearer ${bearer}` }),
    ...(organization !== undefined && { 'x-active-organization': String(organization) }),
  };
}

async function send(url: string, init: RequestInit): Promise<{ ok: boolean; status: number; text: string }> {
  try {
    const patience = AbortSignal.timeout(LONGEST_WAIT);
    const signal = init.signal ? AbortSignal.any([patience, init.signal]) : patience;
    const response = await fetch(url, { ...init, signal });
    return { ok: response.ok, status: response.status, text: await response.text() };
  } catch (error) {
    throw new Problem(
      error instanceof DOMException && error.name === 'TimeoutError' ? TOO_SLOW : UNREACHABLE,
    );
  }
}

function read({ ok, status, text }: { ok: boolean; status: number; text: string }): unknown {
  if (status === 204) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    if (ok) throw new Problem(UNREADABLE, status);
    return undefined;
  }
}

/** The page is about to be replaced, so nothing on it should still be told. */
function signedOut(): Promise<never> {
  forget(paths.login(isInvitation(location.pathname) ? location.pathname : undefined));
  return new Promise(() => {});
}

function refusal(status: number, answer: unknown): Problem {
  if (typeof answer !== 'object' || answer === null) return new Problem(UNREADABLE, status);
  const { message, errors } = answer as { message?: unknown; errors?: Record<string, string[]> };
  if (typeof message === 'string' && message) return new Problem(message, status, errors, true);
  return new Problem(UNREADABLE, status, errors);
}
