import { newSecret, sha256 } from '#core/id.ts';
import { Refusal } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import { conditionsHeld, type Write } from '#core/storage/write.store.ts';
import { DAY } from '#shared/time.ts';
import type { ActiveSession } from '#shared/user.ts';
import * as store from './session.store.ts';

export type Session = store.StoredSession;
type Needs = { table: Table; now: Date };

const LIFETIME = 30 * DAY;

const fresh = (now: Date) => ({
  last_used_at: now.toISOString(),
  expires_at: new Date(now.getTime() + LIFETIME).toISOString(),
});

export function newSession(
  { table, now }: Needs,
  user: string,
  userAgent: string,
): { token: string; writes: Write[] } {
  const token = newSecret();
  const session = {
    hash: sha256(token),
    user_id: user,
    device: deviceOf(userAgent),
    created_at: now.toISOString(),
    ...fresh(now),
  };
  return { token, writes: store.createWrites(table, session) };
}

export async function authenticate({ table, now }: Needs, token: string): Promise<Session | undefined> {
  const session = await store.read(table, sha256(token));
  if (!session || isExpired(session, now)) return undefined;
  const slid = { ...session, ...fresh(now) };
  if (now.getTime() - new Date(session.last_used_at).getTime() < DAY) return session;
  if (await conditionsHeld(store.extend(table, session.last_used_at, slid))) return slid;
  // Another request has extended it at the same time, or ended it.
  return store.read(table, session.hash);
}

const isExpired = (session: Session, now: Date) => new Date(session.expires_at) <= now;

/** The sessions of a user: the current one first, then the most recently used. */
export async function listed({ table, now }: Needs, current: Session): Promise<ActiveSession[]> {
  const sessions = await store.ofUser(table, current.user_id);
  return sessions
    .filter(session => !isExpired(session, now))
    .map(({ hash, device, created_at, last_used_at }) => ({
      id: hash,
      device,
      created_at,
      last_used_at,
      current: hash === current.hash,
    }))
    .sort((a, b) => Number(b.current) - Number(a.current) || b.last_used_at.localeCompare(a.last_used_at));
}

/** Ends a session. It is no error if it has ended already. */
export async function end({ table }: { table: Table }, session: Session): Promise<void> {
  await conditionsHeld(store.end(table, session.user_id, session.hash));
}

export async function endOne({ table }: { table: Table }, current: Session, id: string): Promise<void> {
  if (await conditionsHeld(store.end(table, current.user_id, id))) return;
  throw new Refusal('not-found', 'This session has ended already.');
}

export async function endOthers({ table }: { table: Table }, current: Session): Promise<void> {
  const sessions = await store.ofUser(table, current.user_id);
  const others = sessions.filter(({ hash }) => hash !== current.hash);
  await store.endAll(table, current.user_id, others.map(hashOf));
}

const MOST_SESSIONS = 100;

/** Called after a session was created. Concurrent requests end the same ones, so the limit is exact. */
export async function endOldest({ table }: { table: Table }, user: string): Promise<void> {
  const sessions = await store.ofUser(table, user);
  const byUse = sessions.sort(
    (a, b) => b.last_used_at.localeCompare(a.last_used_at) || b.created_at.localeCompare(a.created_at),
  );
  await store.endAll(table, user, byUse.slice(MOST_SESSIONS).map(hashOf));
}

const hashOf = ({ hash }: Session) => hash;

type Names = [pattern: RegExp, name: string][];

// The order matters: most browsers also name the browsers from which they descend.
const BROWSERS: Names = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Headless)?Chrom(e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: Names = [
  [/\b(iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const firstOf = (names: Names, text: string) => names.find(([pattern]) => pattern.test(text))?.[1];

/** A browser as its owner would recognize it: "Firefox on Linux". */
export function deviceOf(userAgent: string): string {
  const parts = [firstOf(BROWSERS, userAgent), firstOf(SYSTEMS, userAgent)].filter(
    part => part !== undefined,
  );
  return parts.length > 0 ? parts.join(' on ') : 'Unknown device';
}
