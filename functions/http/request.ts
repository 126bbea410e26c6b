import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Answer, Body, Group, Params, Query, RouteKey, Routes, RoutesOf } from '../../shared/routes.ts';
import type { Found } from '../core/list/list.ts';
import type { Active } from '../core/organization/organization.ts';
import type { Session } from '../core/session/session.ts';
import type { Item } from '../core/table.store.ts';

/** What is known of whoever calls. */
export type Caller = {
  user?: string;
  session?: Session;
  active?: Active;
  /** What was read along with the organization: the list of the path, if there is one. */
  also?: Item[];
  list?: Found;
};

export type Event = APIGatewayProxyEventV2 & { caller?: Caller };
export type Response = APIGatewayProxyStructuredResultV2;

type PermissionOf<K extends RouteKey> = Routes[K]['permission'];
/** Whether somebody is known to call, by the permission of the route. */
type Known<K extends RouteKey, T> =
  PermissionOf<K> extends 'public' ? undefined : PermissionOf<K> extends 'guest' ? T | undefined : T;

export type Request<K extends RouteKey> = {
  params: Params<K>;
  /** Read and validated when it is asked for: after a handler has found what its path names. */
  readonly body: Body<K>;
  readonly query: Query<K>;
  /** The id of the user who calls. */
  user: Known<K, string>;
  session: Routes[K] extends { credential: 'token' } ? undefined : Known<K, Session>;
  /** The organization that the call is about, and the caller's part in it. */
  active: PermissionOf<K> extends 'public' | 'guest' | 'session' ? Active | undefined : Active;
  /** The email list that the path names: of the caller's organization, or the call ends with 404. */
  list: K extends `${string}{list}${string}` ? Found : undefined;
  userAgent: string;
  now: Date;
};

/** Where no answer is declared, none is given, whatever the handler returns. */
type Answered<K extends RouteKey> = Answer<K> extends undefined ? unknown : Answer<K>;
export type Handler<K extends RouteKey> = (request: Request<K>) => Promise<Answered<K>>;

/** Every route of the group and no other: a missing or an extra one is a type error. */
export type Handlers<G extends Group> = { [K in RoutesOf<G>]: Handler<K> };
