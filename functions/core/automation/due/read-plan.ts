import type { Schedule } from '#shared/schedule.ts';
import { DAY, MINUTE, minuteOfDay, startOfMinute } from '#shared/time.ts';
import { TIME_ZONES } from '#shared/time-zone.ts';
import { copyDelays, type DueRule, type Rules, rulesFor, shiftOf } from './occurrences.ts';
import type { ListTimes, Slot, Timing } from './send-slots.ts';
import { dayOf } from './zone.ts';

type Reads = {
  /** Members whose dates have these minutes of the day; with `all`, members with any date. */
  minutes: Set<number> | 'all' | undefined;
  /** Members in these time zones, with any date. */
  zones: string[];
};

/** By the instant of the minute. A minute in which nothing may be due is missing. */
type DayOfReads = Map<number, Reads>;

/** `days`: the reads that are computed already. */
export type Timed = { automation: Schedule; rules: Rules; days: Map<number, DayOfReads> };

/** Cached by everything on which the reads depend: neither how often emails go nor the days of the delay. */
const cachedDays = new Map<string, Timed['days']>();
const MOST_CACHED = 2_000;
// Yesterday, today and tomorrow.
const MOST_DAYS = 3;

export function timedIn(automation: DueRule, listTimes: ListTimes): Timed {
  const { send_at, time_zone_of, days_off, dates_off } = automation;
  const { time_zone, hours } = listTimes.organization ?? {};
  const times = [send_at, time_zone_of, days_off, dates_off, copyDelays(automation), shiftOf(automation)];
  const settings = JSON.stringify([...times, time_zone, hours, listTimes.list?.time_zone]);
  const days: Timed['days'] = cachedDays.get(settings) ?? new Map();
  if (cachedDays.size >= MOST_CACHED && !cachedDays.has(settings)) cachedDays.clear();
  cachedDays.set(settings, days);
  return { automation, rules: rulesFor(automation, listTimes), days };
}

/** The inverse of the due rule, computed with that rule for all dates that may be due on a UTC day, and cached. */
export function readsIn(timed: Timed, minute: number): Reads | undefined {
  const { rules } = timed;
  const reads = readsOfDay(timed, Math.floor(minute / DAY)).get(minute);
  const timing = rules(undefined).timing;
  if (reads || !timing || timing.sendAt !== undefined || timing.quiet?.isQuiet(minute)) return reads;
  return { minutes: new Set(plainMinutes(rules(undefined), minute)), zones: [] };
}

/** Of the dates whose emails nothing moves. */
const plainMinutes = (automation: Schedule, minute: number) =>
  copyDelays(automation).map(delay => minuteOfDay(minute - delay - shiftOf(automation)));

function readsOfDay({ automation, rules, days }: Timed, day: number): DayOfReads {
  const found = days.get(day);
  if (found) return found;
  const reads = readsOn(automation, rules, day);
  const [oldest] = days.keys();
  if (days.size >= MOST_DAYS && oldest !== undefined) days.delete(oldest);
  days.set(day, reads);
  return reads;
}

function readsOn(automation: Schedule, rules: Rules, day: number): DayOfReads {
  const timing = rules(undefined).timing;
  if (!timing) return new Map();
  if (timing.sendAt === undefined) return readsByDate(timing, rules(undefined), day);
  return readsBySendAt(automation, rules, timing.sendAt, day);
}

const slotsAfter = (timing: Timing, first: Slot, delays: number[]): number[] =>
  delays.map(delay => (delay === 0 ? first.at : timing.laterThan(first, delay).at));

/** Leaves out the minutes in which nothing is due, and those in which only dates of this very minute are. */
function readsByDate(timing: Timing, automation: Schedule, day: number): DayOfReads {
  const [delays, shift] = [copyDelays(automation), shiftOf(automation)];
  const minutes = new Map<number, Set<number>>();
  const [from, until] = [day * DAY, (day + 1) * DAY];
  for (let due = startOfMinute(timing.earliestDue(from, Math.max(...delays))); due < until; due += MINUTE) {
    if (timing.isRepeated(due)) continue;
    for (const at of slotsAfter(timing, timing.slotOf(due, false), delays)) {
      if (at < from || at >= until) continue;
      minutes.set(at, (minutes.get(at) ?? new Set()).add(minuteOfDay(due - shift)));
    }
  }
  const isPlain = ([minute, found]: [number, Set<number>]) =>
    found.size <= delays.length && plainMinutes(automation, minute).every(own => found.has(own));
  const reads = [...minutes].filter(entry => !isPlain(entry));
  return new Map(reads.map(([minute, found]) => [minute, { minutes: found, zones: [] }]));
}

function readsBySendAt(automation: Schedule, rules: Rules, sendAt: number, day: number): DayOfReads {
  const reads: DayOfReads = new Map();
  const delays = copyDelays(rules(undefined));
  const [from, until] = [day * DAY, (day + 1) * DAY];
  const add = (zone: string | undefined) => {
    const timing = rules(zone).timing;
    if (!timing) return;
    const last = dayOf(timing.zone.localTime(until));
    for (let workday = dayOf(timing.earliestDue(from, Math.max(...delays))); workday <= last; workday++) {
      // In a row of days off, the emails of all of them are sent when the one of the last day is.
      if (workday < last && timing.isOff(workday) && timing.isOff(workday + 1)) continue;
      for (const at of slotsAfter(timing, timing.slotOn(workday, sendAt), delays)) {
        if (at < from || at >= until) continue;
        const found = reads.get(at) ?? { minutes: undefined, zones: [] };
        reads.set(at, found);
        if (zone === undefined) found.minutes = 'all';
        else if (!found.zones.includes(zone)) found.zones.push(zone);
      }
    }
  };
  add(undefined);
  if (automation.time_zone_of === 'member') for (const zone of TIME_ZONES) add(zone);
  return reads;
}

/** At the latest the end of the next day. */
export function nextRead(timed: Timed, minute: number): number {
  const timing = timed.rules(undefined).timing;
  if (timing?.sendAt === undefined) return timing?.quiet?.endOf(minute) ?? minute;
  const day = Math.floor(minute / DAY);
  const reads = [day, day + 1].map(nextDay => readsOfDay(timed, nextDay));
  const minutes = reads.flatMap(ofDay => [...ofDay.keys()]).filter(next => next >= minute);
  return Math.min((day + 2) * DAY, ...minutes);
}
