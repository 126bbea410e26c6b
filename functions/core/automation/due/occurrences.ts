import { dateIn, type Metadata } from '#shared/metadata.ts';
import { MOST_DATES_OFF, OCCURRENCES, type Schedule } from '#shared/schedule.ts';
import { DAY, HOUR, MINUTE, startOfMinute } from '#shared/time.ts';
import { type ListTimes, LONGEST_WAIT, type Slot, type Timing, timingFor } from './send-slots.ts';
import { type Day, dayOf } from './zone.ts';

/** Second and third copies: the later emails of a double or triple send. */
type Copy = 1 | 2 | 3;
const DELAYS: Record<Copy, number> = { 1: 0, 2: 6 * HOUR, 3: 12 * HOUR };
const LAST_COPY_DELAY = DELAYS[3];

export type Occurrence = {
  /** A person gets one email per key, even if they are on two lists or their date was edited during the day. */
  key: string;
  /** The index of the occurrence, from 0. */
  k: number;
  copy: Copy;
  /** When it is due: a whole minute. */
  at: Date;
  /** Since when it waits for the end of quiet hours. */
  heldSince?: Date;
};

export type DueRule = Schedule & {
  /** If undefined, emails are sent at the time of the member's date, on every day. */
  timing?: Timing | undefined;
  id: string;
  metadata_trigger: string | null;
  /** When it was last switched on: emails that were due before are not sent. */
  active_since?: string | undefined;
} & FixedTriggers;

/** Triggers that many members have in place of dates of their own. Nothing is stored for any of them. */
export type FixedTriggers = {
  /** Everybody has this instant, or this local time of theirs. */
  broadcast?: Broadcast | undefined;
  /**
   * By list: since when a course that this is a later step of is for its members too whose own first email, after this delay,
   * would have been due before. They have that instant.
   */
  begun?: Record<string, Begun> | undefined;
};
export type Begun = { since: string; delay_days: number; delay_minutes: number };
export type Broadcast = { at: string; local_at?: never } | { local_at: string; at?: never };

export type Rules = (memberZone: string | undefined) => DueRule;

export function rulesFor(automation: DueRule, times: ListTimes): Rules {
  const timing = timingFor(automation, times);
  const known = new Map<Timing | undefined, DueRule>();
  return memberZone => {
    const found = timing(memberZone);
    const rule = known.get(found) ?? { ...automation, timing: found };
    known.set(found, rule);
    return rule;
  };
}

/** Emails that were due before either activation are not sent. */
export const laterOf = (a = '', b = ''): string | undefined => (a > b ? a : b) || undefined;

/** From `from`, inclusive, until `until`, exclusive. */
export type Interval = { from: Date; until: Date };

export type Dated = { metadata: Metadata; created_at: string; list_id?: string };
export type Added = { added_by?: { starts_after?: string } };

/** A date without a time. */
const isDate = (trigger: Date) => trigger.getTime() % DAY === 0;

type Trigger = Pick<DueRule, 'metadata_trigger'> & FixedTriggers;

/** Undefined if it cannot be read. Only a date without a time is at midnight in UTC: see `timeAt`. */
export const triggerOf = (membership: Dated & Added, automation: Trigger): Date | undefined =>
  fixedTrigger(membership, automation) ?? ownTrigger(membership, automation);

export const ownTrigger = (
  { metadata, created_at }: Dated,
  { metadata_trigger }: Trigger,
): Date | undefined => dateIn(metadata_trigger === null ? created_at : metadata[metadata_trigger]);

/** Who has one is found by a pass, and is not due by a date of their own. */
export function fixedTrigger(membership: Dated & Added, automation: Trigger): Date | undefined {
  const { broadcast, begun } = automation;
  if (broadcast) return broadcastTrigger(broadcast);
  const ofList = begun?.[membership.list_id ?? ''];
  const own = ofList && ownTrigger(membership, automation);
  if (!ofList || !own || membership.created_at >= ofList.since) return undefined;
  const startsNothing = own <= (dateIn(membership.added_by?.starts_after) ?? 0);
  return !startsNothing && isBegunBefore(own, ofList) ? dateIn(ofList.since) : undefined;
}

