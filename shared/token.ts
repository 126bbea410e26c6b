import * as z from 'zod/mini';
import { SCOPE_NAMES, type Scope } from './permissions.ts';
import type { RouteTable } from './route.ts';

export const TOKEN_PREFIX = 'lf_';
export const EXPIRATIONS = [null, 7, 30, 90, 365] as const;
export const TOKEN_NAME_TAKEN = 'A token with this name already exists';

/** Of a token that was created without scopes: lists, members, events and values, as before there were scopes. */
export const LEGACY = 'legacy';
export const TokenScope = z.enum([...SCOPE_NAMES, LEGACY]);
export type TokenScope = z.infer<typeof TokenScope>;

export const ApiToken = z.object({
  id: z.string(),
  name: z.string(),
  display_name: z.string(),
  scopes: z.array(TokenScope),
  /** The most people that a plan which it applies may newly reach; null if any number. */
  max_people: z.nullable(z.int()),
  /** Of a connected assistant: the organization in which alone it acts. */
  connected_in: z.nullable(z.string()),
  created_at: z.iso.datetime(),
  expires_at: z.nullable(z.iso.datetime()),
  last_used_at: z.nullable(z.iso.datetime()),
});
export type ApiToken = z.infer<typeof ApiToken>;

const LONGEST_NAME = 64;
export const TokenName = z
  .string({ error: 'Token name is required' })
  .check(
    z.minLength(1, 'Token name is required'),
    z.maxLength(LONGEST_NAME, `Token name must be at most ${LONGEST_NAME} characters`),
    z.regex(/^[A-Za-z0-9_]*$/, 'Token name can only contain letters, numbers, and underscores'),
  );

const isScope = (value: unknown): value is Scope => SCOPE_NAMES.some(name => name === value);

// The errors are at the field, and not at its entries.
export const Scopes = z.pipe(
  z.array(z.unknown(), { error: `scopes must be a list of ${SCOPE_NAMES.join(', ')}` }).check(
    z.minLength(1, 'Choose at least one scope, or leave scopes out'),
    z.refine(scopes => scopes.every(isScope), `A scope must be one of ${SCOPE_NAMES.join(', ')}`),
    z.refine(scopes => new Set(scopes).size === scopes.length, 'Each scope can be there once'),
  ),
  z.transform(scopes => scopes.filter(isScope)),
);

const MOST_PEOPLE = 'Must be a whole number from 0 on, or empty';
export const MostPeople = z.nullable(z.int({ error: MOST_PEOPLE }).check(z.gte(0, MOST_PEOPLE)));

const NewToken = z.object({
  name: TokenName,
  expiration: z._default(z.literal(EXPIRATIONS, { error: 'Choose 7, 30, 90 or 365 days, or never' }), null),
  scopes: z.optional(Scopes),
  max_people: z._default(MostPeople, null),
});

export const ApiTokens = z.object({ tokens: z.array(ApiToken) });
const CreatedToken = z.object({ token: z.string() });

// biome-ignore format: a table of routes
export const tokenRoutes = {
  'GET /api/tokens': { id: 'listTokens', permission: 'session', answer: ApiTokens,
    summary: 'The API tokens of the user who is signed in' },
  'POST /api/tokens': { id: 'createToken', permission: 'session', body: NewToken, status: 201, answer: CreatedToken,
    summary: 'Create an API token; its value is answered only here' },
  'DELETE /api/tokens': { id: 'deleteTokens', permission: 'session',
    summary: 'Delete all API tokens of the user who is signed in' },
  'DELETE /api/tokens/{id}': { id: 'deleteToken', permission: 'session',
    summary: 'Delete an API token' },
} as const satisfies RouteTable;
