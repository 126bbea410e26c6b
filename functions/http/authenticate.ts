import * as session from '#core/account/session.ts';
import * as token from '#core/account/token.ts';
import { Refusal } from '#core/refusal.ts';
import type { Route } from '#shared/route.ts';
import { table } from '../platform/table.ts';
import type { Event } from './request.ts';

export type Caller = { user?: string; session?: session.Session };

/** Reads the caller by their session. Throws 401 if the route needs one and it is not valid. */
export async function bySession({ permission }: Route, event: Event, now: Date): Promise<Caller> {
  if (permission === 'public') return {};
  if (permission === 'guest' && !event.headers.authorization) return {};
  const secret = secretOf(event);
  const found = secret && (await session.authenticate({ table, now }, secret));
  if (found) return { user: found.user_id, session: found };
  throw new Refusal('unauthenticated', 'Please sign in.');
}

/** Reads the owner of a program by its API token. Throws 401 if that is not valid. */
export async function byToken(_: Route, event: Event, now: Date): Promise<Caller> {
  const secret = secretOf(event);
  const user = secret && (await token.authenticate({ table, now }, secret));
  if (user) return { user };
  throw new Refusal('unauthenticated', 'This API token is not valid.');
}

const secretOf = ({ headers }: Event) => /^Bearer ([\w-]{1,100})$/i.exec(headers.authorization ?? '')?.[1];