const DAY_LENGTH = '0000-00-00'.length;

export const broadcastTrigger = (broadcast: Broadcast | undefined): Date | undefined =>
  broadcast && dateIn(broadcast.at ?? broadcast.local_at.slice(0, DAY_LENGTH));

export const hasFixedTrigger = ({ broadcast, begun }: FixedTriggers, list: string): boolean =>
  broadcast !== undefined || begun?.[list] !== undefined;

/** What a member of a list with such a trigger is owed: at most one email. */
export function fixedOccurrences(membership: Dated & Added, rule: DueRule): Occurrence[] {
  const first = firstOccurrence(fixedTrigger(membership, rule), rule);
  if (!first) return [];
  const { broadcast, active_since = '' } = rule;
  // What fell due while a course was off is not sent later.
  if (!broadcast) return first.at.getTime() >= startOfMinute(Date.parse(active_since)) ? [first] : [];
  const joinedBefore = broadcast.at ?? (first.heldSince ?? first.at).toISOString();
  return membership.created_at < joinedBefore ? [first] : [];
}

/** By the date of a member, the course that began at an instant would have begun in an earlier minute. */
export const isBegunBefore = (own: Date, { since, ...first }: Begun): boolean =>
  startOfMinute(own.getTime()) + first.delay_days * DAY + shiftOf(first) < startOfMinute(Date.parse(since));

/**
 * Used by the sweep, the sender, the simulation and the forecast. A member is due whole days after their date or its
 * anniversaries, at its minute of the day in UTC, plus the minutes of the delay; if the automation or the organization
 * restricts sending times, at the next allowed time.
 */
export function dueOccurrences(
  trigger: Date | undefined,
  automation: DueRule,
  { from, until }: Interval,
): Occurrence[] {
  // Nothing is due for a date that cannot be read.
  if (!trigger || Number.isNaN(trigger.getTime())) return [];
  const { timing, active_since } = automation;
  const start = startOfMinute(trigger.getTime());
  // Includes the minute in which it was switched on, as that is swept after it has ended.
  const active = active_since === undefined ? -Infinity : startOfMinute(Date.parse(active_since));
  const [earliest, latest] = [Math.max(from.getTime(), active), until.getTime()];
  if (earliest >= latest) return [];
  const isWithin = ({ at }: Occurrence) => at.getTime() >= earliest && at.getTime() < latest;
  if (timing) return atSendingTimes(trigger, automation, timing, earliest, latest).filter(isWithin);
  const shift = shiftOf(automation);
  const found = dueBetween(start, automation, earliest - LAST_COPY_DELAY - shift, latest - shift).flatMap(
    ([k, due]) =>
      copiesOf(automation, k).map(copy => ({
        key: keyOf(automation.id, dayOf(due), copy),
        k,
        copy,
        at: new Date(due + shift + DELAYS[copy]),
      })),
  );
  return found.filter(isWithin);
}

// The longest run of days off: all days of the week but one, and the most dates, which all fall on that one.
const LONGEST_OFF = (MOST_DATES_OFF + 2) * 7 * DAY;
const LONGEST_YEAR = 366;

/** Only the very next one may be unwanted. */
export function nextOccurrence(
  trigger: Date | undefined,
  automation: DueRule,
  from: Date,
  isWanted: (occurrence: Occurrence) => boolean,
): Occurrence | undefined {
  if (!trigger) return undefined;
  const { repeat, delay_days, every_x_days, timing } = automation;
  const days = repeat === 'yearly' ? LONGEST_YEAR : every_x_days;
  const first = Math.max(from.getTime(), trigger.getTime() + delay_days * DAY);
  // The minutes of the delay and the last copy may take two days more.
  const until = new Date(first + 2 * (days + 1) * DAY + (timing ? LONGEST_OFF : 0));
  return dueOccurrences(trigger, automation, { from, until }).find(isWanted);
}

