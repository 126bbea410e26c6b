const CELL = /"((?:[^"]|"")*)"(,|\r\n|$)|([^",\r\n]*)(,|\r\n|$)/y;

/** Parses a CSV file strictly by RFC 4180. */
export function rowsIn(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (CELL.lastIndex = 0; CELL.lastIndex < csv.length; ) {
    const [, quoted, afterQuoted, plain = '', afterPlain] = CELL.exec(csv) ?? [];
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if ((afterQuoted ?? afterPlain) === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
