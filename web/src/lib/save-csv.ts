import { csvOf } from '../../../shared/csv.ts';
import { saveFile } from './save-file.ts';

/** Spreadsheets take a file for UTF-8 by its byte order mark. */
const MARK = '\ufeff';

export const csvFile = (parts: BlobPart[]) => new Blob([MARK, ...parts], { type: 'text/csv;charset=utf-8' });

/** Saves rows as a file of this name. */
export const saveCsv = (name: string, rows: Parameters<typeof csvOf>[0]) =>
  saveFile(name, csvFile([csvOf(rows)]));
