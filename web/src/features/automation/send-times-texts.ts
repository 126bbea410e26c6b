import type { SendTimes, Weekday, ZoneOf } from '#shared/send-times.ts';
import { formatUtc, plural } from '#web/lib/format.ts';

/** From Monday to Sunday. */
export const DAY_NAMES: Record<Weekday, string> = {
  monday: 'Monday',
  tuesday: 'Tuesday',
  wednesday: 'Wednesday',
  thursday: 'Thursday',
  friday: 'Friday',
  saturday: 'Saturday',
  sunday: 'Sunday',
};
export const DAYS = Object.keys(DAY_NAMES) as Weekday[];
export const WEEKEND: readonly Weekday[] = ['saturday', 'sunday'];

const OWNERS: Record<ZoneOf, string> = {
  organization: 'the organization',
  list: 'each list',
  member: 'each member',
};

/** The name of the organization's time zone, if it is known. */
type Named = { zone?: string | undefined };
type Times = Partial<SendTimes>;

export const hasDaysOff = ({ days_off = [], dates_off = [] }: Times) =>
  days_off.length + dates_off.length > 0;

/** "in the time zone of each list". */
export const zoneText = ({ time_zone_of = 'organization' }: Times, { zone }: Named = {}) =>
  `in the time zone of ${OWNERS[time_zone_of]}${time_zone_of === 'organization' && zone ? ` (${zone})` : ''}`;

/** "at 09:00 in the time zone of each list, not on Saturdays and Sundays"; undefined if all is default. */
export function sendTimesText(times: Times, named?: Named): string | undefined {
  const zone = zoneText(times, named);
  const days = daysOffText(times);
  if (times.send_at) return [`at ${times.send_at} ${zone}`, days && `not ${days}`].filter(Boolean).join(', ');
  return days && `not ${days} ${zone}`;
}

/** "on Saturdays and Sundays, nor on Dec 24, 2030". */
const daysOffText = (times: Times): string | undefined =>
  [offDays(times), offDates(times)]
    .filter(text => text !== '')
    .map(text => `on ${text}`)
    .join(', nor ') || undefined;

/** The days of the week, and the dates: "Saturdays and Sundays; Dec 24, 2030". */
export const listOfDaysOff = (times: Times) =>
  [offDays(times), offDates(times, MOST_LISTED)].filter(text => text !== '').join('; ');

const offDays = ({ days_off = [] }: Times) =>
  and(DAYS.filter(day => days_off.includes(day)).map(day => `${DAY_NAMES[day]}s`));

const MOST_NAMED = 3;
const MOST_LISTED = 12;

const offDates = ({ dates_off = [] }: Times, most = MOST_NAMED) =>
  dates_off.length > most
    ? plural(dates_off.length, 'date')
    : and(dates_off.map(date => formatUtc(new Date(date))));

const and = (names: readonly string[]) =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join('');
