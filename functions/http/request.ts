import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Session } from '#core/account/session.ts';
import type { Active } from '#core/organization/organization.ts';
import type { AnswerOf, BodyOf, NamesOf, Permission, QueryOf, RouteTable } from '#shared/route.ts';
import type * as named from './named.ts';

export type Event = APIGatewayProxyEventV2;
export type Response = APIGatewayProxyStructuredResultV2;

/** What a path can name, as handlers get it. */
type Named = { [N in keyof typeof named]: Awaited<ReturnType<(typeof named)[N]['find']>> };
type NamedIn<K> = Extract<NamesOf<K>, keyof Named>;
/** The readers of what the paths of a route table name. The table cannot be served without them. */
export type Readers<T extends RouteTable> = Pick<typeof named, NamedIn<keyof T>>;

type PermissionOf<R> = R extends { permission: infer P extends Permission } ? P : never;
/** Depends on the permission of the route: a public route has no caller, a guest route may have one. */
type OfCaller<R, T> =
  PermissionOf<R> extends 'public' ? undefined : PermissionOf<R> extends 'guest' ? T | undefined : T;

export type Request<K, R> = Pick<Named, NamedIn<K>> & {
  params: Record<NamesOf<K>, string>;
  body: BodyOf<R>;
  query: QueryOf<R>;
  /**
   * Whether there is time for another read, for calls that may read much. `besides` is how many milliseconds of work follow
   * the read.
   */
  hasTime: (besides?: number) => boolean;
  /** The user id of the caller. */
  user: OfCaller<R, string>;
  session: R extends { credential: 'token' } ? undefined : OfCaller<R, Session>;
  /** The organization of the call, and the caller's membership of it. */
  active: PermissionOf<R> extends 'public' | 'guest' | 'session' ? undefined : Active;
  userAgent: string;
  now: Date;
};

/** A route that declares no response body sends none, whatever its handler returns. */
type Answered<R> = AnswerOf<R> extends undefined ? unknown : AnswerOf<R>;

/** A handler for every route of the table and no other: a missing or an extra one is a type error. */
export type Handlers<T extends RouteTable> = {
  [K in keyof T]: (request: Request<K, T[K]>) => Promise<Answered<T[K]>>;
};
