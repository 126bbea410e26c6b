import type * as z from 'zod/mini';
import type { Action } from './permissions.ts';

/**
 * Who may call: anyone; anyone, with a session if they have one; anyone with a session; or who has this right in the
 * organization that the call is about.
 */
export type Permission = 'public' | 'guest' | 'session' | Action;

export type Route = {
  /** The operationId of the OpenAPI document: generated clients name their methods after it, so it never changes. */
  id: string;
  permission: Permission;
  /** An API token instead of a browser's session. */
  credential?: 'token';
  /** Also for users who have not accepted the terms yet. */
  beforeTerms?: true;
  query?: z.ZodMiniType;
  body?: z.ZodMiniType;
  /** How large the body may be; 1 MB where nothing is said. */
  mostBytes?: number;
  status?: 201;
  answer?: z.ZodMiniType;
  /** How many calls of an organization are answered in a minute, where a call costs much. */
  mostPerMinute?: number;
  summary: string;
};

/** Above the limit of an image in a data URL, so that a larger image gets that message and not 413. */
export const MOST_LOGO_REQUEST_BYTES = 5 * 1024 * 1024;

export type RouteTable = Record<`${'GET' | 'POST' | 'PUT' | 'DELETE'} /api/${string}`, Route>;

export const statusOf = ({ status, answer }: Route) => status ?? (answer ? 200 : 204);

type Shape<R, Part extends keyof Route> = R extends { [P in Part]: infer S extends z.ZodMiniType }
  ? S
  : undefined;
/** A shape as it is after validation, and as a caller may write it. */
type Output<S> = S extends z.ZodMiniType ? z.output<S> : undefined;
type Input<S> = S extends z.ZodMiniType ? z.input<S> : undefined;

export type BodyOf<R> = Output<Shape<R, 'body'>>;
export type QueryOf<R> = Output<Shape<R, 'query'>>;
export type AnswerOf<R> = Output<Shape<R, 'answer'>>;
export type BodyInputOf<R> = Input<Shape<R, 'body'>>;
export type QueryInputOf<R> = Input<Shape<R, 'query'>>;

/** The names in braces of a route's path. */
export type NamesOf<Key> = Key extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesOf<Rest> : never;
