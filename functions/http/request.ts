import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { en } from 'zod/locales';
import * as z from 'zod/mini';
import type { Session } from '#core/account/session.ts';
import type { Active } from '#core/organization/organization.ts';
import { Refusal, textsByField } from '#core/refusal.ts';
import type { Means } from '#shared/record.ts';
import {
  type AnswerOf,
  type BodyOf,
  MOST_BODY_BYTES,
  type NamesOf,
  type Permission,
  type QueryOf,
  type Route,
  type RouteTable,
} from '#shared/route.ts';
import type { TokenScope } from '#shared/token.ts';
import type * as loaders from './path-params.ts';

export type Event = APIGatewayProxyEventV2;
export type Response = APIGatewayProxyStructuredResultV2;

type Loaded = { [N in keyof typeof loaders]: Awaited<ReturnType<(typeof loaders)[N]['find']>> };
type LoadedIn<K> = Extract<NamesOf<K>, keyof Loaded>;
/** The loaders for the path parameters of a route table. The table cannot be served without them. */
export type Loaders<T extends RouteTable> = Pick<typeof loaders, LoadedIn<keyof T>>;

type PermissionOf<R> = R extends { permission: infer P extends Permission } ? P : never;
/** Depends on the permission of the route: a public route has no caller, a guest route may have one. */
type OfCaller<R, T> =
  PermissionOf<R> extends 'public' ? undefined : PermissionOf<R> extends 'guest' ? T | undefined : T;

export type Request<K, R> = Pick<Loaded, LoadedIn<K>> & {
  params: Record<NamesOf<K>, string>;
  body: BodyOf<R>;
  query: QueryOf<R>;
  /** Whether there is time for another read, and for so many milliseconds of work after it, in calls that may read much. */
  hasTimeLeft: (reserveMs?: number) => boolean;
  user: OfCaller<R, string>;
  by: OfCaller<R, Means>;
  session: R extends { credential: 'token' } ? undefined : OfCaller<R, Session>;
  scopes: R extends { credential: 'token' } ? TokenScope[] : TokenScope[] | undefined;
  /** Of an API token that has one: the most people whom its plans may newly reach. */
  max_people?: number | undefined;
  active: PermissionOf<R> extends 'public' | 'guest' | 'session' ? undefined : Active;
  /** The organization that the header names, for a call that is about none. */
  named: () => number | undefined;
  userAgent: string;
  /** The network of the viewer: see `networkOf`. */
  network: () => string;
  now: Date;
};

/** A route that declares no response body sends none, whatever its handler returns. */
type Answered<R> = AnswerOf<R> extends undefined ? unknown : AnswerOf<R>;

/** A handler for every route of the table and no other: a missing or an extra one is a type error. */
export type Handlers<T extends RouteTable> = {
  [K in keyof T]: (request: Request<K, T[K]>) => Promise<Answered<T[K]>>;
};

z.config(en());

export const readQuery = ({ query }: Route, event: Event) =>
  query && validated(query, event.queryStringParameters ?? {});

export const readBody = ({ body, mostBytes }: Route, event: Event) =>
  body && validated(body, readObject(event, mostBytes));

export const bodyOf = (event: Event): string =>
  event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString() : (event.body ?? '');

function readObject(event: Event, mostBytes = MOST_BODY_BYTES): object {
  const body = bodyOf(event);
  if (Buffer.byteLength(body) > mostBytes) {
    const most = `${mostBytes / MOST_BODY_BYTES} MB`;
    throw new Refusal('too-large', `The request is too large: at most ${most} is accepted.`);
  }
  if (!/^application\/json\s*(;|$)/i.test(event.headers['content-type'] ?? '')) {
    throw new Refusal('wrong-type', 'Send JSON, with the header Content-Type: application/json.');
  }
  const parsed = parse(body);
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed;
  throw new Refusal('invalid', 'The request must be a JSON object.');
}

function parse(body: string): unknown {
  try {
    const parsed: unknown = JSON.parse(body);
    if (!LONE_SURROGATE.test(JSON.stringify(parsed))) return parsed;
  } catch {
    throw new Refusal('invalid', 'The request is not valid JSON.');
  }
  throw new Refusal('invalid', 'The request holds text that is not valid Unicode.');
}

// Half of a surrogate pair: JSON can escape it, DynamoDB cannot store it. JSON.stringify does not escape whole pairs.
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]/;

function validated(schema: z.ZodMiniType, input: unknown): unknown {
  const result = parsedBy(schema, input);
  if (result.success) return result.data;
  const faults = result.error.issues.flatMap(issue => {
    // An unknown key of an object that takes no others is at fault itself.
    const paths =
      issue.code === 'unrecognized_keys' ? issue.keys.map(key => [...issue.path, key]) : [issue.path];
    return paths.map(path => [path.join('.'), issue.message] as const);
  });
  const errors = textsByField(faults);
  throw new Refusal('invalid', result.error.issues[0]?.message ?? 'Invalid input', { errors });
}

/** Zod hands all issues of a value on as arguments, of which there can be too many for the stack. */
function parsedBy(schema: z.ZodMiniType, input: unknown) {
  try {
    return schema.safeParse(input);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Refusal('invalid', 'There is more wrong with this request than can be listed.');
  }
}
