/**
 * What Letterflow mails to whom, when, and why not, by the specification, docs/sending.md and the decisions: naive on purpose.
 * `model.test.ts` compares it with the engine on random worlds. Its sender is punctual: it decides at the end of each minute.
 */
import type { Audience } from '#shared/audience.ts';
import type { Metadata } from '#shared/metadata.ts';
import { type Safeguards, WINDOWS } from '#shared/safeguards.ts';
import type { Schedule } from '#shared/schedule.ts';
import type { Skipped } from '#shared/send-status.ts';
import type { QuietHours } from '#shared/sending-hours.ts';
import { DAY, HOUR, MINUTE } from '#shared/time.ts';
import { matches } from './audience.ts';
import { broadcastsOf, senderOf } from './broadcasts.ts';
import { dayText, instantOf, isoOf, localTime, minuteOf, startOfDay, zoneIn } from './clocks.ts';
import { isHeldOut } from './holdouts.ts';
import { endOfQuiet, offFor, resumesOf, type Start, wasOn, whenAllowed } from './hours.ts';
import { knownOf } from './known.ts';
import { copiesOf, dateOf, hasLocalDays, occurrencesOf, zoneOf } from './occurrences.ts';
import { inOrder } from './orders.ts';
import { type WarmUp, warmUpsOf } from './warm-ups.ts';

// ——— The world. All instants are ISO texts, so that a printed world can be read.

/** When it was switched on or off, the oldest first; and whether the guard has done it. */
export type Switches = { at: string; on: boolean; byGuard?: boolean }[];
export type List = {
  id: string;
  zone: string | null;
  hasKey: boolean;
  switches: Switches;
  warmUp: WarmUp | null;
};
export type Automation = Required<Schedule> & {
  id: string;
  lists: string[];
  /** The column of dates, or the event, at which it starts; null: when the member was added. */
  column: string | null;
  audience: Audience | null;
  hasContent: boolean;
  /** So many percent of people get nothing of it. */
  holdout: number;
  switches: Switches;
  /** When it was switched on, or lists were added, for people who are there already too. */
  passes: string[];
  /** When the guard warned of it or paused it. */
  found: string[];
  /** Of a step of a sequence, by list: since when, and with the delay of which first step, it goes on for who was there. */
  begun?: Record<string, Begun>;
};
/** The first step itself goes to these people by `passes`, and has no entry. */
export type Begun = { since: string; delay_days: number; delay_minutes: number };
/** One email for everybody, at an instant, at a local time, or when it is scheduled. */
export type Broadcast = Pick<Automation, 'id' | 'lists' | 'audience' | 'hasContent'> & {
  at: string | null;
  /** `2026-12-01T09:00` in the zone of each member. */
  local_at: string | null;
  scheduled: string;
  /** When it is to be sent to the rest, if it is stopped by then. */
  rest: string | null;
  cancelled: string | null;
};
export type Membership = {
  list: string;
  subscribed: boolean;
  metadata: Metadata;
  added: string;
  /** When an import that starts nothing added it. */
  startNothing: string | null;
  /** The oldest call first. Each sets a date of the metadata, which are those before. */
  events: Event[];
};
/** What a call said: what happened, when, and what else is known since. */
export type Event = { came: string; column: string; at: string; properties: Metadata };
export type Person = { email: string; suppressed: boolean; memberships: Membership[] };
/** An email that was sent: its key, the day of its date, and the instant from which the safeguards count. */
export type Claim = Key & { at: string; isForExisting?: boolean; date?: string };
type Key = { email: string; automation: string; day: string; copy: number };

export type World = {
  zone: string;
  quiet: QuietHours[];
  safeguards: Safeguards;
  /** By day, the automations that earn most, the best first. */
  earners: Record<string, string[]>;
  /** So many percent of people get nothing at all. */
  holdout: number;
  switches: Switches;
  lists: List[];
  automations: Automation[];
  broadcasts: Broadcast[];
  /** In the order in which packs have them. */
  people: Person[];
  claims: Claim[];
  /** The stretch of time: emails that are due from the one minute until before the other. */
  from: string;
  until: string;
};

