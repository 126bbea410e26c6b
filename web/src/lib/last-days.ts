import { dayAfter, type Range } from '#shared/report/range.ts';

/** The last UTC days, today included. */
export function lastDays(count: number, now = new Date()): Range {
  const end_date = now.toISOString().slice(0, 10);
  return { start_date: dayAfter(end_date, 1 - count), end_date };
}

export const DEFAULT_DAYS = 30;
