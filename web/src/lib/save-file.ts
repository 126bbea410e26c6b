import { csvOf } from '#shared/csv.ts';

export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  Object.assign(link, { href: url, download: name });
  link.click();
  // By then the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

const LONGEST_NAME = 80;

/** A text as part of a file name that is valid on every system. */
export const fileNameOf = (text: string) =>
  text
    .replace(/[^\p{L}\p{N}@+_. -]+/gu, '-')
    .replace(/^[. -]+|[. -]+$/g, '')
    .slice(0, LONGEST_NAME) || 'export';

export const today = () => new Date().toISOString().slice(0, 10);

/** With a byte order mark, spreadsheets read a file as UTF-8. */
const MARK = '\ufeff';

export const csvFile = (parts: BlobPart[]) => new Blob([MARK, ...parts], { type: 'text/csv;charset=utf-8' });

/** The most rows of a file whose pages are in memory until it is saved. */
export const MOST_EXPORTED = 50_000;

export const saveCsv = (name: string, rows: Parameters<typeof csvOf>[0]) =>
  saveFile(name, csvFile([csvOf(rows)]));
