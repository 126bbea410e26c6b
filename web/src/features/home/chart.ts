import type { Performance } from '../../../../shared/reporting.ts';

export type Day = Performance['days'][number];
export type Counted = Exclude<keyof Day, 'date'>;

export const CHART_HEIGHT = 48;

const DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
export const formatDay = (date: string) => DAY.format(new Date(date));

const NUMBER = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });
export const formatCount = (count: number) => NUMBER.format(count);

/** What a chart shows, for those who do not see it. */
export function chartText(name: string, counted: Counted, days: Day[]): string {
  const [first, last] = [days[0], days.at(-1)];
  const highest = days.reduce((most, day) => (day[counted] > most[counted] ? day : most), days[0] as Day);
  const range = `${name} by day, ${formatDay(first?.date ?? '')} to ${formatDay(last?.date ?? '')}`;
  return highest[counted] === 0
    ? `${range}: nothing`
    : `${range}: most on ${formatDay(highest.date)}, ${formatCount(highest[counted])}; today ${formatCount(last?.[counted] ?? 0)}`;
}
