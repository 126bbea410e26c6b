import { isDeepStrictEqual } from 'node:util';
import middy, { type MiddlewareObj } from '@middy/core';
import * as rate from '#core/account/call-budgets.ts';
import type { Active } from '#core/organization/organization.ts';
import { Refusal } from '#core/refusal.ts';
import type { Item } from '#core/storage/table.store.ts';
import type { Budget } from '#shared/budgets.ts';
import { pathIn, type Route, type RouteTable, statusOf, twinKeyOf, twinsOf } from '#shared/route.ts';
import { described, log } from '../platform/log.ts';
import { now } from '../platform/runtime.ts';
import { table } from '../platform/table.ts';
import {
  authorize,
  authorizeUser,
  bySession,
  byToken,
  organizationOfHeader,
  requireSwitch,
} from './access.ts';
import * as idempotency from './idempotency.ts';
import type { PathParamLoader } from './path-params.ts';
import {
  bodyOf,
  type Event,
  type Handlers,
  type Loaders,
  type Response,
  readBody,
  readQuery,
} from './request.ts';
import { compressed, failureResponse, json, methodRefusal, refusalResponse } from './response.ts';
import { networkOf, viewerOf } from './viewer.ts';

const SPARE_MS = 4_000;

type Step = MiddlewareObj<Event, Response>;
type Params = Record<string, string>;
type Loader = PathParamLoader<unknown>;
/** The loaders, required if a path has a parameter to load. */
type LoadersOf<T extends RouteTable> = keyof Loaders<T> extends never ? [] : [loaders: Loaders<T>];

/** The steps that differ by caller. A function is granted what its own steps read, and not what those of others do. */
type Steps = {
  authenticate: typeof bySession;
  authorize: typeof authorize;
  count?: typeof countCall;
  answerOnce?: typeof answerOnce;
};

/**
 * The Lambda function of a route table. The steps of a call have the order of its refusals: 401, then 403 and 404 of the
 * organization, 429 of a program, 409 of its key, 404 of what the path names, 422 of the query and the body, and 429 of
 * expensive calls.
 */
function serveWith<const T extends RouteTable>(
  stepsOf: (route: Route) => Steps,
  declared: T,
  handlers: NoInfer<Handlers<T>>,
  [loaders = {} as Loaders<T>]: LoadersOf<T>,
) {
  const routes: RouteTable = { ...declared, ...twinsOf(declared) };
  const handlerOf = Object.fromEntries(
    Object.entries(handlers).flatMap(([key, handler]) => [key, twinKeyOf(key)].map(of => [of, handler])),
  ) as Record<string, (request: object) => Promise<unknown>>;
  return middy<Event, Response>()
    .use(ofMethod)
    .use(requestLog)
    .use(compressed)
    .use(problems)
    .use(checkedAnswers(routes))
    .handler(async (event, context) => {
      const route = routeOf(routes, event);
      const { authenticate, authorize, count, answerOnce } = stepsOf(route);
      const { budget } = route;
      const at = now();
      const caller = await authenticate(route, event, at);
      const params = paramsOf(event);
      const loads = loadsOf(params, loaders);
      const keysIn = (organization: number) =>
        loads.flatMap(({ id, loader }) => loader.keys(organization, id, params));
      const { active, items } = await authorize(route, event, caller, keysIn);
      if (active) await count?.(at, active);
      const answer = async () => {
        const request = {
          ...caller,
          active,
          ...(active && (await loaded(loads, active, items, params))),
          params,
          query: readQuery(route, event),
          body: readBody(route, event),
          named: () => organizationOfHeader(event),
          userAgent: event.headers['user-agent'] ?? '',
          network: () => networkOf(viewerOf(event)),
          now: at,
          hasTimeLeft: (reserveMs = 0) =>
            context.getRemainingTimeInMillis() > SPARE_MS + reserveMs &&
            now().getTime() - at.getTime() + reserveMs < (budget?.mostMs ?? Number.POSITIVE_INFINITY),
        };
        if (caller.scopes) requireSwitch(route, caller.scopes, request.body);
        // Counted after all refusals, as only the work is expensive.
        if (active && budget) await rate.countCalls({ table, now: at }, active.organization.id, budget);
        const work = async () => handlerOf[event.routeKey]?.(request);
        const answered = await (active && budget?.processorMs
          ? metered({ at, active }, budget, work)
          : work());
        return json(statusOf(route), route.answer && answered);
      };
      // A repeated call is answered before its path is looked up: the first one may have deleted what it names.
      return active && answerOnce ? answerOnce(event, { at, active }, answer) : answer();
    });
}

const ofUser: Steps = { authenticate: bySession, authorize };
const ofProgram: Steps = { authenticate: byToken, authorize, count: countCall, answerOnce };

type WithoutTwin = { v1?: never };

/** Serves the routes of users who act in an organization. */
export const serve = <const T extends Record<keyof RouteTable, Route & WithoutTwin>>(
  routes: T,
  handlers: NoInfer<Handlers<T>>,
  ...loaders: LoadersOf<T>
) => serveWith(() => ofUser, routes, handlers, loaders);

/** The same, and their twins for programs. */
export const serveBoth = <const T extends RouteTable>(
  routes: T,
  handlers: NoInfer<Handlers<T>>,
  ...loaders: LoadersOf<T>
) => serveWith(({ credential }) => (credential === 'token' ? ofProgram : ofUser), routes, handlers, loaders);

