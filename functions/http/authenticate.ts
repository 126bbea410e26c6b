import type { Route } from '../../shared/routes.ts';
import * as organization from '../core/organization/organization.ts';
import { invalid, Refusal } from '../core/refusal.ts';
import * as session from '../core/session/session.ts';
import { table } from '../platform/table.ts';
import type { Event, Known } from './request.ts';

type Found = Pick<Known, 'session' | 'active'>;

/** Who calls, and for which organization. */
export async function authenticate(route: Route, event: Event, now: Date): Promise<Found> {
  if (route.permission === 'public') return {};
  const token = /^Bearer ([\w-]{1,100})$/i.exec(event.headers.authorization ?? '')?.[1];
  const found = token && (await session.authenticate({ table, now }, token));
  if (!found) throw new Refusal('unauthenticated', 'Please sign in.');
  return { session: found, ...(await activeOrganization(event, found.user_id)) };
}

async function activeOrganization(event: Event, user: string): Promise<Pick<Known, 'active'>> {
  const header = event.headers['x-active-organization'];
  if (header === undefined || header === '') return {};
  if (!/^[1-9]\d{0,14}$/.test(header)) {
    throw invalid('X-Active-Organization', 'X-Active-Organization must be the number of an organization.');
  }
  const active = await organization.activeFor({ table }, user, Number(header));
  if (!active) throw new Refusal('forbidden', 'You are not a member of this organization.');
  return { active };
}
