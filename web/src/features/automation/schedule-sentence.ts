import {
  type MultipleSends,
  neverSends,
  OCCURRENCES,
  ORDINALS,
  type Schedule,
} from '../../../../shared/schedule.ts';
import { formatNumber, plural } from '../../lib/format.ts';

type Entered = { [Field in keyof Omit<Schedule, keyof MultipleSends>]: unknown } & Partial<MultipleSends>;

const isCount = (value: unknown, least: number): value is number =>
  Number.isInteger(value) && (value as number) >= least;

/** The schedule that is entered, if it is one. */
export function enteredSchedule({ every_x_days, delay_days, stop_after_days, ...sends }: Entered) {
  if (!isCount(every_x_days, 1) || !isCount(delay_days, 0)) return undefined;
  if (stop_after_days !== null && !isCount(stop_after_days, 0)) return undefined;
  return { ...sends, every_x_days, delay_days, stop_after_days };
}

type Days = NonNullable<ReturnType<typeof enteredSchedule>>;

/** A schedule in words; `trigger` is what it is counted from. */
export function scheduleSentence(schedule: Days, trigger: string): string {
  const { every_x_days: every, delay_days: delay, stop_after_days: stop } = schedule;
  if (neverSends(schedule)) return 'No email is ever sent: sending stops before it starts.';
  const start = delay === 0 ? `at ${trigger}` : `${plural(delay, 'day')} after ${trigger}`;
  const emails = stop === null ? Number.POSITIVE_INFINITY : Math.floor((stop - delay) / every) + 1;
  if (emails === 1) return `One email ${start}.${copies(schedule, emails)}`;
  const rhythm = every === 1 ? 'every day' : `every ${formatNumber(every)} days`;
  if (stop === null) return `First email ${start}, then ${rhythm}, without end.${copies(schedule, emails)}`;
  const last = delay + (emails - 1) * every;
  const end = last < stop ? `, the last one after ${plural(last, 'day')}` : '';
  return `First email ${start}, then ${rhythm}, until ${plural(stop, 'day')} after: ${formatNumber(emails)} emails${end}.${copies(schedule, emails)}`;
}

/** Which of the first occurrences send several emails. */
function copies(sends: Partial<MultipleSends>, emails: number): string {
  const several = OCCURRENCES.slice(0, emails).flatMap(nth =>
    sends[`triple_send_${nth}`]
      ? [`the ${ORDINALS[nth]} 3 times`]
      : sends[`double_send_${nth}`]
        ? [`the ${ORDINALS[nth]} twice`]
        : [],
  );
  return several.length > 0 ? ` Sent more than once, 6 hours apart: ${several.join(', ')}.` : '';
}
