import {
  type MultipleSends,
  OCCURRENCES,
  ORDINALS,
  type Schedule,
  type SendTimes,
  type Weekday,
  type ZoneOf,
} from '#shared/schedule.ts';
import { formatNumber, formatUtc, plural } from '#web/lib/format.ts';

type Times = Partial<SendTimes>;
export type ScheduleDays = Omit<Schedule, keyof MultipleSends>;

/** The schedule in sentences. `times` is left out if emails go every day at the time of the date. */
export function scheduleTexts({ every_x_days, delay_days, stop_after_days, ...times }: ScheduleDays) {
  const sendTimes = sendTimesText(times);
  return {
    starts: delay_days === 0 ? 'Starts immediately' : `Starts after ${plural(delay_days, 'day')}`,
    runs: `Runs every ${plural(every_x_days, 'day')}`,
    stops:
      stop_after_days === null
        ? 'No stop date defined, sends indefinitely'
        : `Stops sending after ${plural(stop_after_days, 'day')}`,
    ...(sendTimes && { times: `Sends ${sendTimes}` }),
  };
}

/** The schedule in a few words, without defaults: "Every 7 days, from day 14 to 90, at 09:00". */
export function shortSchedule({ every_x_days, delay_days, stop_after_days, ...times }: ScheduleDays): string {
  const days = [
    delay_days > 0 && `from day ${formatNumber(delay_days)}`,
    stop_after_days !== null && `to ${delay_days > 0 ? '' : 'day '}${formatNumber(stop_after_days)}`,
  ];
  return [
    every_x_days === 1 ? 'Every day' : `Every ${plural(every_x_days, 'day')}`,
    days.filter(Boolean).join(' '),
    times.send_at && `at ${times.send_at}`,
    hasDaysOff(times) && 'with days off',
  ]
    .filter(Boolean)
    .join(', ');
}

const KINDS = { Double: 'double_send', Triple: 'triple_send' } as const;

/** The occurrences that send two emails, then those that send three: "Double 1st". */
export const multipleSends = (automation: MultipleSends): string[] =>
  Object.entries(KINDS).flatMap(([name, flag]) =>
    OCCURRENCES.filter(nth => automation[`${flag}_${nth}`]).map(nth => `${name} ${ORDINALS[nth]}`),
  );

export const SENDS_MEAN =
  'Double sends two emails, Triple sends three, on the occurrence that is named: 1st is the first time that the automation runs for a member.';

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

export const hasDaysOff = ({ days_off = [], dates_off = [] }: Times) =>
  days_off.length + dates_off.length > 0;

/** "in the time zone of each list"; `zone` is that of the organization, if it is known. */
export const zoneText = ({ time_zone_of = 'organization' }: Times, zone?: string) =>
  `in the time zone of ${OWNERS[time_zone_of]}${time_zone_of === 'organization' && zone ? ` (${zone})` : ''}`;

/** "at 09:00 in the time zone of each list, not on Saturdays and Sundays"; undefined if all is default. */
export function sendTimesText(times: Times, zone?: string): string | undefined {
  const inZone = zoneText(times, zone);
  const days = daysOffText(times);
  if (times.send_at)
    return [`at ${times.send_at} ${inZone}`, days && `not ${days}`].filter(Boolean).join(', ');
  return days && `not ${days} ${inZone}`;
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
  joinNames(DAYS.filter(day => days_off.includes(day)).map(day => `${DAY_NAMES[day]}s`));

const MOST_NAMED = 3;
const MOST_LISTED = 12;

const offDates = ({ dates_off = [] }: Times, most = MOST_NAMED) =>
  dates_off.length > most
    ? plural(dates_off.length, 'date')
    : joinNames(dates_off.map(date => formatUtc(new Date(date))));

/** "Ada, Ben and Cleo". */
export const joinNames = (names: readonly string[]) =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join('');
