/**
 * What Letterflow mails to whom, when, and why not, by the specification, docs/sending.md and the decisions: naive on purpose.
 * `model.test.ts` compares it with the engine on random worlds. Its sender is punctual: it decides at the end of each minute.
 */
import type { Audience, AudienceItem, AudienceRule } from '#shared/audience.ts';
import type { Metadata } from '#shared/metadata.ts';
import { type Safeguards, WINDOWS } from '#shared/safeguards.ts';
import { OCCURRENCES, type Schedule, WEEKDAYS } from '#shared/schedule.ts';
import type { Skipped } from '#shared/send-status.ts';
import type { QuietHours } from '#shared/sending-hours.ts';
import { DAY, HOUR, MINUTE } from '#shared/time.ts';
import { TIME_ZONES } from '#shared/time-zone.ts';
import { remembered } from '#test/support/remembered.ts';

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
  automation: Automation;
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
};

export const decisionsOf = (world: World) => world.people.flatMap(person => decisionsFor(person, world));

function decisionsFor(person: Person, world: World): Decision[] {
  const claims = world.claims.filter(({ email }) => email === person.email);
  const decisions: Decision[] = [];
  const emails = emailsTo(person, world);
  for (const minute of inOrder(new Set(emails.map(({ due }) => due)))) {
    for (const isForExisting of [false, true]) {
      const pack = emails.filter(one => one.due === minute && Boolean(one.existing) === isForExisting);
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
          claims.push({ at: isoOf(minute), ...key, isForExisting, date: dayText(began) });
      }
    }
  }
  return decisions;
}

/** A sender reads a week, at most the emails allowed in it; three days without safeguards; for who was there, all since their date. */
function recentClaims(claims: Claim[], minute: number, pack: Email[], { safeguards }: World): Claim[] {
  const dates = pack.flatMap(({ existing, began }) => (existing ? [startOfDay(began) - DAY] : []));
  const since = isoOf(Math.min(minute - (safeguards.enabled ? 7 : 3) * DAY, ...dates));
  const recent = claims.filter(({ at }) => at >= since);
  return safeguards.enabled && dates.length === 0 ? recent.slice(-safeguards.max_emails_1_week) : recent;
}

