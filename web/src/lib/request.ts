import type { RouteKey } from '#shared/routes.ts';
import { Problem, TOO_SLOW, UNREACHABLE } from './problem.ts';
import { token } from './session.ts';

const TIMEOUT = 15_000;
/** The timeout of requests that evaluate thousands of people one by one. */
const LOOKING = 30_000;
/** An image or a large report takes long on a slow connection, and each preview renders an email. */
const TIMEOUTS: { readonly [Route in RouteKey]?: number } = {
  'PUT /api/organizations/{organization}/logo': 60_000,
  'PUT /api/email-lists/{list}/logo': 60_000,
  'GET /api/automations/{automation}/preview': 30_000,
  'GET /api/automations/{automation}/simulate': LOOKING,
  'GET /api/automations/{automation}/forecast': LOOKING,
  'POST /api/automations/forecast': LOOKING,
  'GET /api/forecast': LOOKING,
  'POST /api/email-lists/{list}/imports/{memberImport}/rows': LOOKING,
  'POST /api/email-lists/{list}/imports/{memberImport}/undo': LOOKING,
  'POST /api/email-lists/{list}/members/actions': LOOKING,
  'GET /api/email-lists/{list}/export': LOOKING,
  'POST /api/recipients/export': LOOKING,
  'POST /api/recipients/erase': LOOKING,
  'GET /api/reporting/combinations': 60_000,
  'GET /api/reporting/comparisons': 60_000,
};

/** A dry run evaluates as many people as a simulation. */
const timeoutOf = (route: RouteKey) => TIMEOUTS[route] ?? (route.endsWith('/dry-run') ? LOOKING : TIMEOUT);

export type Request = {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
  /** Milliseconds. */
  timeout: number;
};

export type Received = { ok: boolean; status: number; text: string; retryAfter?: number | undefined };

type Input = {
  body?: unknown;
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  organization?: number;
  timeout?: number;
};

export function requestOf(route: RouteKey, input: Input = {}): Request {
  const { body, params = {}, query = {}, organization, timeout = timeoutOf(route) } = input;
  const [method = '', path = ''] = route.split(' ');
  return {
    url: pathWith(path, params) + queryString(query),
    method,
    headers: headers(body !== undefined, organization),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    timeout,
  };
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

export const either = (timeout: AbortSignal, signal: AbortSignal | undefined) =>
  signal ? AbortSignal.any([timeout, signal]) : timeout;

/** The result of a request. If there was no response, throws a Problem. */
export async function orProblem<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof Problem) throw error;
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
    throw new Problem(isTimeout ? TOO_SLOW : UNREACHABLE);
  }
}
