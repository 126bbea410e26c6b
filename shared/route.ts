import type * as z from 'zod/mini';
import type { Budget } from './budgets.ts';
import { type Action, SCOPE_NAMES, SCOPED, type Scope } from './permissions.ts';

/** `public`: anyone; `guest`: anyone, with or without a session; `session`: any user; else who has this right. */
export type Permission = 'public' | 'guest' | 'session' | Action;

export type Route = {
  /** The operationId of the OpenAPI document: generated clients name their methods after it, so it never changes. */
  id: string;
  permission: Permission;
  credential?: 'token';
  /** Programs may call it too: it has a twin below /api/v1, which takes an API token. */
  v1?: true;
  /** Assistants may call it: it is a tool (functions/mcp). */
  mcp?: true;
  /** What an API token needs for it, where that does not follow from the permission; `any`: a token with any scope. */
  scope?: Scope | 'any';
  /**
   * The token needs the scope `sending` as well where its body has `active`, of itself or of a step, or mails existing people.
   * What creates something needs it where that is active.
   */
  switches?: true;
  /** Also for tokens without scopes, which can do what all tokens could before there were scopes. */
  legacy?: true;
  beforeTerms?: true;
  query?: z.ZodMiniType;
  body?: z.ZodMiniType;
  /** The largest body; MOST_BODY_BYTES if omitted. */
  mostBytes?: number;
  status?: 201;
  answer?: z.ZodMiniType;
  /** For expensive calls. */
  budget?: Budget;
  summary: string;
};

export const MOST_BODY_BYTES = 1024 * 1024;

/** Above the limit of an image in a data URL, so that the error for a larger image is that of the limit and not 413. */
export const MOST_LOGO_REQUEST_BYTES = 5 * 1024 * 1024;

export type RouteTable = Record<`${'GET' | 'POST' | 'PUT' | 'DELETE'} /api/${string}`, Route>;

export const statusOf = ({ status, answer }: Route) => status ?? (answer ? 200 : 204);

/** The scope that an API token needs for a route. */
export function scopeOf({ id, permission, scope }: Route): Scope | 'any' {
  const found = scope ?? SCOPE_NAMES.find(name => (SCOPED[name] as readonly string[]).includes(permission));
  if (found) return found;
  throw new Error(`No scope has the permission ${permission} of ${id}`);
}

/** The path of the key of a route, which has a method before it. */
export const pathIn = (key: string) => key.slice(key.indexOf(' ') + 1);

export const twinKeyOf = (key: string) => key.replace(' /api/', ' /api/v1/');

/** The twins of the routes that have one. */
export const twinsOf = (table: RouteTable): RouteTable =>
  Object.fromEntries(
    Object.entries<Route>(table).flatMap(([key, route]) =>
      route.v1 ? [[twinKeyOf(key), { ...route, credential: 'token' }]] : [],
    ),
  );

type Shape<R, Part extends keyof Route> = R extends { [P in Part]: infer S extends z.ZodMiniType }
  ? S
  : undefined;
/** The type of a schema after validation, and the type that a caller may send. */
type Output<S> = S extends z.ZodMiniType ? z.output<S> : undefined;
type Input<S> = S extends z.ZodMiniType ? z.input<S> : undefined;

export type BodyOf<R> = Output<Shape<R, 'body'>>;
export type QueryOf<R> = Output<Shape<R, 'query'>>;
export type AnswerOf<R> = Output<Shape<R, 'answer'>>;
export type BodyInputOf<R> = Input<Shape<R, 'body'>>;
export type QueryInputOf<R> = Input<Shape<R, 'query'>>;

/** The names in braces of a route's path. */
export type NamesOf<Key> = Key extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesOf<Rest> : never;