/** `resumes`: how often its automation had been switched on after the guard, which looks at each time apart. */
export type Decision = Key & { minute: string; list: string; result: Result; resumes?: number };
type Result = 'mailed' | Skipped;

// ——— The decisions.

/** An email of an automation to a member, and the zone in which its times and days count. */
export type Email = {
  automation: Sender;
  list: List;
  member: Membership;
  zone: string;
  /** The day of its key, which its copies share. */
  day: string;
  copy: number;
  due: number;
  /** The date or the anniversary by which it is due. */
  began: number;
  /** It was sent to an existing member by the switch of an automation. */
  existing?: { pass: string; firstDue: number; isDueAnyway: boolean };
  /** Not the date of this member makes it due, but an instant that many share. */
  isShared?: boolean;
  /** Of a broadcast: once more, to the rest. */
  isRest?: boolean;
  /** Of a broadcast: how many days later it goes by the warm-up of its list, and when it would without quiet hours. */
  days?: number;
  first?: number;
  /** It is decided at this instant, as it was due before its event came. */
  late?: number;
};
/** A broadcast is an automation that goes once, after no delay. */
export type Sender = Automation & { broadcast?: Broadcast };

export function decisionsOf(world: World): Decision[] {
  const packs = new Map<string, [Person, Email][]>();
  for (const person of world.people)
    for (const email of emailsTo(person, world)) {
      if (email.due < Date.parse(world.from) || email.due >= Date.parse(world.until)) continue;
      const name = packOf(email);
      packs.set(name, [...(packs.get(name) ?? []), [person, email]]);
    }
  const warmUps = warmUpsOf(world);
  const progress = { claims: [...world.claims], warmUps, going: broadcastsOf(world, warmUps) };
  const all = [...packs.keys()].sort().flatMap(name => {
    const pack = packs.get(name) ?? [];
    progress.going.look(pack.map(([, email]) => email));
    return [...Map.groupBy(pack, ([person]) => person)].flatMap(([person, to]) => {
      const emails = to.map(([, email]) => email);
      return decisionsFor(person, emails, world, progress);
    });
  });
  // Who would be the first one to be skipped for lack of content stops a broadcast too.
  const isStop = ({ automation, result }: Decision) =>
    result === 'no_content' && world.broadcasts.some(({ id }) => id === automation);
  const isAfter = (one: Decision) => (stop: Decision) =>
    stop.automation === one.automation && stop.minute < one.minute;
  const emptied = all.filter(isStop);
  return all.filter(one => !isStop(one) && !emptied.some(isAfter(one)));
}

/** What was sent until now, and what broadcasts and lists in warm-up have come to. */
type Progress = {
  claims: Claim[];
  warmUps: ReturnType<typeof warmUpsOf>;
  going: ReturnType<typeof broadcastsOf>;
};

/** Of one minute, the engine queues emails by what makes them due; each kind is decided after the one before it. */
const PACKS = ['late', 'date', 'existing', 'shared'] as const;
const kindOf = ({ existing, isShared, late }: Email) =>
  late !== undefined ? 'late' : isShared ? 'shared' : existing ? 'existing' : 'date';
const packOf = (email: Email) =>
  `${minuteOf(email.late ?? email.due)} ${PACKS.indexOf(kindOf(email))} ${email.due}`;

