import { csvOf } from '../../../shared/csv.ts';

/** Spreadsheets take a file for UTF-8 by its byte order mark. */
const MARK = '\ufeff';

/** Saves rows as a file of this name. */
export function saveCsv(name: string, rows: (string | number)[][]): void {
  const url = URL.createObjectURL(new Blob([MARK, csvOf(rows)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  Object.assign(link, { href: url, download: name });
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
