import { rangeOfDays, rangeOfMinutes, type TriggerRange } from '#core/recipient/trigger.ts';
import type { Schedule } from '#shared/schedule.ts';
import { DAY, minuteOfDay } from '#shared/time.ts';

/** The ranges of a column that are read, in order. `isWhole`: they cover all rows of their minutes. */
export type Ranges = { ranges: TriggerRange[]; isWhole: boolean };

/**
 * The ranges of the rows of `length` minutes. If it is one minute and the automations send seldom, only those of some days.
 */
export function rangesDue(
  sending: Pick<Schedule, 'delay_days' | 'every_x_days'>[],
  from: Date,
  length: number,
): Ranges {
  const minute = minuteOfDay(from.getTime());
  const found = length === 1 ? daysDue(sending, from) : undefined;
  if (!found) return { ranges: [rangeOfMinutes(minute, minute + length)], isWhole: true };
  const { days, until } = found;
  const ranges = [rangeOfDays(minute, { until }), ...days.sort().map(day => rangeOfDays(minute, { day }))];
  return { ranges, isWhole: false };
}

/** From this many days between two emails on, each day that may be due is read by itself. */
const SELDOM = 28;
const MOST_DAYS = 16;

/**
 * If the automations send seldom: the newest trigger days that are due in a minute, and the day up to which all rows
 * are read.
 */
function daysDue(
  sending: Pick<Schedule, 'delay_days' | 'every_x_days'>[],
  at: Date,
): { days: string[]; until: string } | undefined {
  if (sending.some(({ every_x_days }) => every_x_days < SELDOM)) return undefined;
  const each = Math.floor(MOST_DAYS / sending.length);
  if (each < 2) return undefined;
  const dayBefore = (days: number) => new Date(at.getTime() - days * DAY).toISOString().slice(0, 10);
  const days = sending.flatMap(({ delay_days, every_x_days }) =>
    Array.from({ length: each }, (_, k) => delay_days + k * every_x_days),
  );
  // Only back to this day the list has the days of all automations. Older rows are read as a whole.
  const oldest = Math.min(...sending.map(({ delay_days, every_x_days }) => delay_days + each * every_x_days));
  const read = [...new Set(days)].filter(day => day < oldest);
  return { days: read.map(dayBefore), until: dayBefore(oldest) };
}
