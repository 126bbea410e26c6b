import type { Answer, BodyInput, Params, QueryInput, RouteKey } from '../../../shared/routes.ts';
import { emitRefusal } from './organization.ts';
import { isInvitation, paths } from './paths.ts';
import { Problem, TOO_SLOW, UNEXPECTED, UNREACHABLE, UNREADABLE } from './problem.ts';
import { clearSession, token } from './session.ts';

const TIMEOUT = 15_000;
/** What a call within an organization answers a user who was removed from it, or whose role lacks the right. */
const REFUSED = [403, 404];

type IfDeclared<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : keyof Value extends never
    ? unknown
    : Record<Name, Value>;

/** The input of a call: exactly what its route declares. */
export type CallInput<K extends RouteKey> = IfDeclared<'body', BodyInput<K>> &
  IfDeclared<'params', Params<K>> &
  (undefined extends QueryInput<K> ? unknown : { query?: QueryInput<K> }) &
  Options;

type Options = {
  /** Sent as X-Active-Organization. */
  organization?: number;
  /** Aborts the request, which then rejects with a Problem like any other failed one. */
  signal?: AbortSignal;
  /** 403 and 404 do not mean that the user's rights have changed. */
  isRefusalExpected?: boolean;
  /** The only status that is a success. */
  expectedStatus?: number;
};

type UntypedInput = Options & {
  body?: unknown;
  params?: Record<string, string>;
  query?: Record<string, unknown>;
};

/** The input, which may be left out where the route declares none. */
export type OptionalInput<K extends RouteKey> =
  Record<never, never> extends CallInput<K> ? [input?: CallInput<K>] : [input: CallInput<K>];

/** Calls a route. Every failure is thrown as a Problem, whose message can be shown. */
export async function api<K extends RouteKey>(route: K, ...[input]: OptionalInput<K>): Promise<Answer<K>> {
  const { body, params = {}, query = {}, ...options }: UntypedInput = input ?? {};
  const { organization, signal, isRefusalExpected, expectedStatus } = options;
  const [method = '', path = ''] = route.split(' ');
  const response = await send(pathWith(path, params) + queryString(query), {
    method,
    headers: headers(body !== undefined, organization),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  if (response.ok && expectedStatus !== undefined && response.status !== expectedStatus) {
    throw new Problem(UNEXPECTED, response.status, {}, true);
  }
  const answer = parseBody(response);
  if (response.ok) return answer as Answer<K>;
  if (response.status === 401 && location.pathname !== paths.login()) return signedOut();
  if (organization !== undefined && REFUSED.includes(response.status) && !isRefusalExpected) emitRefusal();
  throw problemOf(response.status, answer);
}

function pathWith(path: string, params: Record<string, string>) {
  return path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
}

function queryString(query: Record<string, unknown>) {
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
    const timeout = AbortSignal.timeout(TIMEOUT);
    const signal = init.signal ? AbortSignal.any([timeout, init.signal]) : timeout;
    const response = await fetch(url, { ...init, signal });
    return { ok: response.ok, status: response.status, text: await response.text() };
  } catch (error) {
    throw new Problem(
      error instanceof DOMException && error.name === 'TimeoutError' ? TOO_SLOW : UNREACHABLE,
    );
  }
}

function parseBody({ ok, status, text }: { ok: boolean; status: number; text: string }): unknown {
  if (status === 204) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    if (ok) throw new Problem(UNREADABLE, status);
    return undefined;
  }
}

/** Never settles: the page is about to be replaced, and should not show an error meanwhile. */
function signedOut(): Promise<never> {
  clearSession(paths.login(isInvitation(location.pathname) ? location.pathname : undefined));
  return new Promise(() => {});
}

function problemOf(status: number, answer: unknown): Problem {
  if (typeof answer !== 'object' || answer === null) return new Problem(UNREADABLE, status);
  const { message, errors } = answer as { message?: unknown; errors?: Record<string, string[]> };
  if (typeof message === 'string' && message) return new Problem(message, status, errors, true);
  return new Problem(UNREADABLE, status, errors);
}
