const CELL = /"((?:[^"]|"")*)"(,|\r\n|$)|([^",\r\n]*)(,|\r\n|$)/y;

export const linesIn = (file = '') => rowsIn(file).map(row => row.join());

/** Parses a CSV file strictly by RFC 4180, after its byte order mark if it has one. */
export function rowsIn(file: string): string[][] {
  const csv = file.replace(/^\ufeff/, '');
  const rows: string[][] = [];
  let row: string[] = [];
  for (CELL.lastIndex = 0; CELL.lastIndex < csv.length; ) {
    const found = CELL.exec(csv);
    if (!found) throw new Error('This is no CSV');
    const [, quoted, afterQuoted, plain = '', afterPlain] = found;
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if ((afterQuoted ?? afterPlain) === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
