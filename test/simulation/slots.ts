import type { Item } from '#core/storage/table.store.ts';
import { clockIn, dateAfter, dateOf, firstMinuteAt, timeOf } from './clocks.ts';
import type { History } from './history.ts';
import { ZONE_COLUMN, ZONES } from './sending-times.ts';

// When emails are sent: by time of day, days off and quiet hours. This is written independently of the code that decides it.

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const QUARTER = 15 * MINUTE;
const DAY = 24 * HOUR;

/** The longest time from the day of a member's date until its email is sent: over days off, then quiet hours, and so on. */
export const LONGEST_WAIT = 12 * DAY;
/** By how much a date may begin before UTC. */
export const EARLIEST = 15 * HOUR;

type Range = { from: string; until: string };
type Hours = { since: string; time_zone: string; quiet_hours: Range[] };

/** The settings that decide when emails are sent, apart from those of the automation and the member. */
export type Around = {
  hours: Hours[];
  /** The time zone for members without one of their own. */
  zone: string;
};

/** All quiet hours that an organization ever had, each with the instant from which they are in effect. */
export function hoursOf(history: History, organization: number): Hours[] {
  const ofHistory = knownHours.get(history) ?? new Map<number, Hours[]>();
  knownHours.set(history, ofHistory);
  const found = ofHistory.get(organization) ?? hoursEver(history, organization, Number.POSITIVE_INFINITY);
  ofHistory.set(organization, found);
  return found;
}

const knownHours = new WeakMap<History, Map<number, Hours[]>>();

export function hoursEver(history: History, organization: number, at: number): Hours[] {
  let all: Hours[] = [];
  for (const change of history.changesOf(`ORG#${organization}`, 'META')) {
    const newest = (change.after?.hours as Hours[] | undefined)?.at(-1);
    if (!newest || change.at > at) continue;
    // Quiet hours that are set before earlier ones are in effect replace those.
    all = [...all.filter(({ since }) => since < newest.since), newest];
  }
  return all;
}

export function isQuiet(hours: Hours[], instant: number): boolean {
  const minute = new Date(Math.floor(instant / MINUTE) * MINUTE).toISOString();
  const now = hours.findLast(({ since }) => since <= minute);
  if (!now || now.quiet_hours.length === 0) return false;
  const time = timeOf(clockIn(now.time_zone, instant));
  return now.quiet_hours.some(({ from, until }) =>
    from < until ? from <= time && time < until : from <= time || time < until,
  );
}

/** The first minute outside quiet hours. They begin and end at full quarters, or when changed ones take effect. */
function endOfQuiet(hours: Hours[], from: number): number {
  let at = from;
  while (isQuiet(hours, at)) {
    const steps = [(Math.floor(at / QUARTER) + 1) * QUARTER, ...hours.map(({ since }) => Date.parse(since))];
    at = Math.min(...steps.filter(step => step > at));
  }
  return at;
}

export const hasTimes = ({ send_at, days_off, dates_off }: Item) =>
  Boolean(send_at) || [days_off, dates_off].some(off => ((off ?? []) as string[]).length > 0);

/** Whether its emails are sent at other times than those of the members' dates. */
export const isTimed = (automation: Item, { hours }: Around) =>
  hasTimes(automation) || hours.some(({ quiet_hours }) => quiet_hours.length > 0);

/** The time zone of an automation at an instant, for members of a list who have none of their own. */
export function zoneAt(history: History, automation: Item, list: string, at: number): string {
  return hasTimes(automation) ? zoneFor(history, automation, list, at) : UTC;
}

export function zoneFor(history: History, automation: Item, list: string, at: number): string {
  const partition = String(automation.PK);
  const own = zoneIn(history.at(partition, 'META', at));
  const ofList = isOfOrganization(automation) ? undefined : zoneIn(history.at(partition, `LIST#${list}`, at));
  return ofList ?? own ?? UTC;
}

const UTC = 'UTC';
const zoneIn = (item: Item | undefined) => (item?.time_zone ?? undefined) as string | undefined;
const isOfOrganization = ({ time_zone_of }: Item) => time_zone_of === 'organization';

/** All time zones that it may ever have had. */
export function zonesEver(history: History, automation: Item, list: string): string[] {
  if (!hasTimes(automation)) return [UTC];
  const partition = String(automation.PK);
  const found = ['META', ...(isOfOrganization(automation) ? [] : [`LIST#${list}`])].flatMap(SK =>
    history.changesOf(partition, SK).map(({ after }) => zoneIn(after)),
  );
  return [...new Set([UTC, ...found.filter(zone => zone !== undefined)])];
}

