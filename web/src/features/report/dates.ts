import { dayAfter, type Range } from '../../../../shared/report/range.ts';

/** So many UTC days, of which today is the last one. */
export function lastDays(count: number, now = new Date()): Range {
  const end_date = now.toISOString().slice(0, 10);
  return { start_date: dayAfter(end_date, 1 - count), end_date };
}

export const DEFAULT_DAYS = 30;
export const PRESETS = { 'Last 7 days': 7, 'Last 30 days': DEFAULT_DAYS };

export const isSameRange = (a: Range, b: Range) => a.start_date === b.start_date && a.end_date === b.end_date;

const DAY = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
const DATE = new Intl.DateTimeFormat('en-US', { ...DAY, year: 'numeric' });
const SHORT = new Intl.DateTimeFormat('en-US', DAY);
const MONTH = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const isMonth = (date: string) => date.length === 'yyyy-mm'.length;

/** A day, or a whole month. */
export const formatDay = (date: string) => (isMonth(date) ? MONTH : DATE).format(new Date(date));
export const formatTick = (date: string) => (isMonth(date) ? MONTH : SHORT).format(new Date(date));