/** What becomes of an email. Nothing, without a word in the log, if it is not meant for this member, or was sent already. */
function resultOf(email: Email, person: Person, claims: Claim[], world: World): Result | 'nothing' {
  const { automation, list, member, day, copy, due, existing } = email;
  if (!wasOn(world.switches, due)) return 'organization_off';
  const last = lastSwitch(automation.switches, due);
  if (last?.on !== true) return 'automation_off';
  if (!wasOn(list.switches, due)) return 'list_off';
  if (!list.hasKey) return 'no_key';
  if (existing ? last.at > existing.pass : !wasOn(automation.switches, due)) return 'automation_off';
  if (person.suppressed) return 'suppressed';
  if (!member.subscribed) return 'not_subscribed';
  if (member.startNothing !== null && email.began <= Date.parse(member.startNothing)) return 'nothing';
  if (automation.audience !== null && !matches(automation.audience, email, person)) return 'nothing';
  const ofAutomation = claims.filter(claim => claim.automation === automation.id);
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

const lastSwitch = (switches: Switches, minute: number) =>
  switches.findLast(({ at }) => Date.parse(at) <= minute + MINUTE);

/** On since the minute in which the email was due: what falls due while something is off is not sent later. */
function wasOn(switches: Switches, minute: number): boolean {
  const last = lastSwitch(switches, minute);
  return last?.on === true && minuteOf(Date.parse(last.at)) <= minute;
}

// ——— What is due.

function emailsTo({ memberships }: Person, world: World): Email[] {
  const emails = memberships.flatMap(member =>
    world.automations.flatMap(automation => {
      const list = world.lists.find(({ id }) => id === member.list);
      if (!list || !automation.lists.includes(list.id)) return [];
      const scheduled = scheduledEmails(automation, list, member, world);
      return [...scheduled, ...emailsForExisting(scheduled, world)];
    }),
  );
  return emails.filter(({ due }) => due >= Date.parse(world.from) && due < Date.parse(world.until));
}

function scheduledEmails(automation: Automation, list: List, member: Membership, world: World): Email[] {
  const zone = zoneOf(automation, list, member, world);
  const go = (start: Start) => whenAllowed(start, automation, zone, world);
  // Of several occurrences that days off move to one day, the newest is left, also one that goes later.
  const byDay = new Map<string, { index: number; first: number; began: number }>();
  for (const occurrence of occurrencesOf(automation, member, zone, Date.parse(world.until) + 2 * DAY)) {
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

function copiesOf(automation: Automation, index: number): number {
  const nth = OCCURRENCES[index];
  if (nth && automation[`triple_send_${nth}`]) return 3;
  return nth && automation[`double_send_${nth}`] ? 2 : 1;
}

/** The occurrences until an instant: when the first email of each would go if no time were forbidden, and its UTC day. */
function occurrencesOf(automation: Automation, member: Membership, zone: string, until: number) {
  const occurrences: (Start & { index: number; day: string; began: number })[] = [];
  const { column, repeat, delay_days, every_x_days, stop_after_days, delay_minutes, send_at } = automation;
  const trigger = readDate(column === null ? member.added : member.metadata[column]);
  if (trigger === undefined) return occurrences;
  const time = send_at === null ? undefined : timeOf(send_at);
  // With a time of day, anniversaries are days of the zone. As everywhere here, a local time is written as if it were UTC.
  const isLocal = time !== undefined && repeat === 'yearly';
  const localDay = startOfDay(localTime(trigger.instant, zone));
  const date = isLocal && !trigger.isDay ? localDay : trigger.instant;
  // An email before the anniversaries goes before the date itself too.
  const k0 = repeat === 'yearly' && delay_days >= 0 ? 1 : 0;
  for (let k = k0; repeat !== 'once' || k === 0; k++) {
    const days = delay_days + (repeat === 'days' ? k * every_x_days : 0);
    if (repeat === 'days' && stop_after_days !== null && days > stop_after_days) break;
    const anniversary = repeat === 'yearly' ? anniversaryOf(date, k) : date;
    const moved = anniversary + days * DAY;
    let start = minuteOf(moved) + delay_minutes * MINUTE;
    // A date without a time is that day, wherever the member is.
    if (time !== undefined && (trigger.isDay || isLocal)) start = instantOf(moved + time, zone);
    else if (time !== undefined) start = nextAt(time, minuteOf(moved), zone);
    if (start >= until) break;
    const began = isLocal ? instantOf(anniversary, zone) : anniversary;
    occurrences.push({ start, time, index: k - k0, day: dayText(moved), began });
  }
  return occurrences;
}

/** 29 February counts on the 28th in years without one. */
function anniversaryOf(date: number, years: number): number {
  const anniversary = new Date(date);
  anniversary.setUTCFullYear(anniversary.getUTCFullYear() + years);
  if (anniversary.getUTCDate() !== new Date(date).getUTCDate()) anniversary.setUTCDate(0);
  return anniversary.getTime();
}

/** The first instant, not before another one, at which clocks show a time of day. */
function nextAt(time: number, earliest: number, zone: string): number {
  const today = startOfDay(localTime(earliest, zone));
  const instant = instantOf(today + time, zone);
  return instant >= earliest ? instant : instantOf(today + DAY + time, zone);
}

type Start = { start: number; time?: number | undefined };

/** An email of a day off goes at the same time of the next day that is not off; one of quiet hours when they end. */
function whenAllowed({ start, time }: Start, automation: Automation, zone: string, world: World) {
  let [at, local] = [start, localTime(start, zone)];
  let day = dayText(local);
  for (let isFirst = true; ; isFirst = false) {
    if (isDayOff(local, automation)) {
      if (isFirst && time !== undefined) local = startOfDay(local) + time;
      while (isDayOff(local, automation)) local += DAY;
      at = instantOf(local, zone);
      // It counts for the day on which it would go without quiet hours.
      if (isFirst) day = dayText(local);
    }
    const end = endOfQuiet(at, world);
    if (at === end) return { at, day };
    [at, local] = [end, localTime(end, zone)];
  }
}

function isDayOff(local: number, { days_off, dates_off }: Automation): boolean {
  const weekday = WEEKDAYS[new Date(local).getUTCDay()];
  return days_off.some(day => day === weekday) || dates_off.includes(dayText(local));
}

function endOfQuiet(instant: number, world: World): number {
  const local = localTime(instant, world.zone);
  // Both as times after they begin, since they may end on the next day.
  const lefts = world.quiet.map(
    ({ from, until }) => ((timeOf(until) - timeOf(from) + DAY) % DAY) - ((local - timeOf(from)) % DAY),
  );
  const left = Math.max(0, ...lefts);
  if (left === 0) return instant;
  // Clocks may change meanwhile.
  const isSteady = localTime(instant + left, world.zone) === local + left;
  return endOfQuiet(instant + (isSteady ? left : MINUTE), world);
}

// ——— Whom an automation is meant for.

function matches(item: AudienceItem, email: Email, person: Person): boolean {
  if ('all' in item) return item.all.every(each => matches(each, email, person));
  if ('any' in item) return item.any.some(each => matches(each, email, person));
  const { field, op, value: bound } = item;
  if (field === '@list') return person.memberships.some(({ list }) => list === bound) === (op === 'on');
  const { member, zone } = email;
  const ofField: Metadata = { ...member.metadata, '@email': person.email, '@added': member.added };
  const value = ofField[field];
  const isMissing = value === undefined || textOf(value) === '';
  if (isMissing) return ['not_set', 'is_not', 'not_contains'].includes(op);
  const [text, other] = [textOf(value), textOf(bound as string)];
  const [number, otherNumber] = [numberOf(value), numberOf(bound as string)];
  const isExact = Math.abs(number) < 2 ** 53;
  const isSame = (isExact && number === otherNumber) || text === other;
  if (op === 'set') return true;
  if (op === 'is' || op === 'is_not') return isSame === (op === 'is');
  if (op === 'contains' || op === 'not_contains') return text.includes(other) === (op === 'contains');
  if (op === 'starts_with') return text.startsWith(other);
  if (op === 'greater') return number > otherNumber;
  if (op === 'less') return number < otherNumber;
  const date = readDate(value);
  if (date === undefined) return false;
  const instant = date.isDay ? instantOf(date.instant, zone) : date.instant;
  const [earlier, later] = limitsOf(bound, email.due, zone);
  return op === 'before' ? instant < earlier : instant >= later;
}

/** Values before the one instant are before the bound, values from the other one on after it. */
function limitsOf(bound: AudienceRule['value'], due: number, zone: string): [number, number] {
  if (typeof bound === 'object') {
    const days = 'days_ago' in bound ? -bound.days_ago : bound.days_ahead;
    const instant = instantOf(localTime(due, zone) + days * DAY, zone);
    return [instant, instant + 1];
  }
  const date = readDate(bound) ?? { instant: Number.NaN, isDay: false };
  if (!date.isDay) return [date.instant, date.instant + 1];
  return [instantOf(date.instant, zone), instantOf(date.instant + DAY, zone)];
}

const textOf = (value: unknown) => String(value).toLowerCase().trim();
const numberOf = (value: unknown) =>
  typeof value === 'number' || /^-?\d+(\.\d+)?$/.test(String(value).trim()) ? Number(value) : Number.NaN;

// ——— Dates and clocks.

/** Reads a date in ISO 8601: without an offset it is in UTC. Other texts are no dates. */
function readDate(value: unknown): { instant: number; isDay: boolean } | undefined {
  const [whole, day, time = '00:00', second = '00', sign, hours = 0, minutes = 0] =
    DATE.exec(String(value)) ?? [];
  const local = Date.parse(`${day}T${time}:${second}Z`);
  if (Number.isNaN(local) || dayText(local) !== day) return undefined;
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE);
  return { instant: local - offset, isDay: whole === day };
}

const DATE =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?:Z|([+-])(0\d|1[0-4])(?::?([0-5]\d))?)?)?$/i;