export function memberZoneOf(member: Item): string | undefined {
  const named = (member.metadata as Item | undefined)?.[ZONE_COLUMN];
  return ZONES.find(zone => zone === named);
}

/** When an email is sent, and the day that it counts for. */
export type Slot = { at: number; day: string };

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** When the emails of an automation are sent in a time zone. */
class Slots {
  readonly #zone: string;
  readonly #sendAt: string | null;
  readonly #weekdays: string[];
  readonly #dates: string[];
  readonly #hours: Hours[];
  readonly #known = new Map<string, Slot>();

  constructor({ send_at, days_off, dates_off }: Item, zone: string, hours: Hours[]) {
    this.#zone = zone;
    this.#sendAt = (send_at ?? null) as string | null;
    this.#weekdays = (days_off ?? []) as string[];
    this.#dates = (dates_off ?? []) as string[];
    this.#hours = hours;
  }

  /**
   * The slot of the first email, which is due at an instant by a member's date, with or without a time. It counts for a day
   * unless a time of day or days off decide that.
   */
  first(due: number, isDate: boolean, day: string): Slot {
    const name = `${due} ${isDate} ${day}`;
    const slot = this.#known.get(name) ?? this.#held(this.#wished(due, isDate, day));
    this.#known.set(name, slot);
    return slot;
  }

  /** The slot of a later email, some time after the previous one. */
  after({ at, day }: Slot, delay: number): Slot {
    const next = { at: at + delay, day };
    return this.#held(this.#hasDaysOff ? this.#onWorkday(next.at) : next);
  }

  get #hasDaysOff(): boolean {
    return this.#weekdays.length + this.#dates.length > 0;
  }

  /** The first instant of a day. */
  beginOf = (date: string): number => firstMinuteAt(this.#zone, date, '00:00');

  /** The local day of an instant. */
  dateOf = (instant: number): string => dateOf(clockIn(this.#zone, instant));

  #wished(due: number, isDate: boolean, day: string): Slot {
    if (this.#sendAt !== null) {
      const date = isDate ? new Date(due).toISOString().slice(0, 10) : this.#dateFor(due, this.#sendAt);
      return this.#onDay(date, this.#sendAt);
    }
    return this.#hasDaysOff ? this.#onWorkday(due) : { at: due, day };
  }

  #dateFor(due: number, time: string): string {
    const today = dateOf(clockIn(this.#zone, due));
    return firstMinuteAt(this.#zone, today, time) >= due ? today : dateAfter(today);
  }

  #onWorkday(at: number): Slot {
    const clock = clockIn(this.#zone, at);
    return this.#isOff(dateOf(clock))
      ? this.#onDay(dateOf(clock), timeOf(clock))
      : { at, day: dateOf(clock) };
  }

  /** On a day, or on the next day that is not off. */
  #onDay(date: string, time: string): Slot {
    let day = date;
    while (this.#isOff(day)) day = dateAfter(day);
    return { at: firstMinuteAt(this.#zone, day, time), day };
  }

  #isOff = (date: string) =>
    this.#dates.includes(date) || this.#weekdays.includes(WEEKDAYS[new Date(date).getUTCDay()] ?? '');

  #held(wished: Slot): Slot {
    let slot = wished;
    while (isQuiet(this.#hours, slot.at)) {
      const end = endOfQuiet(this.#hours, slot.at);
      const isOff = this.#isOff(dateOf(clockIn(this.#zone, end)));
      slot = { at: isOff ? this.#onWorkday(end).at : end, day: slot.day };
    }
    return slot;
  }
}

const knownSlots = new WeakMap<Hours[], Map<string, Slots>>();

export function slotsFor(automation: Item, member: Item, { hours, zone }: Around): Slots {
  const own = automation.time_zone_of === 'member' ? memberZoneOf(member) : undefined;
  const ofHours = knownSlots.get(hours) ?? new Map<string, Slots>();
  knownSlots.set(hours, ofHours);
  const { send_at, days_off, dates_off } = automation;
  const name = `${own ?? zone} ${send_at} ${days_off} ${dates_off}`;
  const slots = ofHours.get(name) ?? new Slots(automation, own ?? zone, hours);
  ofHours.set(name, slots);
  return slots;
}
