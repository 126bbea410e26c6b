import type { StoredAutomation } from '../../automation/automation/automation.ts';
import { rangeOfDays, rangeOfMinutes, type TriggerRange } from '../../recipient/recipient/recipient.ts';

const DAY = 24 * 60 * 60 * 1000;

/** The rows of a column that are read, in their order; `isWhole` where those are all rows of the minutes. */
export type Ranges = { ranges: TriggerRange[]; isWhole: boolean };

/** The rows of so many minutes from an instant on; of a single one, where the automations send seldom, only some days. */
export function rangesDue(sending: StoredAutomation[], from: Date, length: number): Ranges {
  const minute = from.getUTCHours() * 60 + from.getUTCMinutes();
  const found = length === 1 ? daysDue(sending, from) : undefined;
  if (!found) return { ranges: [rangeOfMinutes(minute, minute + length)], isWhole: true };
  const { days, until } = found;
  const ranges = [rangeOfDays(minute, { until }), ...days.sort().map(day => rangeOfDays(minute, { day }))];
  return { ranges, isWhole: false };
}

/** From how many days between two emails on, the days that may be due are read one by one. */
const SELDOM = 28;
const MOST_DAYS = 16;

/**
 * The days that members' dates must have to be due in a minute, where the automations send seldom: the newest of them, and
 * the day until which all rows are read.
 */
function daysDue(sending: StoredAutomation[], at: Date): { days: string[]; until: string } | undefined {
  if (sending.some(({ every_x_days }) => every_x_days < SELDOM)) return undefined;
  const each = Math.floor(MOST_DAYS / sending.length);
  if (each < 2) return undefined;
  const dayBefore = (days: number) => new Date(at.getTime() - days * DAY).toISOString().slice(0, 10);
  const days = sending.flatMap(({ delay_days, every_x_days }) =>
    Array.from({ length: each }, (_, k) => delay_days + k * every_x_days),
  );
  // Beyond the last that is read for one automation, another may have skipped none.
  const oldest = Math.min(...sending.map(({ delay_days, every_x_days }) => delay_days + each * every_x_days));
  const read = [...new Set(days)].filter(day => day < oldest);
  return { days: read.map(dayBefore), until: dayBefore(oldest) };
}
