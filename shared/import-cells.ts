import { SUPPRESSIONS, type Suppression } from './suppression.ts';

// Without zod, as the worker that reads files loads this module.

export const MOST_ROWS_AT_ONCE = 500;
export const MOST_IMPORT_ROWS = 500_000;
const MEGABYTE = 1024 * 1024;
export const MOST_FILE_MEGABYTES = 100;
export const MOST_FILE_BYTES = MOST_FILE_MEGABYTES * MEGABYTE;
/** How many columns a file may have. At most 50 become metadata. */
export const MOST_FILE_COLUMNS = 1_000;

/** Sent instead of the cells of a row if an earlier row of the file has the same address. */
export const TWICE = 'twice';
export const IN_FILE_TWICE = 'This address is in an earlier row of the file too';

/** What a column can be imported as. A file has at most one column for each, except for metadata. */
export const TARGETS = ['email', 'is_subscribed', 'suppression', 'metadata'] as const;
export type Target = (typeof TARGETS)[number];

/** The order of day and month in dates that are not in ISO 8601. */
export const DATE_ORDERS = ['month_first', 'day_first'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

const TRUE = ['true', 'yes', 'y', '1', 'subscribed', 'active'];
const FALSE = ['false', 'no', 'n', '0', 'unsubscribed', 'inactive'];

/** Reads the subscription of a cell. Returns undefined if it is empty, `invalid` if it cannot be read. */
export function readSubscribed(cell: string): boolean | undefined | 'invalid' {
  const word = cell.trim().toLowerCase();
  if (word === '') return undefined;
  return TRUE.includes(word) || (FALSE.includes(word) ? false : 'invalid');
}

const SUPPRESSION_WORDS = new Map<string, Suppression>([
  ...SUPPRESSIONS.map((name): [string, Suppression] => [name, name]),
  ['complained', 'complaint'],
  ['spam', 'complaint'],
  ['bounced', 'bounce'],
]);

export function readSuppression(cell: string): Suppression | undefined | 'invalid' {
  const word = cell.trim().toLowerCase();
  return word === '' ? undefined : (SUPPRESSION_WORDS.get(word) ?? 'invalid');
}
