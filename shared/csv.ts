// A spreadsheet takes a text for a formula if it begins with one of these characters, also after apostrophes:
// https://owasp.org/www-community/attacks/CSV_Injection
const FORMULA = /^'*[=+\-@\t\r\n]/;
const NEUTRALIZED = /^'+[=+\-@\t\r\n]/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const QUOTED = /[",\r\n]/;

/** Puts an apostrophe, which spreadsheets hide, before a text that begins like a formula. Numbers stay as they are. */
const neutralized = (text: string) => (FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text);

export const plainOf = (cell: string) => (NEUTRALIZED.test(cell) ? cell.slice(1) : cell);

type Cell = string | number | boolean;

function cellOf(value: Cell): string {
  const text = neutralized(String(value));
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Writes rows as CSV (RFC 4180). */
export const csvOf = (rows: Cell[][]): string => rows.map(row => `${row.map(cellOf).join(',')}\r\n`).join('');