function decisionsFor(person: Person, pack: Email[], world: World, progress: Progress): Decision[] {
  const decisions: Decision[] = [];
  const claims = progress.claims.filter(({ email }) => email === person.email);
  const recent = recentClaims(claims, pack, world);
  const [first] = pack;
  for (const email of first ? inOrder(pack, recent, claimedAt(first, claims), world) : []) {
    const { automation, day, copy, list, due, late = due + MINUTE, began, existing, isShared } = email;
    const off = automation.broadcast ? undefined : offFor(email, world);
    // Nobody is found for a step that is off.
    if (!progress.going.isGoing(email) || (isShared && off && off !== 'no_key')) continue;
    progress.warmUps.onDay(list.id, late);
    const result = off ?? resultOf(email, person, claims, world);
    if (result === 'nothing') continue;
    const key = { email: person.email, automation: automation.id, day, copy };
    const isMailed = result === 'mailed' && progress.warmUps.takeShare(list.id, late);
    const reason = result === 'mailed' && !isMailed ? 'warm_up' : result;
    const resumes = isMailed ? resumesOf(email) : 0;
    decisions.push({ minute: isoOf(due), list: list.id, result: reason, resumes, ...key });
    if (!isMailed) continue;
    const isForExisting = existing !== undefined || isShared === true;
    const at = isoOf(claimedAt(email, claims));
    const claim = { at, ...key, isForExisting, date: dayText(began) };
    claims.push(claim);
    progress.claims.push(claim);
  }
  return decisions;
}

/** It counts from when it was due if it is claimed within two minutes; never from before the one before it. */
const claimedAt = ({ due, late = due }: Email, claims: Claim[]) =>
  Math.max(late - due <= 2 * MINUTE ? due : late, Date.parse(claims.at(-1)?.at ?? isoOf(0)));

/**
 * A sender reads a week, at most the emails allowed in it; three days without safeguards. For who was there it reads all since
 * their date; of a broadcast and of a step that has begun for many, all.
 */
function recentClaims(claims: Claim[], pack: Email[], { safeguards }: World): Claim[] {
  const dates = pack.flatMap(({ existing, isShared, began }) =>
    isShared ? [0] : existing ? [startOfDay(began) - DAY] : [],
  );
  const minutes = pack.map(({ due }) => due - (safeguards.enabled ? 7 : 3) * DAY);
  const since = isoOf(Math.min(...minutes, ...dates));
  const recent = claims.filter(({ at }) => at >= since);
  return safeguards.enabled && dates.length === 0 ? recent.slice(-safeguards.max_emails_1_week) : recent;
}

/** What becomes of an email. Nothing, without a word in the log, if it is not meant for this member, or was sent already. */
function resultOf(email: Email, person: Person, claims: Claim[], world: World): Result | 'nothing' {
  const { automation, member, day, copy, due, existing, isShared } = email;
  if (person.suppressed) return 'suppressed';
  if (!member.subscribed) return 'not_subscribed';
  if (!isShared && startsNothing(member, email.began)) return 'nothing';
  if (automation.audience !== null && !matches(automation.audience, email, person)) return 'nothing';
  const ofAutomation = claims.filter(claim => claim.automation === automation.id);
  // What is due for many at once goes to nobody who has it already, from any day and any list.
  if (isShared && ofAutomation.length > 0) return 'nothing';
  // The first step of a sequence is not sent at once to who has had it, or is on the way to it by another list.
  if (existing && automation.begun && ofAutomation.length > 0) return 'nothing';
  const isOfDate = ({ date }: Claim) => automation.repeat === 'once' && date === dayText(email.began);
  if (ofAutomation.some(one => one.copy === copy && (one.day === day || isOfDate(one)))) return 'nothing';
  // Who was there already gets nothing if anything was sent since, or is due on this day anyway; and then no other first email.
  const since = existing && dayText(existing.firstDue);
  if (since && (existing.isDueAnyway || ofAutomation.some(({ at }) => at >= since))) return 'nothing';
  const isInstead = ({ at, isForExisting }: Claim) => isForExisting && dayAt(Date.parse(at), email) === day;
  if (!existing && copy === 1 && ofAutomation.some(isInstead)) return 'nothing';
  if (isHeldOut(email, person, world)) return 'held_out';
  // A first email that was sent late replaces the copies that were due by then.
  const isFirst = (one: Claim) => one.copy === 1 && one.day === day && one.at <= isoOf(due);
  if (copy > 1 && !ofAutomation.some(isFirst)) return 'no_first';
  const instant = claimedAt(email, claims);
  for (const { field, length } of WINDOWS) {
    const within = claims.filter(({ at }) => Date.parse(at) > instant - length).length;
    if (world.safeguards.enabled && within >= world.safeguards[field]) return `capped:${field}`;
  }
  return automation.hasContent ? 'mailed' : 'no_content';
}

