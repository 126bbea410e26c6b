import { readDatetime } from './metadata.ts';

// Longer texts are not parsed: the longest known form, as JavaScript prints it, names its time zone.
const LONGEST = 80;

const WEEKDAY = /^(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?(?:\.?,\s*|\.?\s+)/i;
const TIME =
  /(?:,?\s+(?:at\s+)?|T)(\d{1,2}):(\d{2})(:\d{2}(?:[.,]\d{1,9})?)?(?:\s*([ap])\.?m\.?)?(?:\s*(Z|UTC|GMT)?([+-]\d{2}:?\d{2})?(?:\s*\([^()]*\))?)?$/i;

// Numbers such as phone numbers may have the same form, so only these years are read as a date.
const YEAR = '((?:19|20|21)\\d{2})';
const DAY = '(\\d{1,2})';
const NAME = '([a-z]{3,9})\\.?';
const GAP = '(?:\\s*,\\s*|[\\s-]+)';
const form = (...parts: string[]) => new RegExp(`^${parts.join('')}$`, 'i');

const MONTH_OR_DAY_FIRST = form(DAY, '([/.-])', DAY, '\\2', YEAR);
const YEAR_FIRST = form(YEAR, '([/-])', DAY, '\\2', DAY);
// With fewer digits it would be a version, such as 2026.1.2.
const YEAR_FIRST_WITH_DOTS = form(YEAR, '\\.(\\d{2})\\.(\\d{2})');
const DAY_AND_NAME = form(DAY, '(?:st|nd|rd|th|\\.)?[\\s-]+(?:of\\s+)?', NAME, GAP, YEAR);
const NAME_AND_DAY = form(NAME, '[\\s-]+', DAY, '(?:st|nd|rd|th)?', GAP, YEAR);

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** The number of a month; 0 for a word that is not one. */
const monthOf = (name: string) =>
  MONTHS.findIndex(month => [month, month.slice(0, 3), month === 'september' && 'sept'].includes(name)) + 1;

/** Both if day and month may be swapped, the likelier one first. Empty for ISO dates and what is no date. */
export function isoReadings(text: string): string[] {
  if (text.length > LONGEST || readDatetime(text) !== undefined) return [];
  const trimmed = text.trim();
  if (readDatetime(trimmed) instanceof Date) return [trimmed];
  const written = trimmed.replace(WEEKDAY, '');
  const match = TIME.exec(written);
  const time = match ? isoTime(match) : '';
  if (time === undefined) return [];
  const days = daysOf(match ? written.slice(0, match.index) : written);
  return [...new Set(days.map(day => `${day}${time}`))].filter(iso => readDatetime(iso) instanceof Date);
}

function daysOf(text: string): string[] {
  const numeric = MONTH_OR_DAY_FIRST.exec(text);
  if (numeric) {
    const [, first, separator, second, year] = numeric;
    const [monthFirst, dayFirst] = [isoDay(year, first, second), isoDay(year, second, first)];
    return separator === '/' ? [monthFirst, dayFirst] : [dayFirst, monthFirst];
  }
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst) return [isoDay(yearFirst[1], yearFirst[3], yearFirst[4])];
  const dotted = YEAR_FIRST_WITH_DOTS.exec(text);
  if (dotted) return [isoDay(dotted[1], dotted[2], dotted[3])];
  const dayFirst = DAY_AND_NAME.exec(text);
  if (dayFirst) return [isoDay(dayFirst[3], monthOf(lowered(dayFirst[2])), dayFirst[1])];
  const nameFirst = NAME_AND_DAY.exec(text);
  return nameFirst ? [isoDay(nameFirst[3], monthOf(lowered(nameFirst[1])), nameFirst[2])] : [];
}

const lowered = (text = '') => text.toLowerCase();
const padded = (number: string | number = '') => String(number).padStart(2, '0');
const isoDay = (year = '', month?: string | number, day?: string) =>
  `${year}-${padded(month)}-${padded(day)}`;

function isoTime([, hour, minute, seconds = '', half, utc, offset]: RegExpExecArray): string | undefined {
  if (half && (Number(hour) < 1 || Number(hour) > 12)) return undefined;
  const hour24 = half ? (Number(hour) % 12) + (lowered(half) === 'p' ? 12 : 0) : Number(hour);
  return `T${padded(hour24)}:${minute}${seconds}${offset ?? (utc ? 'Z' : '')}`;
}

export function unreadDateText(value: unknown): string | undefined {
  const readings = typeof value === 'string' ? isoReadings(value) : [];
  return readings.length > 0
    ? `${String(value).trim()} is not read as a date. Write ${readings.join(' or ')}.`
    : undefined;
}
