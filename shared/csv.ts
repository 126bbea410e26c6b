// A spreadsheet takes what begins with one of these for a formula:
// https://owasp.org/www-community/attacks/CSV_Injection
const FORMULA = /^[=+\-@\t\r\n]/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const QUOTED = /[",\r\n]/;

/** A text that begins like a formula gets an apostrophe, which spreadsheets do not show. A number stays one. */
const neutral = (text: string) => (FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text);

function cellOf(value: string | number): string {
  const text = neutral(String(value));
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as CSV (RFC 4180). */
export const csvOf = (rows: (string | number)[][]): string =>
  rows.map(row => `${row.map(cellOf).join(',')}\r\n`).join('');
