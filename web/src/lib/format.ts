/** In the format MMM d, yyyy. */
const DAY = { month: 'short', day: 'numeric', year: 'numeric' } as const;
const DATE = new Intl.DateTimeFormat('en-US', DAY);
const UTC_DATE = new Intl.DateTimeFormat('en-US', { ...DAY, timeZone: 'UTC' });
const UTC_SHORT = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const UTC_WEEKDAY_DATE = new Intl.DateTimeFormat('en-US', { ...DAY, weekday: 'short', timeZone: 'UTC' });
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const NUMBER = new Intl.NumberFormat();
/** "a, b, and c". */
export const AND = new Intl.ListFormat('en', { type: 'conjunction' });

export const formatDate = (instant: string) => DATE.format(new Date(instant));

/** The time in the browser's locale and time zone. */
export const formatTime = (instant: string) => TIME.format(new Date(instant));

export const formatMoment = (instant: string) => `${formatDate(instant)}, ${formatTime(instant)}`;

const WEEKDAY = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' });

/** A time to come, in UTC: "Today, 09:00", within six days "Wed, 09:00", later "Dec 24, 2026". */
export function formatSoon(instant: string, now = new Date()): string {
  const dayOf = (at: Date) => Math.floor(at.getTime() / DAY_MS);
  const days = dayOf(new Date(instant)) - dayOf(now);
  if (days > 6) return formatUtcDate(instant);
  return `${['Today', 'Tomorrow'][days] ?? WEEKDAY.format(new Date(instant))}, ${formatUtcTime(instant)}`;
}

const DAY_SECONDS = 24 * 60 * 60;
const DAY_MS = DAY_SECONDS * 1000;
const UNITS = [
  [DAY_SECONDS, 'day'],
  [60 * 60, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** The relative time, for up to 30 days. For older instants, and for future ones by a deviating clock, the `date`. */
export function formatRelative(instant: string, date = formatDate, now = new Date()): string {
  const seconds = Math.floor((now.getTime() - Date.parse(instant)) / 1000);
  if (seconds < 0 || seconds >= 30 * DAY_SECONDS) return date(instant);
  const [size, unit] = UNITS.find(([size]) => seconds >= size) ?? [1, 'second'];
  return `${plural(Math.floor(seconds / size), unit)} ago`;
}

/** Date and time in UTC, as automations use them; midnight is left out, and `zone` where the view names it once. */
export function formatUtc(instant: Date, zone = ' UTC'): string {
  const text = instant.toISOString();
  return formatUtcTime(text) === '00:00' ? formatUtcDate(text) : formatUtcMoment(text, zone);
}

/** When a UTC day begins for the reader: "00:00 UTC, which is now 4:00 PM of the day before in your time zone". */
export function midnightText(now = new Date()): string {
  const midnight = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
  const offset = midnight.getTimezoneOffset();
  if (offset === 0) return '00:00 UTC';
  const day = offset > 0 ? 'the day before' : 'the same day';
  return `00:00 UTC, which is now ${TIME.format(midnight)} of ${day} in your time zone`;
}

/** `zone` is empty where the view names it once. */
export const formatUtcMoment = (instant: string, zone = ' UTC') =>
  `${formatUtcDate(instant)}, ${formatUtcTime(instant)}${zone}`;

export const formatUtcDate = (instant: string) => UTC_DATE.format(new Date(instant));
/** Without the year: "Oct 1". */
export const formatUtcShort = (instant: string) => UTC_SHORT.format(new Date(instant));
export const formatUtcTime = (instant: string) => new Date(instant).toISOString().slice(11, 16);

/** The heading of what happened on one day. */
export const formatUtcDay = (instant: string) => UTC_WEEKDAY_DATE.format(new Date(instant));

/** For a view that shows times without their zone. */
export const IN_UTC = 'All times are in UTC.';

export const formatNumber = (count: number) => NUMBER.format(count);

/** Of a share: 0.44 is 44%. */
export const percentText = (share: number) => `${share < 0 ? '−' : ''}${Math.round(Math.abs(share) * 100)}%`;

export const plural = (count: number, one: string, several = `${one}s`) =>
  `${formatNumber(count)} ${count === 1 ? one : several}`;

export const peopleText = (count: number) => plural(count, 'person', 'people');

export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A sentence that goes on from another. An open page has no text for a reason that a newer API answers. */
export const lowered = (text = 'for another reason') => text.charAt(0).toLowerCase() + text.slice(1);

/** The count below a table; undefined for an empty table. */
export const countText = (count: number | undefined, one: string, several?: string) =>
  count ? plural(count, one, several) : undefined;

export const foundText = (found: number, total: number, one: string) =>
  `${formatNumber(found)} of ${plural(total, one)} ${found === 1 ? 'matches' : 'match'}`;
