// A spreadsheet takes what begins with one of these for a formula, after apostrophes for the text of one:
// https://owasp.org/www-community/attacks/CSV_Injection
const FORMULA = /^'*[=+\-@\t\r\n]/;
const NEUTRALIZED = /^'+[=+\-@\t\r\n]/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const QUOTED = /[",\r\n]/;

/** A text that begins like a formula gets an apostrophe, which spreadsheets do not show. A number stays one. */
const neutralized = (text: string) => (FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text);

/** What stood in a cell before it was neutralized. */
export const plainOf = (cell: string) => (NEUTRALIZED.test(cell) ? cell.slice(1) : cell);

type Cell = string | number | boolean;

function cellOf(value: Cell): string {
  const text = neutralized(String(value));
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as CSV (RFC 4180). */
export const csvOf = (rows: Cell[][]): string => rows.map(row => `${row.map(cellOf).join(',')}\r\n`).join('');
