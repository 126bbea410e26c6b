import * as session from '#core/account/session.ts';
import * as token from '#core/account/token.ts';
import { Refusal } from '#core/refusal.ts';
import type { Route } from '#shared/route.ts';
import { table } from '../platform/table.ts';
import type { Event } from './request.ts';

export type Caller = { user?: string; session?: session.Session };

/** Reads the caller by their session or API token. Throws 401 if the route needs one and it is not valid. */
export async function authenticate(route: Route, event: Event, now: Date): Promise<Caller> {
  if (route.permission === 'public') return {};
  if (route.permission === 'guest' && !event.headers.authorization) return {};
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
