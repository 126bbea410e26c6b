import type { Metadata } from './metadata.ts';

export const UTC = 'UTC';

/** Old name to new: what one runtime has stored under either name must be found by the next. */
const RENAMED: Record<string, string> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Louisville': 'America/Kentucky/Louisville',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};
const nameNow = (zone: string) => RENAMED[zone] ?? zone;

export const TIME_ZONES: readonly string[] = [
  ...new Set([...Intl.supportedValuesOf('timeZone').map(nameNow), UTC]),
].sort();

const NAMES = new Map(TIME_ZONES.map(zone => [zone.toLowerCase(), zone]));

// A name without a slash may be a country or an abbreviation: Japan, EST.
const NAME = /^[A-Za-z][\w+-]*(?:\/[A-Za-z][\w+-]*){1,2}$/;
const OTHER_NAMES_OF_UTC = ['etc/utc', 'etc/gmt', 'etc/uct', 'etc/zulu', 'etc/universal', 'etc/greenwich'];

const known = new Map<string, string | undefined>();
const MOST_KNOWN = 10_000;

/** Reads the time zone that a text names, under the name that the product uses. Returns undefined if it names none. */
export function readTimeZone(text: string): string | undefined {
  const written = text.trim();
  const name = written.toLowerCase();
  if (NAMES.has(name)) return NAMES.get(name);
  if (written.length > 64 || !NAME.test(written)) return undefined;
  if (!known.has(name)) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(name, OTHER_NAMES_OF_UTC.includes(name) ? UTC : offeredName(written));
  }
  return known.get(name);
}

/** The used name for an older or another name of a zone: US/Pacific, Asia/Calcutta. */
function offeredName(name: string): string | undefined {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return NAMES.get(nameNow(timeZone).toLowerCase());
  } catch {
    return undefined;
  }
}

/** The time zone of a member: that of the first metadata column, by name, that has one. */
export function timeZoneOf(metadata: Metadata): string | undefined {
  for (const column of Object.keys(metadata).sort()) {
    const value = metadata[column];
    const zone = typeof value === 'string' ? readTimeZone(value) : undefined;
    if (zone !== undefined) return zone;
  }
  return undefined;
}

export const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