/** The zone in which times and days of an automation count for a member. */
function zoneOf(automation: Automation, list: List, member: Membership, world: World): string {
  const ofList = list.zone ?? world.zone;
  if (automation.time_zone_of === 'organization') return world.zone;
  return automation.time_zone_of === 'list' ? ofList : (zoneIn(member.metadata) ?? ofList);
}

/** The first zone in the columns of a member, by the names of these. */
function zoneIn(metadata: Metadata): string | undefined {
  const columns = Object.keys(metadata).sort();
  return columns.map(column => ZONES.get(textOf(metadata[column]))).find(zone => zone !== undefined);
}
const ZONES = new Map(TIME_ZONES.map(zone => [zone.toLowerCase(), zone]));

/** What the clocks of a zone show at an instant, to the minute, written as if it were UTC. */
const localTime = (instant: number, zone: string) =>
  minuteOf(instant) + offsetIn(zone)(Math.floor(instant / QUARTER));

const offsetIn = remembered((timeZone: string) => {
  const clock = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const shownAt = (instant: number) => Date.parse(`${clock.format(instant).replace(' ', 'T')}Z`);
  return remembered((quarter: number) => shownAt(quarter * QUARTER) - quarter * QUARTER);
});
// Clocks change at quarters of an hour.
const QUARTER = HOUR / 4;

/** The first instant at which clocks show a time; if they skip it, the first at which they show a later one. */
function instantOf(local: number, zone: string): number {
  const guesses = inOrder([DAY, -DAY].map(away => local - (localTime(local + away, zone) - local - away)));
  for (const guess of guesses) if (localTime(guess, zone) === local) return guess;
  let instant = Math.min(...guesses);
  while (localTime(instant, zone) < local) instant += MINUTE;
  return instant;
}

const timeOf = (time: string) => Number(time.slice(0, 2)) * HOUR + Number(time.slice(3)) * MINUTE;
const minuteOf = (instant: number) => Math.floor(instant / MINUTE) * MINUTE;
const startOfDay = (local: number) => Math.floor(local / DAY) * DAY;
const dayText = (local: number) => textOfDay(Math.floor(local / DAY));
const textOfDay = remembered((day: number) => isoOf(day * DAY).slice(0, 10));
const isoOf = (instant: number) => new Date(instant).toISOString();
const inOrder = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b);
