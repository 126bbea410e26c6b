import { DAY } from './time.ts';

export type MetadataValue = string | number | boolean;
export type Metadata = Record<string, MetadataValue>;
/** Keys to set. Null removes a key. */
export type MetadataChange = Record<string, MetadataValue | null>;

export const MOST_KEYS = 50;
/** One change of a member updates a counter for each date before and after it, all in one transaction. */
export const MOST_DATES = 40;
export const LONGEST_KEY = 64;
export const LONGEST_VALUE = 1024;
const MOST_METADATA_BYTES = 16 * 1024;

export const METADATA_TYPES = ['string', 'number', 'boolean', 'datetime'] as const;
export type MetadataEntry = { key: string; type: (typeof METADATA_TYPES)[number]; value: MetadataValue };

const KEY = /^[A-Za-z0-9_.-](?:[A-Za-z0-9_ .-]*[A-Za-z0-9_.-])?$/;

// A date in ISO 8601, or a date with a time. A space is read like the T. Without an offset it is UTC.
const DATETIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** Reads the instant of a date. Returns undefined for other text, `invalid` for a date that does not exist. */
export function readDatetime(text: string): Date | 'invalid' | undefined {
  const match = DATETIME.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(part => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const offset = offsetMinutes(match[7]);
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const exists =
    local.getUTCFullYear() === year &&
    local.getUTCMonth() === month - 1 &&
    local.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60;
  if (!exists || offset === undefined) return 'invalid';
  const instant = new Date(local.getTime() - offset * 60_000);
  const utcYear = instant.getUTCFullYear();
  return utcYear >= 1000 && utcYear <= 9999 ? instant : 'invalid';
}

/** Whether a text is a date without a time, which means midnight in UTC. */
export const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && readDatetime(text) instanceof Date;

/** Moves a time at midnight in UTC by a millisecond, so that only dates without a time are at midnight. */
export const timeAt = (instant: Date): Date =>
  instant.getTime() % DAY === 0 ? new Date(instant.getTime() + 1) : instant;

/** The instant of a date or a time in metadata. Returns undefined for other values. See `timeAt`. */
export function dateIn(value: MetadataValue | undefined): Date | undefined {
  if (typeof value !== 'string') return undefined;
  const instant = readDatetime(value);
  if (!(instant instanceof Date)) return undefined;
  return isDay(value) ? instant : timeAt(instant);
}

/** Whether an instant is a time in the first minute of a UTC day, and not a date without a time. */
export const isTimeAtMidnight = (instant: Date): boolean => {
  const time = ((instant.getTime() % DAY) + DAY) % DAY;
  return time > 0 && time < 60_000;
};

function offsetMinutes(zone = 'Z'): number | undefined {
  if (zone.toUpperCase() === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || 0);
  if (hours > 14 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

export const datetimesOf = (metadata: Metadata): [column: string, instant: Date][] =>
  Object.entries(metadata).flatMap(([key, value]): [string, Date][] => {
    const instant = dateIn(value);
    return instant ? [[key, instant]] : [];
  });

export function typeOf(value: MetadataValue): MetadataEntry['type'] {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return readDatetime(value) instanceof Date ? 'datetime' : 'string';
}

export const entriesOf = (metadata: Metadata): MetadataEntry[] =>
  Object.entries(metadata)
    .map(([key, value]) => ({ key, type: typeOf(value), value }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));

const RESERVED = ['__proto__', 'constructor', 'prototype'];

export function faultOf(key: string, value: unknown): string | undefined {
  if (key.length > LONGEST_KEY) return `A key must be at most ${LONGEST_KEY} characters`;
  if (RESERVED.includes(key)) return `A key must not be called ${key}`;
  if (!KEY.test(key)) {
    return 'A key must consist of letters from a to z, digits, spaces, dots, hyphens and underscores, and neither begin nor end with a space';
  }
  if (value === null || typeof value === 'boolean') return undefined;
  if (typeof value === 'number')
    return isStorable(value) ? undefined : 'This number cannot be kept exactly: send it as text';
  if (typeof value !== 'string') return 'A value must be text, a number, true or false';
  if (value.length > LONGEST_VALUE) return `A value must be at most ${LONGEST_VALUE} characters`;
  if (value.includes('\0')) return 'A value must not contain the NUL character';
  if (readDatetime(value) === 'invalid') return 'This date does not exist';
  return undefined;
}

/** Reserved: calls about members have fields of these names beside the metadata. */
const FIELDS = ['email', 'is_subscribed'];

/** An event sets the column that has its name. */
export function faultOfEvent(name: string): string | undefined {
  if (FIELDS.includes(name)) return `An event must not be called ${name}`;
  return faultOf(name, null)?.replace('A key', 'The name of an event');
}

// DynamoDB or JavaScript would round numbers beyond these.
const isStorable = (value: number) => {
  const size = Math.abs(value);
  return value === 0 || (size >= 1e-130 && size <= Number.MAX_SAFE_INTEGER);
};

// Timestamps in milliseconds from 2001 to 2096. Automations start at dates only, so such a number may be a mistake.
export const looksLikeEpoch = (value: unknown) =>
  /^\d{13}$/.test(String(value)) && Number(value) >= 1e12 && Number(value) < 4e12;

const bytesOf = (metadata: Metadata) => new TextEncoder().encode(JSON.stringify(metadata)).length;

const TOO_MANY_KEYS = `At most ${MOST_KEYS} keys of metadata can be kept`;

/** The fault of a change that is too large to be checked key by key: at most it may replace all keys by as many others. */
export const faultOfSize = (change: object): string | undefined =>
  Object.keys(change).length > 2 * MOST_KEYS ? TOO_MANY_KEYS : undefined;

export function wholeFaultOf(metadata: Metadata): string | undefined {
  if (Object.keys(metadata).length > MOST_KEYS) return TOO_MANY_KEYS;
  if (datetimesOf(metadata).length > MOST_DATES)
    return `At most ${MOST_DATES} values of metadata can be dates`;
  if (bytesOf(metadata) > MOST_METADATA_BYTES) {
    return `Metadata must be at most ${MOST_METADATA_BYTES / 1024} KB in all`;
  }
  return undefined;
}

export function changed(metadata: Metadata, change: MetadataChange): Metadata {
  const kept = Object.entries(metadata).filter(([key]) => !Object.hasOwn(change, key));
  const set = Object.entries(change).filter((entry): entry is [string, MetadataValue] => entry[1] !== null);
  return Object.fromEntries([...kept, ...set]);
}
