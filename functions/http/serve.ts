import middy, { type MiddlewareObj } from '@middy/core';
import { type Group, type Route, type RouteKey, routes } from '../../shared/routes.ts';
import * as list from '../core/list/list.ts';
import * as rate from '../core/rate/rate.ts';
import { Refusal } from '../core/refusal.ts';
import { now } from '../platform/clock.ts';
import { describe, log } from '../platform/log.ts';
import { table } from '../platform/table.ts';
import { authenticate } from './authenticate.ts';
import { readBody, readQuery } from './input.ts';
import { failed, json, refused } from './problem.ts';
import type { Caller, Event, Handlers, Response } from './request.ts';

type Step = MiddlewareObj<Event, Response>;
type Asked = Caller & {
  params: Record<string, string | undefined>;
  userAgent: string;
  now: Date;
  body: unknown;
  query: unknown;
};
type AnyHandler = (request: Asked) => Promise<unknown>;

/** The Lambda of one resource group: from the event to one call of a handler, and back. */
export function serve<G extends Group>(handlers: Handlers<G>) {
  return middy<Event, Response>()
    .use(requestLog)
    .use(problems)
    .use(authentication)
    .use(rateLimit)
    .use(namedList)
    .use(checkedAnswers)
    .handler(async event => {
      const route = routeOf(event.routeKey);
      const params = paramsOf(event);
      const handler = handlers[event.routeKey as keyof Handlers<G>] as AnyHandler;
      const answer = await handler({
        ...event.caller,
        params,
        userAgent: event.headers['user-agent'] ?? '',
        now: now(),
        get body() {
          return readBody(route, event);
        },
        get query() {
          return readQuery(route, event);
        },
      });
      return json(route.status, route.answer && answer);
    });
}

const routeOf = (key: string): Route => {
  if (Object.hasOwn(routes, key)) return routes[key as RouteKey];
  throw new Refusal('not-found', 'There is nothing here.');
};

// Longer than any id or token of ours, and shorter than what DynamoDB takes as a key.
const LONGEST_PARAM = 200;

function paramsOf({ pathParameters = {} }: Event): Record<string, string | undefined> {
  const isPlausible = (value: string | undefined) => (value ?? '').length <= LONGEST_PARAM;
  if (Object.values(pathParameters).every(isPlausible)) return pathParameters;
  throw new Refusal('not-found', 'There is nothing here.');
}

// The route, never the path or the body: those carry tokens and addresses.
const requestLog: Step = {
  after: ({ event, response }) =>
    log.info('request', { route: event.routeKey, status: response?.statusCode }),
  onError: ({ event, response, error }) => {
    const facts = { route: event.routeKey, status: response?.statusCode };
    if (error instanceof Refusal) log.info('request', facts);
    else log.error('request failed', { ...facts, ...describe(error) });
  },
};

const problems: Step = {
  onError: request => {
    request.response = refused(request.error) ?? failed(request.error);
  },
};

const authentication: Step = {
  before: async ({ event }) => {
    event.caller = await authenticate(routeOf(event.routeKey), event, now());
  },
};

/** Programs, unlike people, can call faster than the table writes. */
const rateLimit: Step = {
  before: async ({ event: { routeKey, caller } }) => {
    if (routeOf(routeKey).credential !== 'token' || !caller?.active) return;
    await rate.spend({ table, now: now() }, caller.active.organization.id);
  },
};

/** The list that the path names: of the caller's organization, or there is none. */
const namedList: Step = {
  before: async ({ event: { pathParameters, caller } }) => {
    if (pathParameters?.list !== undefined && caller) caller.list = list.found(caller.also ?? []);
  },
};

/** Stages other than production refuse to answer what the contract does not declare. */
const checkedAnswers: Step = {
  after: ({ event, response }) => {
    if (process.env.CHECK_ANSWERS !== 'true') return;
    const { answer } = routeOf(event.routeKey);
    const result = answer?.safeParse(JSON.parse(response?.body ?? 'null'));
    if (!result || result.success) return;
    const at = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
    throw new Error(`${event.routeKey} answers what its contract does not declare. ${at}`);
  },
};
