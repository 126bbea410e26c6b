import { dueOccurrences, type Interval, triggerOf } from '#core/automation/due/rule.ts';
import type * as claimStore from '#core/recipient/claim.store.ts';
import type * as journal from '#core/recipient/journal.store.ts';
import { PUNCTUAL } from '#core/times.ts';
import { WINDOWS } from '#shared/safeguards.ts';
import type { NotSent } from '#shared/simulation.ts';
import { MINUTE } from '#shared/time.ts';
import { timeZoneOf } from '#shared/time-zone.ts';
import { isStale } from '../claim/claim.ts';
import { decide } from '../claim/decide.ts';
import { type Due, minuteOf } from '../pack.ts';
import { pausedUntil, quietUntil } from '../state.ts';
import { type Plan, type Source, sourcesOf } from './plan.ts';

/** An email that falls due for a person, and what becomes of it. */
export type Email = {
  automation: string;
  list: string;
  /** The minute in which it is due. */
  due: number;
  /** Why it is not sent. */
  notSent?: NotSent;
  /** If a safeguard skips it, the automations whose emails fill the window of that safeguard. */
  insteadOf?: string[];
};

/** A plan, with what is computed from it once for all people. */
export type Prepared = ReturnType<typeof prepare>;

export function prepare(plan: Plan, now: Date) {
  const sources = sourcesOf(plan);
  return { plan, now, sources, byList: Map.groupBy(sources, ({ list }) => list) };
}

/** The emails that fall due for a person within an interval. Each is decided as a sender will, after those before it. */
export function emailsOf(
  prepared: Prepared,
  hash: string,
  person: claimStore.Person,
  { from, until }: Interval,
): Email[] {
  // What fell due in the last minutes may not be claimed yet.
  const interval = { from: new Date(from.getTime() - PUNCTUAL), until };
  let current = person;
  return turnsOf(prepared, person, interval).flatMap(turn => {
    const { emails, after } = decideOn(prepared, hash, current, turn);
    current = after;
    return turn.due >= from.getTime() ? emails : [];
  });
}

/** The dues of a person that a sender decides on together. */
type Turn = { due: number; decidedAt: number; dues: Due[] };

function turnsOf({ plan, now, byList }: Prepared, person: claimStore.Person, interval: Interval): Turn[] {
  const turns = new Map<string, Turn>();
  // As for the sweep: a person who may not be mailed has no trigger rows.
  const memberships = person.suppression ? [] : [...person.memberships];
  for (const [list, membership] of memberships.filter(([, { status }]) => status === 'subscribed')) {
    const zone = timeZoneOf(membership.metadata);
    for (const { place, rules } of byList.get(list) ?? []) {
      const rule = rules(zone);
      const trigger = triggerOf(membership, rule);
      for (const { at } of dueOccurrences(trigger, rule, interval)) {
        const due = at.getTime();
        const decidedAt = decidedFor(plan, list, due, now);
        const turn = turns.get(`${due} ${decidedAt}`) ?? { due, decidedAt, dues: [] };
        turns.set(`${due} ${decidedAt}`, turn);
        turn.dues.push([place, trigger?.toISOString().slice(0, 16) ?? '']);
      }
    }
  }
  return [...turns.values()].sort((a, b) => a.decidedAt - b.decidedAt || a.due - b.due);
}

/** When a sender decides on what is due: a list may be paused, and what is late waits for the end of quiet hours. */
function decidedFor(plan: Plan, list: string, due: number, now: Date): number {
  const at = Math.max(due + MINUTE, waitsUntil(plan, list, now));
  if (at === Number.POSITIVE_INFINITY) return at;
  return quietUntil(plan.organization, new Date(due), new Date(at))?.getTime() ?? at;
}

function waitsUntil({ lists }: Plan, id: string, now: Date): number {
  const list = lists.get(id);
  if (!list?.sending_key) return 0;
  if (list.connection?.valid === false) return Number.POSITIVE_INFINITY;
  return pausedUntil(list, now)?.getTime() ?? 0;
}

type Decided = { emails: Email[]; after: claimStore.Person };

function decideOn(
  { plan, sources }: Prepared,
  hash: string,
  person: claimStore.Person,
  { due, decidedAt, dues }: Turn,
): Decided {
  const email = (place: number, notSent?: NotSent): Email => {
    const { automation, list } = sources[place] as Source;
    return { automation, list, due, ...(notSent && { notSent }) };
  };
  const all = (reason: NotSent) => ({ after: person, emails: dues.map(([place]) => email(place, reason)) });
  if (decidedAt === Number.POSITIVE_INFINITY) return all('key_refused');
  const pack = { id: FORECAST, minute: minuteOf(new Date(due)), sources };
  const now = new Date(decidedAt);
  if (isStale(pack, now)) return all('stale');
  const { wanted, skips } = decide(plan, pack, { candidate: [hash, dues], person }, now);
  const claims = [...wanted.map(({ claim }) => claim).reverse(), ...person.claims];
  const newest = claims[0];
  const after =
    wanted.length > 0 && newest ? { ...person, claims, last: { seq: newest.seq, at: newest.at } } : person;
  return {
    after,
    emails: [
      ...wanted.map(({ claim, membership }) => ({
        automation: claim.automation_id,
        list: membership.list_id,
        due,
      })),
      ...skips.map(({ source, reason }) => ({
        ...email(source, reason),
        ...insteadOf(reason, claims, decidedAt),
      })),
    ],
  };
}

/** The id of the pack for `decide`, which is never queued. */
const FORECAST = 'forecast';

/** For an email that a safeguard skips, the automations whose emails fill its window. */
function insteadOf(reason: NotSent, claims: journal.Claim[], at: number): Pick<Email, 'insteadOf'> {
  const window = WINDOWS.find(({ field }) => reason === `capped:${field}`);
  if (!window) return {};
  const since = new Date(at - MINUTE - window.length).toISOString();
  const within = claims.filter(claim => claim.at > since);
  return { insteadOf: [...new Set(within.map(({ automation_id }) => automation_id))] };
}
