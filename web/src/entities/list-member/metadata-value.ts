import {
  entriesOf,
  faultOf,
  isDay,
  looksLikeEpoch,
  type Metadata,
  type MetadataEntry,
  type MetadataValue,
  readDatetime,
  typeOf,
} from '#shared/metadata.ts';
import { isoReadings } from '#shared/written-date.ts';
import { formatMoment, formatUtc } from '#web/lib/format.ts';

const TYPE_NAMES: Record<MetadataEntry['type'], string> = {
  string: 'Text',
  number: 'Number',
  boolean: 'True or false',
  datetime: 'Date',
};

export const typeName = (value: MetadataValue) => TYPE_NAMES[typeOf(value)];

/** Parses the input of a value. It is a number only if formatting it gives the same text: 007 and +1 stay text. */
export function parseValue(typed: string): MetadataValue {
  const text = typed.trim();
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return text !== '' && Number.isFinite(number) && String(number) === text ? number : text;
}

/** Parses the edited input of a stored value. Unchanged input keeps the stored value, and text stays text. */
export function parseEdited(typed: string, stored: MetadataValue | undefined): MetadataValue {
  if (stored === undefined) return parseValue(typed);
  if (withNewlines(typed) === withNewlines(String(stored))) return stored;
  if (typeof stored !== 'string') return parseValue(typed);
  const text = typed.trim();
  return text === '' || stored === stored.trim() ? text : typed;
}

/** Normalizes line breaks like a textarea. */
const withNewlines = (text: string) => text.replace(/\r\n?/g, '\n');

const LONG = 80;

/** Whether a value needs a textarea, as an input would lose its line breaks. */
export const isLong = (value: MetadataValue) => /[\r\n]/.test(String(value)) || String(value).length > LONG;

export function formatValue(value: MetadataValue, zone?: string): string {
  const instant = typeof value === 'string' ? readDatetime(value) : undefined;
  return instant instanceof Date ? formatUtc(instant, zone) : String(value);
}

/** Metadata as entries, from either format of the API. */
export const entriesIn = (metadata: MetadataEntry[] | Metadata): MetadataEntry[] =>
  Array.isArray(metadata) ? metadata : entriesOf(metadata);

export const metadataOf = (entries: MetadataEntry[]): Metadata =>
  Object.fromEntries(entries.map(({ key, value }) => [key, value]));

export function errorsOf(key: string, value: MetadataValue): { key?: string; value?: string } {
  if (key === '') return { key: 'Key is required' };
  const keyError = faultOf(key, true);
  if (keyError) return { key: keyError };
  const valueError = value === '' ? 'Value is required' : faultOf(key, value);
  return valueError ? { value: valueError } : {};
}

const EPOCH_HINT =
  'This looks like a time in milliseconds. Only dates such as 2026-11-21 can start automations.';
export function hintFor(value: MetadataValue): string | undefined {
  if (looksLikeEpoch(value)) return EPOCH_HINT;
  if (typeof value !== 'string' || !isDay(value)) return undefined;
  return `Starts at 00:00 UTC: ${formatMoment(value)} in your time zone`;
}

export const isoReadingsOf = (value: MetadataValue): string[] =>
  typeof value === 'string' ? isoReadings(value) : [];

/** A value in a row whose other dates are in the reader's time zone. A date without a time stays as it was written. */
export function formatLocalValue(value: MetadataValue): string {
  const instant = typeof value === 'string' && !isDay(value) ? readDatetime(value) : undefined;
  return instant instanceof Date ? formatMoment(instant.toISOString()) : formatValue(value);
}
