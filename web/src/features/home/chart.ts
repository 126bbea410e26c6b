import type { Performance } from '#shared/reporting.ts';

export type ChartedDay = Performance['days'][number];
export type ChartedCount = Exclude<keyof ChartedDay, 'date'>;

const DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
export const dayLabel = (date: string) => DAY.format(new Date(date));

const NUMBER = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });
export const formatCount = (count: number) => NUMBER.format(count);

/** A description of the chart for screen readers. */
export function chartText(name: string, counted: ChartedCount, days: ChartedDay[]): string {
  const [first, last] = [days[0], days.at(-1)];
  const highest = days.reduce(
    (most, day) => (day[counted] > most[counted] ? day : most),
    days[0] as ChartedDay,
  );
  const range = `${name} by day, ${dayLabel(first?.date ?? '')} to ${dayLabel(last?.date ?? '')}`;
  return highest[counted] === 0
    ? `${range}: nothing`
    : `${range}: most on ${dayLabel(highest.date)}, ${formatCount(highest[counted])}; today ${formatCount(last?.[counted] ?? 0)}`;
}
