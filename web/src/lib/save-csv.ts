import { csvOf } from '#shared/csv.ts';
import { saveFile } from './save-file.ts';

/** With a byte order mark, spreadsheets read a file as UTF-8. */
const MARK = '\ufeff';

export const csvFile = (parts: BlobPart[]) => new Blob([MARK, ...parts], { type: 'text/csv;charset=utf-8' });

/** Saves rows as a CSV file with this name. */
export const saveCsv = (name: string, rows: Parameters<typeof csvOf>[0]) =>
  saveFile(name, csvFile([csvOf(rows)]));