/** Whether a member is owed an occurrence: an import that starts nothing leaves out dates and anniversaries until then. */
export function isStarted(
  { added_by }: Added,
  trigger: Date,
  { repeat, delay_days, timing }: DueRule,
  { k }: Pick<Occurrence, 'k'>,
): boolean {
  const after = dateIn(added_by?.starts_after);
  if (!after || repeat !== 'yearly') return !after || trigger > after;
  const date = dayIfTimed(trigger, timing);
  const anniversary = anniversaryOf(date, k + firstYear(delay_days));
  return (timing?.startOf(anniversary) ?? anniversary) > after.getTime();
}

/** Of what is due by the date of a member, in milliseconds. */
export const shiftOf = ({ delay_minutes = 0 }: Pick<Schedule, 'delay_minutes'>) => delay_minutes * MINUTE;

/**
 * The first email of all, whether it was on then or not; of yearly ones there is none. On days off it may be a later one, with
 * which it falls together.
 */
export function firstOccurrence(trigger: Date | undefined, automation: DueRule): Occurrence | undefined {
  if (!trigger || automation.repeat === 'yearly') return undefined;
  const due = trigger.getTime() + automation.delay_days * DAY;
  const rule = { ...automation, active_since: undefined };
  const from = new Date(due - DAY);
  for (const length of automation.timing ? [4 * DAY, LONGEST_OFF] : [DAY]) {
    const [first] = dueOccurrences(trigger, rule, { from, until: new Date(due + length) });
    if (first) return first;
  }
  return undefined;
}

/** The day that an email counts for which goes at an instant, as in keys. */
export function dayOfEmail(automation: DueRule, at: Date): string {
  const shift = shiftOf(automation);
  return dayText(automation.timing?.dayAt(at.getTime(), shift) ?? dayOf(at.getTime() - shift));
}

/** By the present date and schedule, an email was due since an instant, or is due on the day of another one. */
export function isDueAnyway(trigger: Date, automation: DueRule, since: string, at: Date): boolean {
  const rule = { ...automation, active_since: since };
  // The email of this day may wait for the end of quiet hours, and that may be on a day off.
  const longest = rule.timing?.hasDaysOff ? LONGEST_OFF : 3 * DAY;
  const found = dueOccurrences(trigger, rule, { from: new Date(0), until: new Date(at.getTime() + longest) });
  const day = dayOfEmail(rule, at);
  return found.some(one => one.copy === 1 && (one.at <= at || dayIn(one.key) === day));
}

export const dayIn = (key: string): string => key.split('#')[1] ?? '';

/** By the date of a member, without regard to sending times and the minutes of the delay. */
function dueBetween(
  start: number,
  { repeat, every_x_days: every, delay_days: delay, stop_after_days }: Schedule,
  from: number,
  until: number,
): [k: number, due: number][] {
  if (repeat === 'yearly') return anniversariesBetween(start, delay, from, until);
  const stop = repeat === 'once' ? delay : stop_after_days;
  const daysOf = (k: number) => delay + k * every;
  const found: [number, number][] = [];
  let k = Math.max(0, Math.ceil((Math.ceil((from - start) / DAY) - delay) / every));
  for (let due = start + daysOf(k) * DAY; due < until && (stop === null || daysOf(k) <= stop); ) {
    found.push([k, due]);
    due = start + daysOf(++k) * DAY;
  }
  return found;
}

/** An email that goes before the anniversaries goes before the date itself too. */
const firstYear = (delay: number) => (delay < 0 ? 0 : 1);

const dayIfTimed = (date: Date, timing: Timing | undefined) =>
  timing && !isDate(date) ? timing.dayFor(date) : date;

function anniversariesBetween(
  start: number,
  delay: number,
  from: number,
  until: number,
): [k: number, due: number][] {
  const date = new Date(start);
  const yearsUntil = (instant: number) =>
    new Date(instant - delay * DAY).getUTCFullYear() - date.getUTCFullYear();
  const first = firstYear(delay);
  const found: [number, number][] = [];
  for (let years = Math.max(first, yearsUntil(from)); years <= yearsUntil(until); years++) {
    const due = anniversaryOf(date, years) + delay * DAY;
    if (due >= from && due < until) found.push([years - first, due]);
  }
  return found;
}

