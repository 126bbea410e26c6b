import { type Action, may } from '../../shared/permissions.ts';
import type { Route } from '../../shared/routes.ts';
import * as list from '../core/list/list.ts';
import * as organization from '../core/organization/organization.ts';
import { invalid, Refusal } from '../core/refusal.ts';
import * as session from '../core/session/session.ts';
import * as token from '../core/token/token.ts';
import { table } from '../platform/table.ts';
import type { Caller, Event } from './request.ts';

/** Who calls, for which organization, and whether they may. */
export async function authenticate(route: Route, event: Event, now: Date): Promise<Caller> {
  if (route.permission === 'public') return {};
  if (route.permission === 'guest' && !event.headers.authorization) return {};
  const caller = await identify(route, event, now);
  const named = await namedOrganization(event, caller.user);
  if (route.permission === 'session' || route.permission === 'guest') {
    return { ...caller, ...(named && { active: named }) };
  }
  const { also, ...active } = await permitted(route.permission, event, caller.user, named);
  return { ...caller, active, also };
}

async function identify(route: Route, event: Event, now: Date) {
  const secret = /^Bearer ([\w-]{1,100})$/i.exec(event.headers.authorization ?? '')?.[1];
  if (secret && route.credential === 'token') {
    const user = await token.authenticate({ table, now }, secret);
    if (user) return { user };
  } else if (secret) {
    const found = await session.authenticate({ table, now }, secret);
    if (found) return { user: found.user_id, session: found };
  }
  throw new Refusal(
    'unauthenticated',
    route.credential === 'token' ? 'This API token is not valid.' : 'Please sign in.',
  );
}

type Read = NonNullable<Awaited<ReturnType<typeof organization.activeFor>>>;

/** With the list of the path in the same read: a page of members is to cost few requests. */
const activeFor = (event: Event, user: string, id: number) =>
  organization.activeFor({ table }, user, id, list.keysOf(id, event.pathParameters?.list ?? ''));

async function namedOrganization(event: Event, user: string): Promise<Read | undefined> {
  const header = event.headers['x-active-organization'];
  if (header === undefined || header === '') return undefined;
  if (!isOrganizationId(header)) {
    throw invalid('X-Active-Organization', 'X-Active-Organization must be the number of an organization.');
  }
  const active = await activeFor(event, user, Number(header));
  if (!active) throw new Refusal('forbidden', 'You are not a member of this organization.');
  return active;
}

const isOrganizationId = (text: string) => /^[1-9]\d{0,14}$/.test(text);

/** The organization of the path, else the one that the caller named, else their default. */
async function permitted(action: Action, event: Event, user: string, named: Read | undefined): Promise<Read> {
  const id = event.pathParameters?.organization;
  const active =
    id === undefined
      ? (named ?? (await inDefault(event, user)))
      : isOrganizationId(id) && (await activeFor(event, user, Number(id)));
  if (!active)
    throw new Refusal('not-found', 'This organization does not exist, or you are not a member of it.');
  if (may(active.membership.role, action)) return active;
  throw new Refusal('forbidden', 'Your role does not allow this. Please contact an admin or owner.');
}

async function inDefault(event: Event, user: string): Promise<Read | undefined> {
  const id = await organization.defaultOf({ table }, user);
  return id === undefined ? undefined : activeFor(event, user, id);
}
