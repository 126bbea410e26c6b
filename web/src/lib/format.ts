/** MMM d, yyyy. */
const DAY = { month: 'short', day: 'numeric', year: 'numeric' } as const;
const DATE = new Intl.DateTimeFormat('en-US', DAY);
const UTC_DATE = new Intl.DateTimeFormat('en-US', { ...DAY, timeZone: 'UTC' });
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const NUMBER = new Intl.NumberFormat();

export const formatDate = (instant: string) => DATE.format(new Date(instant));

/** The time in the browser's locale and time zone. */
export const formatTime = (instant: string) => TIME.format(new Date(instant));

/** A date like any other, and the time in the browser's locale and time zone. */
export const formatMoment = (instant: string) => `${formatDate(instant)}, ${formatTime(instant)}`;

/** Date and time in UTC, as automations use them; midnight is left out. */
export function formatUtc(instant: Date): string {
  const time = instant.toISOString().slice(11, 16);
  return time === '00:00' ? UTC_DATE.format(instant) : `${UTC_DATE.format(instant)}, ${time} UTC`;
}

/** A number in the browser's locale. */
export const formatNumber = (count: number) => NUMBER.format(count);

export const plural = (count: number, one: string, several = `${one}s`) =>
  `${formatNumber(count)} ${count === 1 ? one : several}`;

/** The count below a table; none below an empty one. */
export const countText = (count: number | undefined, one: string, several?: string) =>
  count ? plural(count, one, several) : undefined;

export const foundText = (found: number, total: number, one: string) =>
  `${formatNumber(found)} of ${plural(total, one)} ${found === 1 ? 'matches' : 'match'}`;