/** 29 February counts on the 28th in other years. */
function anniversaryOf(date: Date, years: number): number {
  const anniversary = new Date(date);
  anniversary.setUTCFullYear(date.getUTCFullYear() + years);
  if (anniversary.getUTCMonth() !== date.getUTCMonth()) anniversary.setUTCDate(0);
  return anniversary.getTime();
}

/** If several would be sent on one day, only the newest is: a weekend's emails are not all sent on Monday. */
function atSendingTimes(
  date: Date,
  automation: DueRule,
  timing: Timing,
  earliest: number,
  latest: number,
): Occurrence[] {
  const { repeat = 'days', every_x_days } = automation;
  const trigger = repeat === 'yearly' ? dayIfTimed(date, timing) : date;
  const shift = shiftOf(automation);
  const from = timing.earliestDue(earliest, Math.max(...copyDelays(automation))) - shift;
  const until = latest + LONGEST_WAIT - shift;
  const found = dueBetween(startOfMinute(trigger.getTime()), automation, from, until);
  const byDay = new Map<Day, [k: number, first: Slot]>();
  for (const [index, [k, due]] of found.entries()) {
    const isDaily = repeat === 'days' && every_x_days === 1 && index < found.length - 1;
    if (isDaily && timing.isRepeated(due + shift)) continue;
    const first = timing.slotOf(due, isDate(trigger), shift);
    byDay.set(first.day, [k, first]);
  }
  // If an email is not sent, its copies are not either.
  const all = [...byDay.values()].flatMap(([k, first]) =>
    copiesOf(automation, k).map(copy => {
      const slot = copy === 1 ? first : timing.laterThan(first, DELAYS[copy]);
      const key = keyOf(automation.id, first.day, copy);
      return { key, k, copy, at: new Date(slot.at), ...heldSince(slot) };
    }),
  );
  // If several have waited for the same minute, the last one is sent.
  const byMinute = new Map(all.map(occurrence => [occurrence.at.getTime(), occurrence]));
  return [...byMinute.values()].sort((a, b) => a.at.getTime() - b.at.getTime());
}

const heldSince = ({ heldSince }: Slot) =>
  heldSince === undefined ? {} : { heldSince: new Date(heldSince) };

const keyOf = (automationId: string, day: Day, copy: Copy) => `${automationId}#${dayText(day)}#${copy}`;

const dayTexts = new Map<Day, string>();

function dayText(day: Day): string {
  const text = dayTexts.get(day) ?? new Date(day * DAY).toISOString().slice(0, 10);
  if (dayTexts.size > 10_000) dayTexts.clear();
  dayTexts.set(day, text);
  return text;
}

/** Negative for a yearly email before the date itself. Undefined if the member has no date any more. */
export const daysAfter = (
  trigger: Date | undefined,
  key: string,
  automation: Pick<Schedule, 'delay_days'> | undefined,
): number | undefined =>
  trigger &&
  Math.max(earliestDay(automation), Math.round(Date.parse(dayIn(key)) / DAY) - dayOf(trigger.getTime()));

/** By the clock of a time zone, the day of an email may be one before. */
export const earliestDay = ({ delay_days }: Pick<Schedule, 'delay_days'> = { delay_days: 0 }) =>
  Math.min(0, delay_days);

/** In milliseconds after the first email of an occurrence, which itself has 0. */
export const copyDelays = (automation: Schedule): number[] => {
  const copies = OCCURRENCES.flatMap((_, k) => copiesOf(automation, k));
  return [...new Set<Copy>([1, ...copies])].map(copy => DELAYS[copy]);
};

/** The first three occurrences may have a second and a third copy. */
function copiesOf(automation: Schedule, k: number): Copy[] {
  const nth = OCCURRENCES[k];
  if (nth && automation[`triple_send_${nth}`]) return [1, 2, 3];
  return nth && automation[`double_send_${nth}`] ? [1, 2] : [1];
}
