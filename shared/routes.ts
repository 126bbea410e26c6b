import * as z from 'zod/mini';
import { CodeAttempt, CodeRequest, CodeSent, SignedIn } from './login.ts';
import { Organization } from './organization.ts';
import type { Action } from './permissions.ts';
import { ActiveSessions, User } from './user.ts';

/** Who may call: anybody, anybody but by name if signed in, whoever is signed in, or who has the right within an organization. */
export type Permission = 'public' | 'guest' | 'session' | Action;

export type Route = {
  /** The function that serves it: functions/api/<group>.ts */
  group: string;
  permission: Permission;
  /** What the caller shows: the session of a browser, unless it says otherwise. */
  credential?: 'token';
  summary: string;
  body?: z.ZodMiniType;
  query?: z.ZodMiniType;
  status: 200 | 201 | 204;
  answer?: z.ZodMiniType;
};

export const routes = {
  'POST /api/login/request': {
    group: 'login',
    permission: 'public',
    summary: 'Mail a one-time code to an address',
    body: CodeRequest,
    status: 200,
    answer: CodeSent,
  },
  'POST /api/login/verify': {
    group: 'login',
    permission: 'public',
    summary: 'Exchange a code for a session',
    body: CodeAttempt,
    status: 200,
    answer: SignedIn,
  },
  'POST /api/logout': {
    group: 'login',
    permission: 'session',
    summary: 'End this session',
    status: 204,
  },
  'GET /api/user': {
    group: 'user',
    permission: 'session',
    summary: 'Who is signed in',
    status: 200,
    answer: User,
  },
  'POST /api/user/accept-terms': {
    group: 'user',
    permission: 'session',
    summary: 'Accept the terms and conditions and the privacy policy',
    status: 200,
    answer: User,
  },
  'GET /api/user/sessions': {
    group: 'user',
    permission: 'session',
    summary: 'Where the user is signed in, this session first',
    status: 200,
    answer: ActiveSessions,
  },
  'DELETE /api/user/sessions': {
    group: 'user',
    permission: 'session',
    summary: 'Sign out everywhere else',
    status: 204,
  },
  'DELETE /api/user/sessions/{id}': {
    group: 'user',
    permission: 'session',
    summary: 'Sign out in one other place',
    status: 204,
  },
  'GET /api/organizations': {
    group: 'organization',
    permission: 'session',
    summary: 'The organizations of whoever is signed in',
    status: 200,
    answer: z.array(Organization),
  },
  'GET /api/openapi.json': {
    group: 'openapi',
    permission: 'public',
    summary: 'This interface as an OpenAPI 3.1 document',
    status: 200,
    answer: z.looseObject({ openapi: z.literal('3.1.0') }),
  },
} as const satisfies Record<`${'GET' | 'POST' | 'PUT' | 'DELETE'} /api/${string}`, Route>;

export type Routes = typeof routes;
export type RouteKey = keyof Routes;
export type Group = Routes[RouteKey]['group'];
export type RoutesOf<G extends Group> = {
  [K in RouteKey]: Routes[K] extends { group: G } ? K : never;
}[RouteKey];

type Of<K extends RouteKey, Part extends string> =
  Routes[K] extends Record<Part, infer S extends z.ZodMiniType> ? S : undefined;
/** The declared shape as its reader gets it, and as its writer may write it. */
type Read<S> = S extends z.ZodMiniType ? z.output<S> : undefined;
type Written<S> = S extends z.ZodMiniType ? z.input<S> : undefined;

export type Body<K extends RouteKey> = Read<Of<K, 'body'>>;
export type Query<K extends RouteKey> = Read<Of<K, 'query'>>;
export type Answer<K extends RouteKey> = Read<Of<K, 'answer'>>;
export type BodyInput<K extends RouteKey> = Written<Of<K, 'body'>>;
export type QueryInput<K extends RouteKey> = Written<Of<K, 'query'>>;

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;
export type Params<K extends RouteKey> = Record<Names<K>, string>;
