import type { Answer, BodyInput, Params, QueryInput, RouteKey } from '#shared/routes.ts';
import { emitRefusal } from './organization.ts';
import { EXPIRED, loginFrom, paths } from './paths.ts';
import { Problem, UNEXPECTED, UNREADABLE } from './problem.ts';
import { either, orProblem, type Received, type Request, requestOf } from './request.ts';
import { clearSession } from './session.ts';

/** The status of a request within an organization if the user was removed from it, or if their role lacks the right. */
const REFUSED = [403, 404];

type IfDeclared<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : keyof Value extends never
    ? unknown
    : Record<Name, Value>;

export type CallInput<K extends RouteKey> = IfDeclared<'body', BodyInput<K>> &
  IfDeclared<'params', Params<K>> &
  (undefined extends QueryInput<K> ? unknown : { query?: QueryInput<K> }) &
  Options;

export type Options = {
  organization?: number;
  /** Milliseconds until the request fails; by default, the timeout of its route. */
  timeout?: number;
  /** Aborts the request, which then rejects with a Problem like any other failed one. */
  signal?: AbortSignal;
  /** 403 and 404 do not mean that the user's rights have changed. */
  isRefusalExpected?: boolean;
  /** The only status that counts as success. */
  expectedStatus?: number;
  onUploadProgress?: (share: number) => void;
};

export type OptionalInput<K extends RouteKey> =
  Record<never, never> extends CallInput<K> ? [input?: CallInput<K>] : [input: CallInput<K>];

/** Requests a route. Every failure is thrown as a Problem, whose message can be shown. */
export async function api<K extends RouteKey>(route: K, ...[input]: OptionalInput<K>): Promise<Answer<K>> {
  const options: Options = input ?? {};
  const response = await send(requestOf(route, input), options);
  if (response.ok && options.expectedStatus !== undefined && response.status !== options.expectedStatus) {
    throw new Problem(UNEXPECTED, response.status, {}, true);
  }
  if (!response.ok) return fail(response, options);
  return parseAnswer(response) as Answer<K>;
}

const send = ({ url, ...init }: Request, { onUploadProgress, signal }: Options) =>
  orProblem(async () => {
    const timed = { ...init, signal: either(AbortSignal.timeout(init.timeout), signal) };
    if (onUploadProgress && init.body !== undefined) {
      const { upload } = await import('./upload.ts');
      return upload(url, timed, onUploadProgress);
    }
    const response = await fetch(url, timed);
    const retryAfter = Number(response.headers.get('retry-after')) || undefined;
    return { ok: response.ok, status: response.status, text: await response.text(), retryAfter };
  });

function parseAnswer({ status, text }: Received): unknown {
  if (status === 204) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(UNREADABLE, status);
  }
}

/** Throws the problem of a failed response. First handles what its status means for the session and the organization. */
export function fail(
  { status, text, retryAfter }: Received,
  { organization, isRefusalExpected }: Options,
): Promise<never> {
  if (status === 401 && location.pathname !== paths.login()) return signedOut();
  if (organization !== undefined && REFUSED.includes(status) && !isRefusalExpected) emitRefusal();
  return Promise.reject(Object.assign(problemOf(status, text), { retryAfter }));
}

/** Never settles: the page is about to be replaced, and must not show an error before that. */
function signedOut(): Promise<never> {
  clearSession(loginFrom(location) + EXPIRED);
  return new Promise(() => {});
}

/** What the gateway in front of the API says when that does not answer: nothing that helps a user. */
const OF_GATEWAY = /^(Internal Server Error|Service Unavailable)$/;

function problemOf(status: number, text: string): Problem {
  try {
    const { message, errors }: { message?: unknown; errors?: Record<string, string[]> } = JSON.parse(text);
    if (typeof message === 'string' && message && !OF_GATEWAY.test(message))
      return new Problem(message, status, errors, true);
    return new Problem(UNREADABLE, status, errors);
  } catch {
    return new Problem(UNREADABLE, status);
  }
}
