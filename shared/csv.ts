// A spreadsheet takes a text for a formula if it begins with one of these characters, also after spaces and apostrophes, and
// after what it takes for a separator: https://owasp.org/www-community/attacks/CSV_Injection
const FORMULA = /^['\s]*[=+\-@＝＋－＠]|^'*[\t\r\n]|[;\t|]['"\s]*[=+\-@＝＋－＠]/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

const isFormula = (text: string) => FORMULA.test(text) && !NUMBER.test(text);

export const plainOf = (cell: string) => (cell.startsWith("'") && isFormula(cell) ? cell.slice(1) : cell);

type Cell = string | number | boolean;

/** Quoted, whatever separator a spreadsheet expects; an apostrophe stands before a formula. */
function cellOf(value: Cell): string {
  const text = String(value);
  return `"${isFormula(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
}

/** Writes rows as CSV (RFC 4180). */
export const csvOf = (rows: Cell[][]): string => rows.map(row => `${row.map(cellOf).join(',')}\r\n`).join('');
