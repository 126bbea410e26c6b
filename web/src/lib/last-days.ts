import { dayAfter, type Range } from '../../../shared/report/range.ts';

/** So many UTC days, of which today is the last one. */
export function lastDays(count: number, now = new Date()): Range {
  const end_date = now.toISOString().slice(0, 10);
  return { start_date: dayAfter(end_date, 1 - count), end_date };
}

/** What is reported on unless another range is chosen. */
export const DEFAULT_DAYS = 30;
