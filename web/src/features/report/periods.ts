import type { Range } from '#shared/report/range.ts';
import type { LogStatus } from '#shared/send-status.ts';
import { formatUtc, formatUtcShort } from '#web/lib/format.ts';
import { DEFAULT_DAYS } from '#web/lib/last-days.ts';

export const PRESETS = { 'Last 7 days': 7, 'Last 30 days': DEFAULT_DAYS };

export const isSameRange = (a: Range, b: Range) => a.start_date === b.start_date && a.end_date === b.end_date;

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const isMonth = (date: string) => date.length === 'yyyy-mm'.length;

/** A day, or a whole month. */
export const formatDay = (date: string) =>
  isMonth(date) ? MONTH.format(new Date(date)) : formatUtc(new Date(date));
export const formatTick = (date: string) =>
  isMonth(date) ? MONTH.format(new Date(date)) : formatUtcShort(date);

/** Which emails a number of the report counts. Without a combination, it counts those of all. */
export type Counted = { combination?: string | undefined; status: LogStatus; range: Range };

/** The filters by which the log finds exactly these emails. */
export const peopleFilter = ({ combination, status, range: { start_date, end_date } }: Counted) => ({
  ...(combination !== undefined && { combination }),
  status,
  from: start_date,
  to: end_date,
});

/** The range of a row of daily statistics: a day, or those days of a month that are in the whole range. */
export function rangeOfDate(date: string, { start_date, end_date }: Range): Range {
  if (date.length > 'yyyy-mm'.length) return { start_date: date, end_date: date };
  const [year, month] = date.split('-').map(Number) as [number, number];
  const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
  return {
    start_date: start_date.startsWith(date) ? start_date : `${date}-01`,
    end_date: end_date.startsWith(date) ? end_date : last,
  };
}
