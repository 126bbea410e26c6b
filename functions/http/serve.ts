import middy, { type MiddlewareObj } from '@middy/core';
import { type Group, type Route, type RouteKey, routes } from '../../shared/routes.ts';
import { Refusal } from '../core/refusal.ts';
import { now } from '../platform/clock.ts';
import { describe, log } from '../platform/log.ts';
import { authenticate } from './authenticate.ts';
import { readInput } from './input.ts';
import { failed, json, refused } from './problem.ts';
import type { Event, Handlers, Known, Response } from './request.ts';

type Step = MiddlewareObj<Event & { known?: Known }, Response>;
type Asked = Known & { params: Record<string, string>; userAgent: string; now: Date };
type AnyHandler = (request: Asked) => Promise<unknown>;

/** The Lambda of one resource group: from the event to one call of a handler, and back. */
export function serve<G extends Group>(handlers: Handlers<G>) {
  return middy<Event & { known?: Known }, Response>()
    .use(requestLog)
    .use(problems)
    .use(authentication)
    .use(input)
    .use(checkedAnswers)
    .handler(async ({ routeKey, pathParameters, headers, known }) => {
      const handler = handlers[routeKey as keyof Handlers<G>] as AnyHandler;
      const params = (pathParameters ?? {}) as Record<string, string>;
      const userAgent = headers['user-agent'] ?? '';
      const answer = await handler({ ...known, params, userAgent, now: now() });
      const { status, answer: declared } = routeOf(routeKey);
      return json(status, declared && answer);
    });
}

const routeOf = (key: string): Route => {
  if (Object.hasOwn(routes, key)) return routes[key as RouteKey];
  throw new Refusal('not-found', 'There is nothing here.');
};

// The route, never the path or the body: those carry tokens and addresses.
const requestLog: Step = {
  after: ({ event, response }) =>
    log.info('request', { route: event.routeKey, status: response?.statusCode }),
  onError: ({ event, response, error }) => {
    const status = response?.statusCode;
    if (error instanceof Refusal) log.info('request', { route: event.routeKey, status });
    else log.error('request failed', { route: event.routeKey, status, ...describe(error) });
  },
};

const problems: Step = {
  onError: request => {
    request.response = refused(request.error) ?? failed();
  },
};

const authentication: Step = {
  before: async ({ event }) => {
    event.known = await authenticate(routeOf(event.routeKey), event, now());
  },
};

const input: Step = {
  before: ({ event }) => {
    event.known = { ...event.known, ...readInput(routeOf(event.routeKey), event) };
  },
};

/** Stages other than production refuse to answer what the contract does not declare. */
const checkedAnswers: Step = {
  after: ({ event, response }) => {
    if (process.env.CHECK_ANSWERS !== 'true') return;
    const { answer } = routeOf(event.routeKey);
    const body = response?.body === undefined ? undefined : JSON.parse(response.body);
    if (!answer && body === undefined) return;
    const result = answer?.safeParse(body);
    if (result?.success) return;
    const at = result?.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
    throw new Error(
      `${event.routeKey} answers what its contract does not declare. ${at ?? 'It declares no answer.'}`,
    );
  },
};
