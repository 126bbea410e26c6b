/**
 * What Letterflow mails to whom, when, and why not, by the specification, docs/sending.md and the decisions: naive on purpose.
 * `model.test.ts` compares it with the engine on random worlds. Its sender is punctual: it decides at the end of each minute.
 */
import type { Audience } from '#shared/audience.ts';
import type { Metadata } from '#shared/metadata.ts';
import { type Safeguards, WINDOWS } from '#shared/safeguards.ts';
import { ANY_TIME, type MultipleSends, type Schedule } from '#shared/schedule.ts';
import type { Skipped } from '#shared/send-status.ts';
import type { QuietHours } from '#shared/sending-hours.ts';
import { DAY, HOUR, MINUTE } from '#shared/time.ts';
import { matches } from './audience.ts';
import { dayText, inOrder, instantOf, isoOf, localTime, minuteOf, startOfDay, zoneIn } from './clocks.ts';
import { endOfQuiet, type Start, whenAllowed } from './hours.ts';
import { copiesOf, dateOf, occurrencesOf } from './occurrences.ts';

// ——— The world. All instants are ISO texts, so that a printed world can be read.

/** When it was switched on or off, the oldest first. */
export type Switches = { at: string; on: boolean }[];
export type List = { id: string; zone: string | null; hasKey: boolean; switches: Switches };
export type Automation = Required<Schedule> & {
  id: string;
  lists: string[];
  /** The column of dates at which it starts; null: when the member was added. */
  column: string | null;
  audience: Audience | null;
  hasContent: boolean;
  switches: Switches;
  /** When it was switched on, or lists were added, for people who are there already too. */
  passes: string[];
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
};
export type Membership = {
  list: string;
  subscribed: boolean;
  metadata: Metadata;
  added: string;
  /** When an import that starts nothing added it. */
  startNothing: string | null;
};
export type Person = { email: string; suppressed: boolean; memberships: Membership[] };
/** An email that was sent: its key, the day of its date, and the instant from which the safeguards count. */
export type Claim = Key & { at: string; isForExisting?: boolean; date?: string };
type Key = { email: string; automation: string; day: string; copy: number };

export type World = {
  zone: string;
  quiet: QuietHours[];
  safeguards: Safeguards;
  switches: Switches;
  lists: List[];
  automations: Automation[];
  broadcasts: Broadcast[];
  people: Person[];
  claims: Claim[];
  /** The stretch of time: emails that are due from the one minute until before the other. */
  from: string;
  until: string;
};

export type Decision = Key & { minute: string; list: string; result: Result };
type Result = 'mailed' | Skipped;

// ——— The decisions.

/** An email of an automation to a member, and the zone in which its times and days count. */
type Email = {
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
};
/** A broadcast is an automation that goes once, after no delay. */
type Sender = Automation & { broadcast?: Broadcast };

export function decisionsOf(world: World): Decision[] {
  const isWithin = ({ due }: Email) => due >= Date.parse(world.from) && due < Date.parse(world.until);
  const emails = new Map(world.people.map(person => [person, emailsTo(person, world).filter(isWithin)]));
  const stops = stopsOf([...emails.values()].flat(), world);
  const isLeft = ({ due, automation: { id } }: Email) => due < (stops.get(id) ?? due + 1);
  const all = [...emails].flatMap(([person, to]) => decisionsFor(person, to.filter(isLeft), world));
  // Who would be the first one to be skipped for lack of content stops a broadcast too.
  const isStop = ({ automation, result }: Decision) =>
    result === 'no_content' && world.broadcasts.some(({ id }) => id === automation);
  const isAfter = (one: Decision) => (stop: Decision) =>
    stop.automation === one.automation && stop.minute < one.minute;
  const emptied = all.filter(isStop);
  return all.filter(one => !isStop(one) && !emptied.some(isAfter(one)));
}

/** The minute in which a broadcast is stopped for good: something of it is off, or has no key, when an email of it is due. */
function stopsOf(emails: Email[], world: World): Map<string, number> {
  const isOn = (switches: Switches, minute: number) => lastSwitch(switches, minute)?.on === true;
  const isStopped = ({ automation: { lists }, due }: Email) =>
    !isOn(world.switches, due) ||
    world.lists.some(list => lists.includes(list.id) && !(list.hasKey && isOn(list.switches, due)));
  const stopping = emails.filter(email => email.automation.broadcast && isStopped(email));
  return new Map(stopping.sort((a, b) => b.due - a.due).map(({ automation, due }) => [automation.id, due]));
}

/** What a person is due for by dates, as somebody who was there, and by a shared instant is in different packs. */
const PACKS = ['date', 'existing', 'shared'] as const;
const packOf = ({ existing, isShared }: Email) => (isShared ? 'shared' : existing ? 'existing' : 'date');

