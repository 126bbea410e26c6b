import { dateIn, type Metadata } from '#shared/metadata.ts';
import { MOST_DATES_OFF, OCCURRENCES, type Schedule } from '#shared/schedule.ts';
import { DAY, HOUR, startOfMinute } from '#shared/time.ts';
import {
  type Day,
  dayOf,
  type ListTimes,
  LONGEST_WAIT,
  type Slot,
  type Timing,
  timingFor,
} from './send-slots.ts';

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
};

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

type Dated = { metadata: Metadata; created_at: string };

/** A date without a time. */
const isDate = (trigger: Date) => trigger.getTime() % DAY === 0;

/** Undefined if it cannot be read. Only a date without a time is at midnight in UTC: see `timeAt`. */
export const triggerOf = (
  { metadata, created_at }: Dated,
  { metadata_trigger }: Pick<DueRule, 'metadata_trigger'>,
): Date | undefined => dateIn(metadata_trigger === null ? created_at : metadata[metadata_trigger]);

/**
 * Used by the sweep, the sender, the simulation and the forecast. A member is due whole days after their date, at its minute
 * of the day in UTC; if the automation or the organization restricts sending times, at the next allowed time.
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
  const found = dueBetween(start, automation, earliest - LAST_COPY_DELAY, latest).flatMap(([k, due]) =>
    copiesOf(automation, k).map(copy => ({
      key: keyOf(automation.id, dayOf(due), copy),
      k,
      copy,
      at: new Date(due + DELAYS[copy]),
    })),
  );
  return found.filter(isWithin);
}

// The longest run of days off: all days of the week but one, and the most dates, which all fall on that one.
const LONGEST_OFF = (MOST_DATES_OFF + 2) * 7 * DAY;

/** Only the very next one may be unwanted. */
export function nextOccurrence(
  trigger: Date | undefined,
  automation: DueRule,
  from: Date,
  isWanted: (occurrence: Occurrence) => boolean,
): Occurrence | undefined {
  if (!trigger) return undefined;
  const { delay_days, every_x_days, timing } = automation;
  const first = Math.max(from.getTime(), trigger.getTime() + delay_days * DAY);
  const until = new Date(first + 2 * every_x_days * DAY + (timing ? LONGEST_OFF : DAY));
  return dueOccurrences(trigger, automation, { from, until }).find(isWanted);
}

/** By the date of a member, without regard to sending times. */
function dueBetween(
  start: number,
  { every_x_days: every, delay_days: delay, stop_after_days: stop }: Schedule,
  from: number,
  until: number,
): [k: number, due: number][] {
  const daysOf = (k: number) => delay + k * every;
  const found: [number, number][] = [];
  let k = Math.max(0, Math.ceil((Math.ceil((from - start) / DAY) - delay) / every));
  for (let due = start + daysOf(k) * DAY; due < until && (stop === null || daysOf(k) <= stop); ) {
    found.push([k, due]);
    due = start + daysOf(++k) * DAY;
  }
  return found;
}

/** If several would be sent on one day, only the newest is: a weekend's emails are not all sent on Monday. */
function atSendingTimes(
  trigger: Date,
  automation: DueRule,
  timing: Timing,
  earliest: number,
  latest: number,
): Occurrence[] {
  const from = timing.earliestDue(earliest, Math.max(...copyDelays(automation)));
  const found = dueBetween(startOfMinute(trigger.getTime()), automation, from, latest + LONGEST_WAIT);
  const byDay = new Map<Day, [k: number, first: Slot]>();
  for (const [index, [k, due]] of found.entries()) {
    const isDaily = automation.every_x_days === 1 && index < found.length - 1;
    if (isDaily && timing.isRepeated(due)) continue;
    const first = timing.slotOf(due, isDate(trigger));
    byDay.delete(first.day);
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

const keyOf = (automationId: string, day: Day, copy: Copy) =>
  `${automationId}#${new Date(day * DAY).toISOString().slice(0, 10)}#${copy}`;

/** Undefined if the member has no date any more. */
export const daysAfter = (trigger: Date | undefined, key: string): number | undefined =>
  trigger &&
  Math.max(0, Math.round((Date.parse(key.split('#')[1] ?? '') - floorDay(trigger.getTime())) / DAY));

const floorDay = (instant: number) => Math.floor(instant / DAY) * DAY;

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
