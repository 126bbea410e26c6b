import type { When } from '#shared/audience.ts';
import type { Metadata } from '#shared/metadata.ts';
import { type SendTimes, WEEKDAYS } from '#shared/schedule.ts';
import { DAY, HOUR, MINUTE } from '#shared/time.ts';
import { minutesOf, timeZoneOf, UTC } from '#shared/time-zone.ts';
import { type OrganizationTimes, type Quiet, quietOf } from './quiet-hours.ts';
import { type Day, dayOf, type Zone, zoneNamed } from './zone.ts';

const MOST_KNOWN = 100_000;

export type ListTimes = {
  organization: OrganizationTimes | undefined;
  list: { time_zone?: string | null } | undefined;
};

/** Undefined if emails are sent at the time of the trigger date, on every day and at any hour. */
export function timingFor(
  times: Partial<SendTimes>,
  listTimes: ListTimes,
): (memberZone: string | undefined) => Timing | undefined {
  const { send_at, days_off = [], dates_off = [] } = times;
  const quiet = quietOf(listTimes.organization);
  if (!send_at && days_off.length + dates_off.length === 0 && !quiet) return () => undefined;
  const zoneOf = zoneFor(times, listTimes);
  const known = new Map<Zone, Timing>();
  return memberZone => {
    const zone = zoneOf(memberZone);
    const timing = known.get(zone) ?? new Timing(times, zone, quiet);
    known.set(zone, timing);
    return timing;
  };
}

/** The time zone that counts for an automation and a member. */
function zoneFor(
  { time_zone_of = 'organization' }: Partial<SendTimes>,
  { organization, list }: ListTimes,
): (memberZone: string | undefined) => Zone {
  const ofOrganization = organization?.time_zone ?? UTC;
  const ofList = (time_zone_of !== 'organization' && list?.time_zone) || ofOrganization;
  return memberZone => zoneNamed((time_zone_of === 'member' && memberZone) || ofList);
}

/** For conditions: an instant, with the time zone that counts for each member. */
export function whenFor(times: Partial<SendTimes>, listTimes: ListTimes, at: Date): (of: Metadata) => When {
  const zoneOf = zoneFor(times, listTimes);
  return metadata => ({ at, zone: zoneOf(timeZoneOf(metadata)) });
}

/** `day`: the day that it counts for. */
export type Slot = {
  at: number;
  day: Day;
  /** Since when it waits for the end of quiet hours. */
  heldSince?: number;
};

export class Timing {
  readonly zone: Zone;
  readonly quiet: Quiet | undefined;
  /** In minutes after midnight; undefined for the time of the trigger date. */
  readonly sendAt: number | undefined;
  readonly hasDaysOff: boolean;
  readonly #weekdays: boolean[];
  readonly #dates: Set<Day>;
  readonly #workdays = new Map<Day, Day>();

  constructor(
    { send_at, days_off = [], dates_off = [] }: Partial<SendTimes>,
    zone: Zone,
    quiet: Quiet | undefined,
  ) {
    this.zone = zone;
    this.quiet = quiet;
    this.sendAt = send_at ? minutesOf(send_at) : undefined;
    this.hasDaysOff = days_off.length + dates_off.length > 0;
    this.#weekdays = WEEKDAYS.map(day => days_off.includes(day));
    this.#dates = new Set(dates_off.map(date => Date.parse(date) / DAY));
  }