// ——— What is due.

/** By what is known of a person when the emails are due; by an event that comes later, also what was due within the hour. */
const emailsTo = ({ memberships }: Person, world: World): Email[] =>
  knownOf(memberships).flatMap(({ since, until, memberships: known, before }) =>
    emailsBy(known, world).flatMap(email => {
      if (email.due >= since) return email.due < until ? [email] : [];
      const event = email.member.events.find(one => minuteOf(Date.parse(one.came)) === since);
      const was = before.find(({ list }) => list === email.list.id);
      return event && was ? lateEmail(email, event, was, world) : [];
    }),
  );

/** Of a new date or time zone; where it is not older than an hour itself. In quiet hours it waits for their end. */
function lateEmail(email: Email, event: Event, before: Membership, world: World): Email[] {
  const { automation, due, began, member } = email;
  const [came, at] = [Date.parse(event.came), Date.parse(event.at)];
  const isOfEvent = automation.column === event.column;
  const isRecent = isOfEvent ? at >= came - HOUR && due >= minuteOf(came - HOUR) : due >= came - HOUR;
  const isMoved = zoneIn(before.metadata) !== zoneIn(member.metadata);
  const isNew = isMoved || (isOfEvent && before.metadata[event.column] !== member.metadata[event.column]);
  const isFound = kindOf(email) === 'date' && member.subscribed && !startsNothing(member, began);
  if (!isRecent || !isNew || !isFound || !wasOn(automation.switches, due, came)) return [];
  const late = came - due > 2 * MINUTE ? Math.max(came, endOfQuiet(minuteOf(came), world)) : came;
  return [{ ...email, late }];
}

/** By what is known of them at one time. */
function emailsBy(memberships: Membership[], world: World): Email[] {
  const senders: Sender[] = [...world.automations, ...world.broadcasts.map(senderOf)];
  const emails = memberships.flatMap(member =>
    senders.flatMap(automation => {
      const list = world.lists.find(({ id }) => id === member.list);
      if (!list || !automation.lists.includes(list.id)) return [];
      return automation.broadcast
        ? emailsOfBroadcast(automation, automation.broadcast, list, member, world)
        : emailsOf(automation, list, member, world);
    }),
  );
  return emails.map(one =>
    one.existing && isOnTheWay(one, emails)
      ? { ...one, existing: { ...one.existing, isDueAnyway: true } }
      : one,
  );
}

/** To the first step of a sequence by another list, on which it has begun for them by their date: they go on by that. */
const isOnTheWay = ({ automation, list, due }: Email, emails: Email[]) =>
  automation.begun &&
  emails.some(
    one =>
      one.automation === automation &&
      one.list !== list &&
      kindOf(one) === 'date' &&
      one.member.subscribed &&
      !startsNothing(one.member, one.began) &&
      minuteOf(one.began) <= due &&
      one.due >= due,
  );

function emailsOf(automation: Automation, list: List, member: Membership, world: World): Email[] {
  const scheduled = scheduledEmails(automation, list, member, world);
  const begun = automation.begun?.[list.id];
  if (!begun) return [...scheduled, ...emailsForExisting(scheduled, world)];
  // Who was there, and had to begin before that instant by their date and the delay of the first step, has begun at it.
  const { since, delay_days, delay_minutes } = begun;
  const own = dateOf(automation, member);
  if (!own || member.added >= since || startsNothing(member, own.instant)) return scheduled;
  const first = minuteOf(own.instant) + delay_days * DAY + delay_minutes * MINUTE;
  const instant = Date.parse(since);
  if (first >= minuteOf(instant)) return scheduled;
  const later = scheduledEmails(automation, list, member, world, { instant, isDay: false });
  return later.map(email => ({ ...email, isShared: true }));
}

