import type * as z from 'zod/mini';
import type { Budget } from './budgets.ts';
import type { Action } from './permissions.ts';

/** `public`: anyone; `guest`: anyone, with or without a session; `session`: any user; else who has this right. */
export type Permission = 'public' | 'guest' | 'session' | Action;

export type Route = {
  /** The operationId of the OpenAPI document: generated clients name their methods after it, so it never changes. */
  id: string;
  permission: Permission;
  credential?: 'token';
  beforeTerms?: true;
  query?: z.ZodMiniType;
  body?: z.ZodMiniType;
  /** The largest body; 1 MB if omitted. */
  mostBytes?: number;
  status?: 201;
  answer?: z.ZodMiniType;
  /** For expensive calls. */
  budget?: Budget;
  summary: string;
};

/** Above the limit of an image in a data URL, so that the error for a larger image is that of the limit and not 413. */
export const MOST_LOGO_REQUEST_BYTES = 5 * 1024 * 1024;

export type RouteTable = Record<`${'GET' | 'POST' | 'PUT' | 'DELETE'} /api/${string}`, Route>;

export const statusOf = ({ status, answer }: Route) => status ?? (answer ? 200 : 204);

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
