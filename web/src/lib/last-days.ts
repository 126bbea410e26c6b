import { lastDays as lastDaysBefore, type Range } from '../../../shared/report/range.ts';

export { DEFAULT_DAYS } from '../../../shared/report/range.ts';

/** So many UTC days, of which today is the last one by the clock of the browser. */
export const lastDays = (count: number, now = new Date()): Range => lastDaysBefore(count, now);
