import { normalizeAddress } from '#shared/address.ts';
import type { DateOrder, Target } from '#shared/import-cells.ts';
import type { ImportColumn } from '#shared/member-import.ts';
import { faultOf, LONGEST_KEY, MOST_KEYS, readDatetime } from '#shared/metadata.ts';
import { isoReadings } from '#shared/written-date.ts';

/** The format of those values of a column that look like dates. */
export type Dates = {
  /** The number of dates in ISO 8601, which automations can start at. */
  iso: number;
  /** The number of dates in other formats. */
  others: number;
  example: string;
  /** The orders of day and month that fit all of them; empty if some fit none. */
  orders: DateOrder[];
};

/** A column of a file, with its probable target. */
export type FileColumn = {
  position: number;
  name: string;
  values: string[];
  dates: Dates | undefined;
  to: Target | 'ignored';
  key: string;
  /** The key as the file has it, if another one is proposed. */
  ownKey?: string;
};

const EMAIL = /^(e[-_ ]?mail|mail)([-_ ]?(address|adresse|adress))?$|^(address|adresse|correo|courriel)$/i;
const KNOWN = new Map<string, Target | 'ignored'>([
  ['is_subscribed', 'is_subscribed'],
  ['suppression', 'suppression'],
  ['created_at', 'ignored'],
]);

const EXAMPLES = 3;

export function fileColumns(names: string[], rows: string[][]): FileColumn[] {
  const email = emailPosition(names, rows);
  const taken = new Set<string>();
  return names.map((name, position) => {
    const values = rows.flatMap(row => (row[position] ? [row[position]] : []));
    const known = KNOWN.get(name.trim().toLowerCase());
    const isUsed = values.length > 0 || name !== '';
    const wanted = position === email ? 'email' : isUsed ? known : 'ignored';
    const key = wanted === undefined ? freeKey(name, position, taken) : '';
    const fits = wanted !== undefined || taken.size < MOST_KEYS;
    if (key && fits) taken.add(key);
    return {
      position,
      name: name || `Column ${position + 1}`,
      key,
      dates: datesIn(values),
      values: [...new Set(values)].slice(0, EXAMPLES),
      to: wanted ?? (fits ? 'metadata' : 'ignored'),
    };
  });
}

/** The column with a name for email addresses, else the one that has the most addresses. */
function emailPosition(names: string[], rows: string[][]): number {
  const addresses = names.map(
    (_, at) => rows.filter(row => normalizeAddress(row[at] ?? '') !== undefined).length,
  );
  const named = names.findIndex(name => EMAIL.test(name.trim()));
  if ((addresses[named] ?? 0) > 0) return named;
  const most = Math.max(0, ...addresses);
  return most === 0 ? named : addresses.indexOf(most);
}

/** Whether the first row of a file is a row like the others. */
export const hasNoHeader = (first: string[]) => first.some(cell => normalizeAddress(cell) !== undefined);

/** Makes a metadata key of the name of a column. It differs from the keys of all columns before. */
function freeKey(name: string, position: number, taken: Set<string>): string {
  const plain = keyFrom(name) || `Column ${position + 1}`;
  for (let number = 1; ; number++) {
    const key = number === 1 ? plain : `${plain.slice(0, LONGEST_KEY - 5)} ${number}`;
    if (isFree(key, taken)) return key;
  }
}

const isFree = (key: string, taken: Set<string>) =>
  !taken.has(key) && faultOf(key, '') === undefined && !['email', 'is_subscribed'].includes(key);

const WORDS = /^(?:[A-Za-z][a-z0-9]*|[A-Z0-9]+)(?: (?:[A-Za-z][a-z0-9]*|[A-Z0-9]+))*$/;

/** `first_name` for First Name, as placeholders are usually written. Keys that the list has already stay. */
export function withUsualKeys(columns: FileColumn[], known: string[]): FileColumn[] {
  const taken = new Set(columns.map(({ key }) => key));
  return columns.map(column => {
    const key = column.key.toLowerCase().replaceAll(' ', '_');
    if (!WORDS.test(column.key) || known.includes(column.key) || !isFree(key, taken)) return column;
    taken.add(key);
    return { ...column, key, ownKey: column.key };
  });
}

const keyFrom = (name: string) =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_ .-]+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .slice(0, LONGEST_KEY)
    .trim();

// In a column of numbers, a few may look like dates.
const LEAST_SHARE = 0.5;

function datesIn(values: string[]): Dates | undefined {
  const iso = values.filter(value => readDatetime(value) instanceof Date);
  const others = values.filter(value => isoReadings(value).length > 0);
  const count = iso.length + others.length;
  if (count === 0 || count < LEAST_SHARE * values.length) return undefined;
  const orders = (['month_first', 'day_first'] as const).filter(order =>
    others.every(value => isoDate(value, order) !== undefined),
  );
  return { iso: iso.length, others: others.length, example: others[0] ?? iso[0] ?? '', orders };
}

const NUMERIC = /^\s*(?:\p{L}+[.,]?\s+)?(\d{1,2})([/.-])(\d{1,2})\2\d{4}/u;

/** Converts a written date to ISO 8601, with this order if day and month are both numbers; undefined if it is not a date. */
export function isoDate(text: string, order: DateOrder): string | undefined {
  const readings = isoReadings(text);
  const [, first = '', , second = ''] = NUMERIC.exec(text) ?? [];
  if (!first) return readings[0];
  const [month, day] = order === 'month_first' ? [first, second] : [second, first];
  const begin = `-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return readings.find(iso => iso.slice(4, 10) === begin);
}

// Longer than any accepted text, so that such texts are still refused for their length.
const LONGEST_CELL = 1_100;

/** Cuts a cell. Half of a surrogate pair cannot be sent, so it is removed. */
const cut = (cell: string) =>
  cell.length > LONGEST_CELL ? cell.slice(0, LONGEST_CELL).replace(/[\ud800-\udbff]$/, '') : cell;

/** The imported cells of a row. Dates are converted to ISO 8601 if the user has chosen that. */
export const importedCells = (columns: ImportColumn[], row: string[]): string[] =>
  columns.map(({ position, dates }) => {
    const cell = row[position] ?? '';
    return cut((dates && isoDate(cell, dates)) ?? cell);
  });
