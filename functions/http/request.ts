import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Answer, Body, Group, Params, Query, RouteKey, Routes, RoutesOf } from '../../shared/routes.ts';
import type { Active } from '../core/organization/organization.ts';
import type { Session } from '../core/session/session.ts';

export type Event = APIGatewayProxyEventV2;
export type Response = APIGatewayProxyStructuredResultV2;

/** What the middlewares have found out before a handler is called. */
export type Known = { session?: Session; active?: Active; body?: unknown; query?: unknown };

export type Request<K extends RouteKey> = {
  params: Params<K>;
  body: Body<K>;
  query: Query<K>;
  session: Routes[K] extends { permission: 'public' } ? undefined : Session;
  /** Of the organization that the caller named as active, if they named one. */
  active: Active | undefined;
  userAgent: string;
  now: Date;
};

/** Where no answer is declared, none is given, whatever the handler returns. */
type Answered<K extends RouteKey> = Answer<K> extends undefined ? unknown : Answer<K>;
export type Handler<K extends RouteKey> = (request: Request<K>) => Promise<Answered<K>>;

/** Every route of the group and no other: a missing or an extra one is a type error. */
export type Handlers<G extends Group> = { [K in RoutesOf<G>]: Handler<K> };
