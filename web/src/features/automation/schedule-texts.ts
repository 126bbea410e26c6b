import {
  type MultipleSends,
  neverSends,
  OCCURRENCES,
  ORDINALS,
  type Schedule,
  type SendTimes,
  type Weekday,
  type ZoneOf,
} from '#shared/schedule.ts';
import { capitalized, formatNumber, formatUtc, plural } from '#web/lib/format.ts';

type Times = Partial<SendTimes>;
export type ScheduleDays = Omit<Schedule, keyof MultipleSends> & Partial<MultipleSends>;

/** What one person gets; `trigger` is the column that it starts at, if any, `zone` the time zone of the organization. */
export function scheduleSentence(schedule: ScheduleDays, trigger: string | null, zone?: string): string {
  if (neverSends(schedule)) return 'No email is ever sent: sending stops before it starts.';
  const { what, span = '' } = scheduleWords(schedule, trigger, sendTimesText(schedule, zone));
  return `Each person gets ${what}${span}.`;
}

/** Its first words, for a line of the list: "An email every 7 days", "1 email, 3 days after signed_up at 09:00". */
export function shortSchedule(schedule: ScheduleDays, trigger: string | null): string {
  if (neverSends(schedule)) return 'Never';
  const { send_at } = schedule;
  const { what } = scheduleWords(schedule, trigger, send_at ? `at ${send_at}` : undefined);
  return capitalized(what);
}

type Words = { what: string; span?: string };

/** `span`: from when until when, if it is more than one email. */
function scheduleWords(schedule: ScheduleDays, trigger: string | null, times = ''): Words {
  const { repeat = 'days', every_x_days: every, delay_days: delay, stop_after_days: stop } = schedule;
  const start = startText(schedule, trigger);
  // "3 days before renewal at 09:00", "3 days before renewal, not on Sundays".
  const timed = (text: string) => text + (times && `${times.startsWith('at ') ? ' ' : ', '}${times}`);
  if (repeat === 'yearly') return { what: timed(`an email each year, ${start}`) };
  const count = repeat === 'once' ? 1 : stop === null ? undefined : Math.floor((stop - delay) / every) + 1;
  if (count === 1) return { what: timed(`${plural(emailsOf(schedule, 1), 'email')}, ${start}`) };
  const isDelayed = delay > 0 || schedule.delay_minutes;
  const often = every === 1 ? 'every day' : `every ${plural(every, 'day')}`;
  if (count === undefined) {
    const from = isDelayed ? `, from ${start} on` : '';
    return { what: timed(`an email ${often}`), span: `${from}, without an end${rateText(schedule)}` };
  }
  // If several emails move to the same day, only the newest is sent.
  const most = hasDaysOff(schedule) ? 'at most ' : '';
  const from = isDelayed ? start : (trigger ?? 'when they are added');
  return {
    what: `${most}${formatNumber(emailsOf(schedule, count))} emails, ${timed(often)}`,
    span: `, from ${from} until ${plural(delay + (count - 1) * every, 'day')} after`,
  };
}

/** With those of double and triple sends. */
const emailsOf = (schedule: ScheduleDays, count: number) =>
  OCCURRENCES.slice(0, count).reduce(
    (sum, nth) => sum + (schedule[`triple_send_${nth}`] ? 2 : 0) + (schedule[`double_send_${nth}`] ? 1 : 0),
    count,
  );

type StartOf = Pick<ScheduleDays, 'repeat' | 'delay_days' | 'delay_minutes' | 'send_at'>;

/** "3 days before renewal", "2 hours after they were added", "at signed_up". */
function startText({ repeat, delay_days, delay_minutes = 0, send_at }: StartOf, trigger: string | null) {
  const [hours, minutes] = [Math.floor(delay_minutes / 60), delay_minutes % 60];
  const added = [hours > 0 && plural(hours, 'hour'), minutes > 0 && plural(minutes, 'minute')];
  const days = delay_days !== 0 && plural(Math.abs(delay_days), 'day');
  if (delay_days < 0) return [`${days} before ${trigger ?? ADDED}`, ...added].filter(Boolean).join(' plus ');
  const after = [days, ...added].filter(text => text !== false);
  if (after.length > 0) return `${joinNames(after)} after ${trigger ?? ADDED}`;
  if (repeat === 'yearly') return trigger ? `on ${trigger}` : 'on the day on which they were added';
  if (trigger === null) return 'when they are added';
  // With a fixed time, it starts at the first such time from the date on.
  return `${send_at ? 'on or after' : 'at'} ${trigger}`;
}

const ADDED = 'they were added';

type StepTimes = Pick<SendTimes, 'send_at'> & { metadata_trigger: string | null };

/** When the email of a step goes: "3 days after signed_up at 09:00". */
export function stepText(
  step: Pick<ScheduleDays, 'delay_days' | 'delay_minutes'>,
  { send_at, metadata_trigger }: StepTimes,
): string {
  const start = startText({ repeat: 'once', ...step, send_at }, metadata_trigger);
  return send_at ? `${start} at ${send_at}` : start;
}

function rateText({ every_x_days: every, ...times }: ScheduleDays): string {
  const [month, year] = [Math.round(30 / every), Math.round(365 / every)];
  const about = hasDaysOff(times) ? 'at most' : 'about';
  if (month > 0) return `: ${about} ${month} a month`;
  return year > 0 ? `: ${about} ${year} a year` : '';
}

/** The settings of a schedule of days, a line each. */
export const scheduleTexts = ({ repeat, every_x_days, delay_days, stop_after_days }: ScheduleDays) =>
  repeat === 'once' || repeat === 'yearly'
    ? []
    : [
        delay_days === 0 ? 'Starts immediately' : `Starts after ${plural(delay_days, 'day')}`,
        `Runs every ${plural(every_x_days, 'day')}`,
        stop_after_days === null
          ? 'No stop date defined, sends indefinitely'
          : `Stops sending after ${plural(stop_after_days, 'day')}`,
      ];

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
