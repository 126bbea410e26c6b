import { type MultipleSends, neverSends, type Schedule } from '../../../../shared/schedule.ts';
import { formatNumber, plural } from '../../lib/format.ts';

type Days = Omit<Schedule, keyof MultipleSends>;

const isCount = (value: unknown, least: number): value is number =>
  Number.isInteger(value) && (value as number) >= least;

/** The schedule that is entered, if it is one. */
export function enteredSchedule({
  every_x_days,
  delay_days,
  stop_after_days,
}: { [Field in keyof Days]?: unknown }): Days | undefined {
  if (!isCount(every_x_days, 1) || !isCount(delay_days, 0)) return undefined;
  if (stop_after_days !== null && !isCount(stop_after_days, 0)) return undefined;
  return { every_x_days, delay_days, stop_after_days };
}

/** A schedule in words; `trigger` is what it is counted from. */
export function scheduleSentence(schedule: Days, trigger: string): string {
  const { every_x_days: every, delay_days: delay, stop_after_days: stop } = schedule;
  if (neverSends(schedule)) return 'No email is ever sent: sending stops before it starts.';
  const start = delay === 0 ? `at ${trigger}` : `${plural(delay, 'day')} after ${trigger}`;
  const repeats = `First email ${start}, then every ${every === 1 ? 'day' : plural(every, 'day')}`;
  if (stop === null) return `${repeats}, without end.`;
  const repetitions = Math.floor((stop - delay) / every);
  if (repetitions === 0) return `One email ${start}.`;
  const last = delay + repetitions * every;
  const end = last < stop ? `, the last one after ${plural(last, 'day')}` : '';
  return `${repeats}, until ${plural(stop, 'day')} after: ${formatNumber(repetitions + 1)} emails${end}.`;
}
