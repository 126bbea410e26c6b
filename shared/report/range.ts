import { DAY } from '../time.ts';

// Apart from the schemas, so that pages do not load these.

export const SELECT_DATES = 'Please select both start and end dates';
const LONGEST_YEARS = 5;
/** A longer range is shown by month. */
export const MOST_DAYS = 366;

export type Range = { start_date: string; end_date: string };

export const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);

const daysIn = ({ start_date, end_date }: Range) => (Date.parse(end_date) - Date.parse(start_date)) / DAY + 1;

export const isByMonth = (range: Range) => daysIn(range) > MOST_DAYS;

/** As many days, up to the one before. */
export const rangeBefore = (range: Range): Range => ({
  start_date: dayAfter(range.start_date, -daysIn(range)),
  end_date: dayAfter(range.start_date, -1),
});

const latestEnd = (start: string) => `${Number(start.slice(0, 4)) + LONGEST_YEARS}${start.slice(4)}`;

/** Within these years, a year has four digits, so that days can be compared as texts. */
const YEARS = { first: '2000', last: '2999' };

export const rangeFault = ({ start_date, end_date }: Range): string | undefined =>
  start_date < YEARS.first || `${YEARS.last}-12-31` < end_date
    ? `A report covers days of the years ${YEARS.first} to ${YEARS.last}`
    : end_date < start_date
      ? 'The end date must not be before the start date'
      : end_date > latestEnd(start_date)
        ? `A report covers ${LONGEST_YEARS} years at most`
        : undefined;
