import type { Range } from '#shared/report/range.ts';
import { DEFAULT_DAYS } from '#web/lib/last-days.ts';

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