function decisionsFor(person: Person, emails: Email[], world: World): Decision[] {
  const claims = world.claims.filter(({ email }) => email === person.email);
  const decisions: Decision[] = [];
  for (const minute of inOrder(new Set(emails.map(({ due }) => due)))) {
    for (const kind of PACKS) {
      const pack = emails.filter(one => one.due === minute && packOf(one) === kind);
      const recent = recentClaims(claims, minute, pack, world);
      // The automation that mailed the person least recently comes first.
      const last = (id: string) =>
        recent.findLast(({ automation }) => automation === id)?.at ?? ''.padEnd(24);
      const order = ({ automation: { id }, list }: Email) => `${last(id)}#${id}#${list.id}`;
      for (const email of pack.sort((a, b) => (order(a) < order(b) ? -1 : 1))) {
        const result = resultOf(email, person, claims, world);
        if (result === 'nothing') continue;
        const { automation, day, copy, list, began } = email;
        const key = { email: person.email, automation: automation.id, day, copy };
        decisions.push({ minute: isoOf(minute), list: list.id, result, ...key });
        if (result === 'mailed')
          claims.push({
            at: isoOf(minute),
            ...key,
            isForExisting: kind === 'existing',
            date: dayText(began),
          });
      }
    }
  }
  return decisions;
}

/**
 * A sender reads a week, at most the emails allowed in it; three days without safeguards. For who was there it reads all since
 * their date; of a broadcast and of a step that has begun for many, all.
 */
function recentClaims(claims: Claim[], minute: number, pack: Email[], { safeguards }: World): Claim[] {
  const dates = pack.flatMap(({ existing, isShared, began }) =>
    isShared ? [0] : existing ? [startOfDay(began) - DAY] : [],
  );
  const since = isoOf(Math.min(minute - (safeguards.enabled ? 7 : 3) * DAY, ...dates));
  const recent = claims.filter(({ at }) => at >= since);
  return safeguards.enabled && dates.length === 0 ? recent.slice(-safeguards.max_emails_1_week) : recent;
}

/** What becomes of an email. Nothing, without a word in the log, if it is not meant for this member, or was sent already. */
function resultOf(email: Email, person: Person, claims: Claim[], world: World): Result | 'nothing' {
  const { automation, member, day, copy, due, existing, isShared } = email;
  const off = automation.broadcast ? undefined : offFor(email, world);
  // Nobody is found for a step that is off.
  if (off) return isShared && off !== 'no_key' ? 'nothing' : off;
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
  if (copy > 1 && !ofAutomation.some(claim => claim.day === day && claim.copy === 1)) return 'no_first';
  for (const { field, length } of WINDOWS) {
    const within = claims.filter(({ at }) => Date.parse(at) > due - length).length;
    if (world.safeguards.enabled && within >= world.safeguards[field]) return `capped:${field}`;
  }
  return automation.hasContent ? 'mailed' : 'no_content';
}

/** Whether something was off. Of a broadcast it is asked by `stopsOf`: whether it is on now, not whether it was. */
function offFor({ automation, list, due, existing }: Email, world: World): Skipped | undefined {
  if (!wasOn(world.switches, due)) return 'organization_off';
  const last = lastSwitch(automation.switches, due);
  if (last?.on !== true) return 'automation_off';
  if (!wasOn(list.switches, due)) return 'list_off';
  if (!list.hasKey) return 'no_key';
  const isOff = existing ? last.at > existing.pass : !wasOn(automation.switches, due);
  return isOff ? 'automation_off' : undefined;
}

const lastSwitch = (switches: Switches, minute: number) =>
  switches.findLast(({ at }) => Date.parse(at) <= minute + MINUTE);

/** On since the minute in which the email was due: what falls due while something is off is not sent later. */
function wasOn(switches: Switches, minute: number): boolean {
  const last = lastSwitch(switches, minute);
  return last?.on === true && minuteOf(Date.parse(last.at)) <= minute;
}

// ——— What is due.

function emailsTo({ memberships }: Person, world: World): Email[] {
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
      packOf(one) === 'date' &&
      one.member.subscribed &&
      !startsNothing(one.member, one.began) &&
      one.began <= due &&
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

/** A broadcast goes to who was a member before its instant, or before its local time in their zone. */
function emailsOfBroadcast(
  sender: Sender,
  broadcast: Broadcast,
  list: List,
  member: Membership,
  world: World,
) {
  const { local_at, at, scheduled } = broadcast;
  const local = local_at === null ? undefined : Date.parse(`${local_at}Z`);
  const zone = zoneOf(sender, list, member, world);
  const instant = local === undefined ? Date.parse(at ?? scheduled) : instantOf(local, zone);
  if (Date.parse(member.added) >= instant) return [];
  const emails = scheduledEmails(sender, list, member, world, { instant, isDay: false });
  // As with any time of day, the key has the local day.
  const day = local === undefined ? {} : { day: dayText(local) };
  return emails.map(email => ({ ...email, ...day, isShared: true }));
}

const senderOf = (broadcast: Broadcast): Sender => ({
  ...ONCE,
  ...broadcast,
  time_zone_of: broadcast.local_at === null ? 'organization' : 'member',
  broadcast,
});
const DELAYS = { every_x_days: 1, delay_days: 0, delay_minutes: 0, stop_after_days: null };
const SOURCES = { column: null, switches: [], passes: [] };
const ONCE = { repeat: 'once' as const, ...DELAYS, ...ANY_TIME, ...SOURCES, ...({} as MultipleSends) };

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

const hasLocalDays = ({ send_at, days_off, dates_off }: Automation) =>
  send_at !== null || days_off.length + dates_off.length > 0;

/** The zone in which times and days of an automation count for a member. */
function zoneOf(automation: Automation, list: List, member: Membership, world: World): string {
  const ofList = list.zone ?? world.zone;
  if (automation.time_zone_of === 'organization') return world.zone;
  return automation.time_zone_of === 'list' ? ofList : (zoneIn(member.metadata) ?? ofList);
}
