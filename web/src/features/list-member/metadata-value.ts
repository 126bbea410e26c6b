import {
  entriesOf,
  faultOf,
  looksLikeEpoch,
  type Metadata,
  type MetadataEntry,
  type MetadataValue,
  readDatetime,
  typeOf,
} from '../../../../shared/metadata.ts';
import { formatUtc } from '../../lib/format.ts';

const TYPE_NAMES: Record<MetadataEntry['type'], string> = {
  string: 'Text',
  number: 'Number',
  boolean: 'True or false',
  datetime: 'Date',
};

export const typeName = (value: MetadataValue) => TYPE_NAMES[typeOf(value)];

/** What is typed as a value. A number is one only where writing it again gives the same: 007 and +1 are texts. */
export function readValue(typed: string): MetadataValue {
  const text = typed.trim();
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return text !== '' && Number.isFinite(number) && String(number) === text ? number : text;
}

/** What is typed in place of a stored value: untouched it stays as it is, and text stays text. */
export function readAgain(typed: string, stored: MetadataValue | undefined): MetadataValue {
  if (stored === undefined) return readValue(typed);
  if (withoutReturns(typed) === withoutReturns(String(stored))) return stored;
  if (typeof stored !== 'string') return readValue(typed);
  const text = typed.trim();
  return text === '' || stored === stored.trim() ? text : typed;
}

/** Line breaks as a text field gives them back. */
const withoutReturns = (text: string) => text.replace(/\r\n?/g, '\n');

const LINE = 80;

/** Whether a value wants more than one line: a field of one line would lose its line breaks. */
export const isLong = (value: MetadataValue) => /[\r\n]/.test(String(value)) || String(value).length > LINE;

/** A value for reading: dates as dates. */
export function showValue(value: MetadataValue): string {
  const instant = typeof value === 'string' ? readDatetime(value) : undefined;
  return instant instanceof Date ? formatUtc(instant) : String(value);
}

/** Both forms in which metadata is answered. */
export const entriesIn = (metadata: MetadataEntry[] | Metadata): MetadataEntry[] =>
  Array.isArray(metadata) ? metadata : entriesOf(metadata);

export const metadataOf = (entries: MetadataEntry[]): Metadata =>
  Object.fromEntries(entries.map(({ key, value }) => [key, value]));

/** What is wrong with a key and with its value, each said at its own field. */
export function faultsOf(key: string, value: MetadataValue): { key?: string; value?: string } {
  if (key === '') return { key: 'Key is required' };
  const keyFault = faultOf(key, true);
  if (keyFault) return { key: keyFault };
  const valueFault = value === '' ? 'Value is required' : faultOf(key, value);
  return valueFault ? { value: valueFault } : {};
}

export const EPOCH_HINT =
  'This looks like a time in milliseconds. Only dates such as 2026-11-21 can start automations.';
export const hintFor = (value: MetadataValue) => (looksLikeEpoch(value) ? EPOCH_HINT : undefined);
