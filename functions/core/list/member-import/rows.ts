import { IN_FILE_TWICE, readSubscribed, readSuppression, TWICE } from '#shared/import-cells.ts';
import type { CheckedRows, ImportColumn, RowError, RowOutcome } from '#shared/member-import.ts';
import type { Suppression } from '#shared/suppression.ts';
import * as listMember from '../list-member/rows.ts';

export type How = Pick<CheckedRows, 'columns' | 'mode' | 'as'>;

/** A valid row; `index` is its number in the file. */
export type ImportRow = listMember.Row & { suppression: Suppression | undefined };

type Texts = Record<string, string[]>;

/** How many errors of a row are returned and stored. */
const MOST_ERRORS = 2;

/** The valid rows, and the errors of the others. */
export function readImportRows({ columns, as }: How, from: number, rows: unknown[]) {
  const read = rows.map(row => readCells(columns, as, row));
  const members = read.map(one => ('member' in one ? one.member : null));
  const { rows: valid, rejected } = listMember.readRows(members);
  const errorsOf = new Map(rejected.map(({ index, errors = {} }) => [index, errors]));
  const accepted: ImportRow[] = [];
  const refused: RowOutcome[] = [];
  const byIndex = new Map(valid.map(row => [row.index, row]));
  for (const [index, one] of read.entries()) {
    const number = from + index;
    const row = byIndex.get(index);
    const errors = 'member' in one ? { ...one.errors, ...textsForFile(errorsOf.get(index)) } : one.errors;
    if (row && 'member' in one && Object.keys(errors).length === 0) {
      accepted.push({ ...row, index: number, suppression: one.suppression });
    } else refused.push(refusal(columns, number, errors));
  }
  return { accepted, refused };
}

export const refusal = (columns: ImportColumn[], row: number, errors: Texts): RowOutcome => ({
  row,
  status: 'rejected',
  errors: Object.entries(errors)
    .flatMap(([field, texts]) =>
      texts.map((reason): RowError => ({ column: nameOf(columns, field), reason })),
    )
    .slice(0, MOST_ERRORS),
});

/** The name of the column from which a field of a member was read. */
const nameOf = (columns: ImportColumn[], field: string) =>
  columns.find(({ to, key }) => field === (to === 'metadata' ? key : to))?.name ?? '';

type Read = { member: object; errors: Texts; suppression: Suppression | undefined } | { errors: Texts };

const NO_ROW = 'A row must be a list of texts, one for each column of the import';

function readCells(columns: ImportColumn[], as: How['as'], row: unknown): Read {
  if (row === TWICE) return { errors: { email: [IN_FILE_TWICE] } };
  const isRow = Array.isArray(row) && row.length === columns.length;
  if (!isRow || row.some(cell => typeof cell !== 'string')) return { errors: { row: [NO_ROW] } };
  const cells = row as string[];
  const cellOf = (target: ImportColumn['to']) => cells[columns.findIndex(({ to }) => to === target)] ?? '';
  const said = readSubscribed(cellOf('is_subscribed'));
  const named = readSuppression(cellOf('suppression'));
  const isSuppressed = as === 'bounce' || as === 'complaint';
  const suppression = named === 'invalid' ? undefined : (named ?? (isSuppressed ? as : undefined));
  const is_subscribed = suppression ? false : said === 'invalid' ? undefined : (said ?? as === 'subscribed');
  // An empty cell leaves the member's value as it is.
  const metadata = columns.flatMap(({ to, key = '' }, at): [string, string][] => {
    const cell = cells[at] ?? '';
    return to === 'metadata' && cell !== '' ? [[key, cell]] : [];
  });
  return {
    member: { ...Object.fromEntries(metadata), email: cellOf('email'), is_subscribed },
    suppression,
    errors: {
      ...(said === 'invalid' && { is_subscribed: ['Write true or false'] }),
      ...(named === 'invalid' && { suppression: ['Write bounce or complaint, or nothing'] }),
    },
  };
}

const IN_CALL_TWICE = /^This address is in the call twice/;

/** Replaces the error of a repeated address: the text of the public API speaks of a call, this one of a file. */
const textsForFile = (errors: Texts = {}): Texts =>
  Object.fromEntries(
    Object.entries(errors).map(([field, texts]) => [
      field,
      texts.map(text => (IN_CALL_TWICE.test(text) ? IN_FILE_TWICE : text)),
    ]),
  );
