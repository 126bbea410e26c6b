// A spreadsheet takes what begins with one of these for a formula, also in full width, and after apostrophes for the text of
// one. One that expects semicolons begins a cell after each, and a row in the middle of a quoted cell:
// https://owasp.org/www-community/attacks/CSV_Injection
const FORMULA = /(?<=^|[;\r\n])(?='*[=+\-@\t＝＋－＠])|^(?='*[\r\n])/g;
const NEUTRALIZED = /(?<=^|[;\r\n])'(?='*[=+\-@\t＝＋－＠])|^'(?='*[\r\n])/g;
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const QUOTED = /[",\r\n]/;

/** What begins like a formula gets an apostrophe, which spreadsheets do not show. A number stays one. */
const neutralized = (text: string) => (NUMBER.test(text) ? text : text.replace(FORMULA, "'"));

/** What stood in a cell before it was neutralized. */
export const plainOf = (cell: string) => cell.replace(NEUTRALIZED, '');

type Cell = string | number | boolean;

function cellOf(value: Cell): string {
  const text = neutralized(String(value));
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as CSV (RFC 4180). */
export const csvOf = (rows: Cell[][]): string => rows.map(row => `${row.map(cellOf).join(',')}\r\n`).join('');
