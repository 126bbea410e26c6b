import { ANY_TIME, type SendTimes, WEEKDAYS, ZONES_OF } from '#shared/schedule.ts';
import { type QuietHours, SendingHoursChange } from '#shared/sending-hours.ts';
import { clockIn, offsetOf, timeOf } from './clocks.ts';
import type { Random } from './random.ts';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;
const MINUTES = 24 * 60;
const QUARTER = 15;

/**
 * Zones ahead of UTC and behind it, by hours, halves and quarters, up to the extremes. Some change their offsets on the second
 * day of a run, by an hour or two; Beirut and the Azores at midnight.
 */
export const ZONES =
  `Europe/Berlin Europe/London Asia/Beirut Atlantic/Azores Antarctica/Troll America/New_York
  America/St_Johns Asia/Kolkata Asia/Kathmandu Pacific/Chatham Pacific/Kiritimati Pacific/Pago_Pago
  UTC`.split(/\s+/);
const NO_ZONES = ['Mars/Phobos', 'somewhere else'];
/** The metadata column with the time zone of a member. */
export const ZONE_COLUMN = 'place';

/** The time zones of an organization's members. The first one is that of the organization. */
export type Times = { zones: string[] };

/** The minutes of the day that most dates have. */
type Timed = { hotMinutes: number[] };

/** The first minute within two days that has another offset from UTC. */
function clockChange(zone: string, now: Date): number | undefined {
  const from = Math.floor(now.getTime() / (QUARTER * MINUTE)) * QUARTER * MINUTE;
  if (offsetOf(zone, from) === offsetOf(zone, from + 2 * DAY)) return undefined;
  let at = from;
  while (offsetOf(zone, at) === offsetOf(zone, from)) at += QUARTER * MINUTE;
  return at;
}

export function timesOf(random: Random, now: Date): Times | undefined {
  const changing = ZONES.filter(zone => clockChange(zone, now) !== undefined);
  if (!random.chance(changing.length > 0 ? 0.6 : 0.35)) return undefined;
  const zones = [random.pick(ZONES), ...random.shuffle(ZONES).slice(0, random.between(1, 3))];
  return { zones: changing.length > 0 && random.chance(0.6) ? [random.pick(changing), ...zones] : zones };
}

const two = (part: number) => String(part).padStart(2, '0');
const timeAt = (minute: number) => {
  const within = ((minute % MINUTES) + MINUTES) % MINUTES;
  return `${two(Math.floor(within / 60))}:${two(within % 60)}`;
};

/** The local time around the minutes that most dates have, rounded to a quarter of an hour. */
function hotTime(random: Random, { hotMinutes }: Timed, zone: string, now: Date): number {
  const instant = Math.floor(now.getTime() / DAY) * DAY + random.pick(hotMinutes) * MINUTE;
  return minuteIn(zone, instant);
}

/** The minute of the day, rounded to a quarter of an hour. */
function minuteIn(zone: string, instant: number): number {
  const [hour, minute] = timeOf(clockIn(zone, instant)).split(':').map(Number);
  return Math.floor((Number(hour) * 60 + Number(minute)) / QUARTER) * QUARTER;
}

/** An email with a time of day goes at that time, without minutes of a delay. */
type Chosen = SendTimes & { delay_minutes?: 0 };

export function sendTimes(random: Random, { zones }: Times, model: Timed, now: Date): Chosen {
  if (random.chance(0.25)) return ANY_TIME;
  const [own = 'UTC'] = zones;
  const changed = clockChange(own, now);
  if (changed !== undefined && random.chance(0.6)) {
    // At a change of the offset, the clock shows this time twice, or not at all.
    const send_at = timeAt(minuteIn(own, changed) + random.between(-4, 3) * QUARTER);
    const time_zone_of = random.pick(['organization', 'organization', 'member'] as const);
    return { ...ANY_TIME, send_at, time_zone_of, delay_minutes: 0 };
  }
  const hot = hotTime(random, model, random.pick(zones), now);
  const send_at = random.weighted([
    [3, null],
    [4, timeAt(hot + random.pick([0, 1, 1, 2, 24]) * QUARTER)],
    [1, random.pick(['00:00', '02:30'])],
    [1, timeAt(random.int(48) * 30)],
  ]);
  const today = Math.floor(now.getTime() / DAY) * DAY;
  const dateIn = (days: number) => new Date(today + days * DAY).toISOString().slice(0, 10);
  return {
    send_at,
    ...(send_at !== null && { delay_minutes: 0 }),
    time_zone_of: random.pick(send_at === null ? ZONES_OF.slice(0, 2) : [...ZONES_OF, 'member']),
    days_off: random.weighted([
      [4, []],
      [2, ['sunday', 'saturday']],
      [1, WEEKDAYS.filter(() => random.chance(0.3)).slice(0, 3)],
    ]),
    dates_off: random.weighted([
      [3, []],
      [1, [dateIn(random.between(0, 2))]],
      [1, [dateIn(1), dateIn(random.between(2, 3))].sort()],
    ]),
  };
}

function quietHours(random: Random, { zones: [zone = 'UTC'] }: Times, model: Timed, now: Date): QuietHours {
  // Around the minutes with the most emails, or around the present.
  const present = minuteIn(zone, now.getTime());
  const begin = random.chance(0.7) ? hotTime(random, model, zone, now) : present;
  const from = begin - random.pick([0, 0, 1, 4, 30]) * QUARTER;
  return { from: timeAt(from), until: timeAt(from + random.pick([1, 2, 4, 12, 32, 48, 60]) * QUARTER) };
}

export function quietFrom([zone = 'UTC']: string[], instant: number, hours: number): QuietHours {
  const from = minuteIn(zone, instant);
  return { from: timeAt(from), until: timeAt(from + hours * 60) };
}

export function quietHoursOf(random: Random, times: Times, model: Timed, now: Date): QuietHours[] {
  const count = random.pick([0, 1, 1, 1, 2]);
  const quiet_hours = Array.from({ length: count }, () => quietHours(random, times, model, now));
  // Quiet hours that cover the whole day are refused.
  return SendingHoursChange.safeParse({ quiet_hours }).success ? quiet_hours : quiet_hours.slice(0, 1);
}

export const newHours = (random: Random, times: Times, model: Timed, now: Date) => ({
  time_zone: times.zones[0],
  quiet_hours: quietHoursOf(random, times, model, now),
});

export const listZone = (random: Random, times: Times | undefined): string | null =>
  times && random.chance(0.5) ? random.pick(times.zones) : null;

export function memberZone(random: Random, times: Times | undefined): Record<string, string> {
  if (!times || random.chance(0.3)) return {};
  return { [ZONE_COLUMN]: random.chance(0.1) ? random.pick(NO_ZONES) : random.pick(times.zones) };
}

/** Changes the time zone of a member: some keep theirs, and some have none afterwards. */
export const otherZone = (random: Random, times: Times | undefined): Record<string, string | null> =>
  !times || random.chance(0.4) ? {} : { [ZONE_COLUMN]: null, ...memberZone(random.fork('other'), times) };