type Personal = { permission: 'public' | 'guest' | 'session'; credential?: never };

/** Serves routes that are about no organization. */
export const serveUser = <const T extends Record<keyof RouteTable, Route & Personal>>(
  routes: T,
  handlers: NoInfer<Handlers<T>>,
  ...loaders: LoadersOf<T>
) => serveWith(() => ({ authenticate: bySession, authorize: authorizeUser }), routes, handlers, loaders);

type OfProgram = { credential: 'token' };

/** Serves the routes of programs, which have an API token. */
export const serveProgram = <const T extends Record<keyof RouteTable, Route & OfProgram>>(
  routes: T,
  handlers: NoInfer<Handlers<T>>,
  ...loaders: LoadersOf<T>
) => serveWith(() => ofProgram, routes, handlers, loaders);

function countCall(now: Date, { organization }: Active) {
  return rate.countCalls({ table, now }, organization.id);
}

type Call = { at: Date; active: Active };

/** Adds the processor time of some work to its budget, also if the work fails. */
async function metered<T>({ at, active }: Call, budget: Budget, work: () => Promise<T>): Promise<T> {
  const before = process.cpuUsage();
  try {
    return await work();
  } finally {
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1000;
    await rate.addProcessorTime({ table, now: at }, active.organization.id, budget, ms);
  }
}

/** Answers a repeated call as before, if it has an Idempotency-Key: calls with which programs write may have one. */
async function answerOnce(
  event: Event,
  { at, active }: Call,
  answer: () => Promise<Response>,
): Promise<Response> {
  const key = event.headers['idempotency-key'];
  if (key === undefined || event.routeKey.startsWith('GET ')) return answer();
  const { rawPath, rawQueryString: query, routeKey: method } = event;
  const path = query ? `${rawPath}?${query}` : rawPath;
  const call = { user: active.membership.user_id, key, method, path, body: bodyOf(event) };
  const { status, body, isRepeated } = await idempotency.once(
    { table, now: at },
    active.organization.id,
    call,
    async () => {
      const { statusCode = 200, body = '' } = await answer();
      return { status: statusCode, body };
    },
  );
  // Without a body as without a key.
  const response = { ...json(status), ...(body && { body }) };
  return isRepeated
    ? { ...response, headers: { ...response.headers, 'idempotent-replayed': 'true' } }
    : response;
}

function routeOf(routes: RouteTable, { routeKey }: Event): Route {
  const route = Object.hasOwn(routes, routeKey) && routes[routeKey as keyof RouteTable];
  if (route) return route;
  throw methodRefusal(Object.keys(routes).filter(key => pathIn(key) === pathIn(routeKey)));
}

// Longer than any id or token of the product, and shorter than a key of DynamoDB may be.
const LONGEST_PARAM = 200;

function paramsOf({ pathParameters = {} }: Event): Params {
  const params = Object.entries(pathParameters).map(([name, value = '']) => [name, value] as const);
  if (params.every(([, value]) => value.length <= LONGEST_PARAM)) return Object.fromEntries(params);
  throw new Refusal('not-found', 'There is nothing here.');
}

type Load = { name: string; id: string; loader: Loader };

const loadsOf = (params: Params, loaders: Record<string, Loader>): Load[] =>
  Object.entries(params).flatMap(([name, id]) => {
    const loader = loaders[name];
    return loader ? [{ name, id, loader }] : [];
  });

const loaded = async (loads: Load[], active: Active, items: Item[], params: Params) =>
  Object.fromEntries(
    await Promise.all(
      loads.map(
        async ({ name, id, loader }) => [name, await loader.find(active, id, items, params)] as const,
      ),
    ),
  );

/** The route of a path that has one for all methods. */
const ofMethod: Step = {
  before: ({ event }) => {
    if (event.routeKey.startsWith('ANY '))
      event.routeKey = `${event.requestContext.http.method} ${pathIn(event.routeKey)}`;
  },
};

// Logs the route, never the path or the body, which have tokens and addresses.
const requestLog: Step = {
  after: ({ event, response }) =>
    log.info('request', { route: event.routeKey, status: response?.statusCode }),
  onError: ({ event, response, error }) => {
    const facts = { route: event.routeKey, status: response?.statusCode };
    if (error instanceof Refusal) log.info('request', facts);
    else log.error('request failed', { ...facts, error: described(error, valuesIn(event)) });
  },
};

const valuesIn = ({ pathParameters, queryStringParameters }: Event) =>
  Object.values({ ...pathParameters, ...queryStringParameters }).filter(value => value !== undefined);

const problems: Step = {
  onError: request => {
    request.response = refusalResponse(request.error) ?? failureResponse(request.error);
  },
};

/** In stages other than production, a response that the contract does not declare is an error. */
const checkedAnswers = (routes: RouteTable): Step => ({
  after: ({ event, response }) => {
    if (process.env.CHECK_ANSWERS !== 'true') return;
    const { answer } = routeOf(routes, event);
    // Parsing leaves out fields that are not declared, and the key __proto__, which a caller may have sent.
    const answered: unknown = JSON.parse(response?.body ?? 'null', (key, value) =>
      key === '__proto__' ? undefined : value,
    );
    const result = answer?.safeParse(answered);
    if (!result || (result.success && isDeepStrictEqual(result.data, answered))) return;
    const { issues = [{ path: [], message: 'a field too many' }] } = result.error ?? {};
    const at = issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
    throw new Error(`${event.routeKey} answers what its contract does not declare. ${at}`);
  },
});
