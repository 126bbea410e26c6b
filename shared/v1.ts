import * as z from 'zod/mini';
import { EventResults, EventRows } from './event.ts';
import { ListSummary } from './list.ts';
import { ListMemberRows, RowResults } from './list-member.ts';
import { ROLES } from './permissions.ts';
import type { RouteTable } from './route.ts';
import { TokenScope } from './token.ts';
import { CountedValue, NewValue } from './value.ts';

export const Me = z.object({
  organization: z.object({ id: z.int(), name: z.string(), currency: z.nullable(z.string()) }),
  role: z.enum(ROLES),
  scopes: z.array(TokenScope),
  limits: z.object({
    calls: z.int(),
    seconds: z.int(),
    body_bytes: z.int(),
    rows: z.int(),
    max_people: z.nullable(z.int()),
  }),
});

/** What programs alone call, with an API token. The other calls of programs are twins of those of the app. */
// biome-ignore format: a table of routes
export const v1Routes = {
  'GET /api/v1/me': { id: 'getMe', permission: 'lists:read', credential: 'token', scope: 'any', answer: Me,
    summary: 'The organization of a call with this token, its scopes and limits' },
  'GET /api/v1/email-lists': { id: 'listEmailListsByToken', mcp: true, permission: 'lists:read', credential: 'token', legacy: true,
    answer: z.array(ListSummary),
    summary: 'The email lists of the active organization' },
  'POST /api/v1/email-lists/{list}/members': {
    id: 'upsertListMembers', permission: 'list-members:edit', credential: 'token', legacy: true,
    body: ListMemberRows, answer: RowResults,
    summary: 'Create or update up to 100 members; fields other than email and is_subscribed become metadata' },
  'POST /api/v1/events': { id: 'postEvents', permission: 'list-members:edit', credential: 'token', legacy: true,
    body: EventRows, answer: EventResults,
    summary: 'Store up to 100 events: each is a date and metadata of a person, at which automations can start' },
  'POST /api/v1/value': { id: 'postValue', permission: 'value:post', credential: 'token', legacy: true,
    body: NewValue, answer: CountedValue,
    summary: 'Add the value of a conversion to the combination that led to it; an eventId counts once' },
} as const satisfies RouteTable;