/** What an import that starts nothing leaves out: dates until it. */
const startsNothing = ({ startNothing }: Membership, date: number) =>
  startNothing !== null && date <= Date.parse(startNothing);

/** A broadcast goes to who was a member before its instant, or before its local time in their zone, until it is cancelled. */
function emailsOfBroadcast(
  sender: Sender,
  broadcast: Broadcast,
  list: List,
  member: Membership,
  world: World,
) {
  const { local_at, at, scheduled, rest, cancelled } = broadcast;
  const local = local_at === null ? undefined : Date.parse(`${local_at}Z`);
  const zone = zoneOf(sender, list, member, world);
  const instant = local === undefined ? Date.parse(at ?? scheduled) : instantOf(local, zone);
  if (Date.parse(member.added) >= instant) return [];
  const [first] = scheduledEmails(sender, list, member, world, { instant, isDay: false });
  if (!first) return [];
  // As with any time of day, the key has the local day.
  const day = local === undefined ? first.day : dayText(local);
  const again = rest === null ? undefined : endOfQuiet(minuteOf(Date.parse(rest)), world);
  const all = (list.warmUp === null ? [0] : [0, 1, 2, 3, 4]).flatMap(days => {
    const due = endOfQuiet(first.due + days * DAY, world);
    const email = { ...first, day, isShared: true, days, due, first: first.due + days * DAY };
    return again === undefined ? [email] : [email, { ...email, due: Math.max(due, again), isRest: true }];
  });
  return all.filter(({ due }) => cancelled === null || due + MINUTE < Date.parse(cancelled));
}

function scheduledEmails(
  automation: Automation,
  list: List,
  member: Membership,
  world: World,
  trigger = dateOf(automation, member),
): Email[] {
  const zone = zoneOf(automation, list, member, world);
  const go = (start: Start) => whenAllowed(start, automation, zone, world);
  // Of several occurrences that days off move to one day, the newest is left, also one that goes later.
  const byDay = new Map<string, { index: number; first: number; began: number }>();
  for (const occurrence of occurrencesOf(automation, trigger, zone, Date.parse(world.until) + 2 * DAY)) {
    const first = go(occurrence);
    const day = hasLocalDays(automation) ? first.day : occurrence.day;
    byDay.delete(day);
    byDay.set(day, { ...occurrence, first: first.at });
  }
  // Of several emails that have waited for one minute too.
  const byMinute = new Map<number, Email>();
  for (const [day, { index, began, first }] of byDay) {
    for (let copy = 1; copy <= copiesOf(automation, index); copy++) {
      const due = copy === 1 ? first : go({ start: first + (copy - 1) * 6 * HOUR }).at;
      byMinute.set(due, { automation, list, member, zone, day, copy, due, began });
    }
  }
  return [...byMinute.values()];
}

/** Whom the first email would have been due for before an automation was switched on may get it then, at any time of day. */
function emailsForExisting(scheduled: Email[], world: World): Email[] {
  const [first, ...others] = scheduled.filter(({ copy }) => copy === 1).sort((a, b) => a.due - b.due);
  if (!first || first.automation.repeat === 'yearly') return [];
  return first.automation.passes.flatMap(pass => {
    const since = minuteOf(Date.parse(pass));
    if (first.due >= since || first.member.added >= pass) return [];
    const due = endOfQuiet(since, world);
    const isAnyway = (one: Email) => one.due >= since && (one.due <= due || one.day === dayAt(due, first));
    return { ...first, due, existing: { pass, firstDue: first.due, isDueAnyway: others.some(isAnyway) } };
  });
}

/** The day for which an email counts that goes at an instant. */
function dayAt(instant: number, { automation, zone }: Email): string {
  const unmoved = instant - automation.delay_minutes * MINUTE;
  return dayText(hasLocalDays(automation) ? localTime(instant, zone) : unmoved);
}
