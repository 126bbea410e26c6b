import { type MultipleSends, neverSends, type Schedule } from '#shared/schedule.ts';
import type { SendTimes } from '#shared/send-times.ts';
import { formatNumber, plural } from '#web/lib/format.ts';
import { hasDaysOff, sendTimesText } from './send-times-texts.ts';

type Days = Omit<Schedule, keyof MultipleSends>;
type Times = Partial<SendTimes>;
type Numbers = Omit<Days, keyof Times>;

const isCount = (value: unknown, least: number): value is number =>
  Number.isInteger(value) && (value as number) >= least;

/** The schedule from the input; undefined if it is not valid. */
export function enteredSchedule({
  every_x_days,
  delay_days,
  stop_after_days,
  ...times
}: { [Field in keyof Numbers]?: unknown } & Times): Days | undefined {
  if (!isCount(every_x_days, 1) || !isCount(delay_days, 0)) return undefined;
  if (stop_after_days !== null && !isCount(stop_after_days, 0)) return undefined;
  return { ...times, every_x_days, delay_days, stop_after_days };
}

/** A schedule in words; `trigger` is what it is counted from, `zone` the time zone of the organization. */
export function scheduleSentence(schedule: Days, trigger: string, zone?: string): string {
  const { every_x_days: every, delay_days: delay, stop_after_days: stop, send_at } = schedule;
  if (neverSends(schedule)) return 'No email is ever sent: sending stops before it starts.';
  const times = sendTimesText(schedule, { zone });
  const timed = times ? `, ${times}` : '';
  // With a fixed time, the schedule starts at the first such time from the date on.
  const start =
    delay > 0 ? `${plural(delay, 'day')} after ${trigger}` : `${send_at ? 'on or after' : 'at'} ${trigger}`;
  const repeats = `First email ${start}, then every ${every === 1 ? 'day' : plural(every, 'day')}${timed}`;
  if (stop === null) return `${repeats}, without end.`;
  const repetitions = Math.floor((stop - delay) / every);
  if (repetitions === 0) return `One email ${start}${timed}.`;
  const last = delay + repetitions * every;
  const end = last < stop ? `, the last one after ${plural(last, 'day')}` : '';
  // If several emails move to the same day, only the newest is sent.
  const most = hasDaysOff(schedule) ? 'at most ' : '';
  return `${repeats}, until ${plural(stop, 'day')} after: ${most}${formatNumber(repetitions + 1)} emails${end}.`;
}
