import * as z from 'zod/mini';
import { BUDGETS } from './budgets.ts';
import { SCOPE_NAMES, type Scope } from './permissions.ts';
import type { RouteTable } from './route.ts';
import { MostPeople, Scopes } from './token.ts';

/** What the tools of assistants need, and what an assistant asks for that names no scopes. */
export const ASSISTANT_SCOPES: readonly Scope[] = ['read', 'content', 'automations', 'sending'];

/** The paths that the metadata of OAuth names, all on the address of the stage. */
export const OAUTH_PATHS = {
  resource: '/mcp',
  authorize: '/connect',
  token: '/api/oauth/token',
  revoke: '/api/oauth/revoke',
};

const text = (longest: number) =>
  z
    .string('This page is opened by an assistant that you connect')
    .check(z.maxLength(longest, `Must be at most ${longest} characters`));

/** What an assistant sends its user with (RFC 6749, 7636, 8707). Most of it is judged where the answer can be told to the assistant. */
const Asked = z.object({
  client_id: text(500),
  redirect_uri: text(1000),
  response_type: z.optional(text(100)),
  code_challenge: z.optional(text(200)),
  code_challenge_method: z.optional(text(100)),
  resource: z.optional(text(1000)),
  scope: z.optional(text(1000)),
  state: z.optional(text(2000)),
});
export type Asked = z.infer<typeof Asked>;

const ConnectionRequest = z.object({
  /** Who asks: the host of the document that describes the assistant. */
  host: z.string(),
  /** What it calls itself, which nobody checks. */
  name: z.nullable(z.string()),
  /** The host that gets the answer; null if it is a program on the computer of the user. */
  redirect_host: z.nullable(z.string()),
  scopes: z.array(z.enum(SCOPE_NAMES)),
  /** Why it cannot be connected. */
  problem: z.nullable(z.string()),
  /** The address that tells the assistant that it is not connected. */
  cancel: z.string(),
});
export type ConnectionRequest = z.infer<typeof ConnectionRequest>;

const NewConnection = z.extend(Asked, { scopes: Scopes, max_people: z._default(MostPeople, null) });

// biome-ignore format: a table of routes
export const connectionRoutes = {
  'GET /api/connections/request': { id: 'getConnectionRequest', permission: 'lists:read', query: Asked, answer: ConnectionRequest,
    budget: BUDGETS.connections,
    summary: 'What an assistant asks for that wants to be connected' },
  'POST /api/connections': { id: 'createConnection', permission: 'lists:read', body: NewConnection, status: 201,
    answer: z.object({ redirect: z.string() }), budget: BUDGETS.connections,
    summary: 'Connect an assistant; answers the address to which the user goes on' },
} as const satisfies RouteTable;