  isOff(day: Day): boolean {
    // 1970-01-01 was a Thursday.
    return (this.#weekdays[(((day + 4) % 7) + 7) % 7] ?? false) || this.#dates.has(day);
  }

  /** A yearly email with a time of day goes on the local day of the date, whatever the time of the date. */
  dayFor(date: Date): Date {
    return this.sendAt === undefined ? date : new Date(dayOf(this.zone.localTime(date.getTime())) * DAY);
  }

  /** The first instant of such a day. */
  startOf(day: number): number {
    return this.sendAt === undefined ? day : this.zone.instantOf(dayOf(day), 0);
  }

  /** `due`: by the date of the member. `shift`: the minutes of the delay, which do not change the day it counts for. */
  slotOf(due: number, isDate: boolean, shift = 0): Slot {
    if (this.sendAt !== undefined) {
      // A date without a time is that day in the member's time zone, whichever it is.
      return this.slotOn(isDate ? due / DAY : this.#dayOf(due, this.sendAt), this.sendAt);
    }
    return this.#released(
      this.hasDaysOff ? this.#onWorkday(due + shift) : { at: due + shift, day: dayOf(due) },
    );
  }

  slotOn(day: Day, minute: number): Slot {
    return this.#released(this.#onWorkday(this.zone.instantOf(day, minute), minute));
  }

  laterThan({ at }: Slot, delay: number): Slot {
    return this.#released(this.#onWorkday(at + delay));
  }

  /** The day on which a time of day comes next, from an instant on. */
  #dayOf(due: number, minute: number): Day {
    const today = dayOf(this.zone.localTime(due));
    return this.zone.instantOf(today, minute) >= due ? today : today + 1;
  }

  #onWorkday(at: number, minute?: number): Slot {
    const local = this.zone.localTime(at);
    let day = dayOf(local);
    if (!this.isOff(day)) return { at, day };
    day = this.#nextWorkday(day);
    return { at: this.zone.instantOf(day, minute ?? Math.floor((local - dayOf(local) * DAY) / MINUTE)), day };
  }

  /** The day that an email counts for which goes at an instant. */
  dayAt(at: number, shift: number): Day {
    const isLocal = this.sendAt !== undefined || this.hasDaysOff;
    return dayOf(isLocal ? this.zone.localTime(at) : at - shift);
  }

  /** Cached, as in a long row of days off each member asks for each of the days. */
  #nextWorkday(day: Day): Day {
    const known = this.#workdays.get(day);
    if (known !== undefined) return known;
    let workday = day;
    while (this.isOff(workday)) workday++;
    if (this.#workdays.size > MOST_KNOWN) this.#workdays.clear();
    for (let off = day; off <= workday; off++) this.#workdays.set(off, workday);
    return workday;
  }

  /** An email due at an instant has the same slot as one due a day later, as in a row of days off. */
  isRepeated(due: number): boolean {
    if (!this.hasDaysOff) return false;
    const local = this.zone.localTime(due);
    const day = dayOf(local);
    if (!this.isOff(day) || !this.isOff(day + 1)) return false;
    if (this.sendAt === undefined) return this.zone.localTime(due + DAY) === local + DAY;
    // The local day may be the one before or after.
    return this.isOff(day - 1) && this.isOff(day + 2);
  }

  #released(slot: Slot): Slot {
    let released = slot;
    for (let end = this.#endOfQuiet(slot.at); end !== released.at; end = this.#endOfQuiet(released.at)) {
      const isOff = this.hasDaysOff && this.isOff(dayOf(this.zone.localTime(end)));
      released = { heldSince: slot.at, at: isOff ? this.#onWorkday(end).at : end, day: slot.day };
    }
    return released;
  }

  #endOfQuiet(at: number): number {
    return this.quiet ? this.quiet.endOf(at) : at;
  }

  /** No email that was due before the returned instant is sent at `at` or later. `lastDelay`: of the last copy; 0 for none. */
  earliestDue(at: number, lastDelay: number): number {
    const held = this.quiet ? LONGEST_QUIET : 0;
    const copies = lastDelay > 0 ? lastDelay + held : 0;
    const earliest = at - LONGEST_SHIFT - (this.sendAt === undefined ? 0 : LONGEST_WAIT) - held - copies;
    if (!this.hasDaysOff) return earliest;
    // Each of these waits may have ended on a day off.
    let day = dayOf(this.zone.localTime(at)) + 1;
    const most = 3 + Math.ceil((held + copies) / DAY);
    for (let workdays = 0; workdays < most; day--) if (!this.isOff(day)) workdays++;
    return Math.min(earliest, day * DAY - LONGEST_SHIFT);
  }
}

/** The largest difference between local time and UTC, plus how much longer than 24 hours a day may be. */
export const LONGEST_SHIFT = 16 * HOUR;
/** The longest local day, and the longest wait for a time of day. */
export const LONGEST_WAIT = 26 * HOUR;
// Quiet hours that are changed while they last may be followed by others.
const LONGEST_QUIET = 2 * DAY;
