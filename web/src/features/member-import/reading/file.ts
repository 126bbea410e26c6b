import {
  MOST_FILE_BYTES,
  MOST_FILE_COLUMNS,
  MOST_FILE_MEGABYTES,
  MOST_IMPORT_ROWS,
} from '#shared/import-cells.ts';
import { type FileColumn, fileColumns, hasNoHeader } from './columns.ts';
import { bytesOf, delimiterOf, type Format, rowsOf, Unreadable } from './csv.ts';
import { markedEncoding, notText, utf8Check } from './encoding.ts';

/** What is known about a file after it was read completely. */
export type ReadFile = Format & {
  name: string;
  size: number;
  fingerprint: string;
  hasHeader: boolean;
  columns: FileColumn[];
  /** Its first rows. */
  preview: string[][];
  rows: number;
};

const PIECE = 4 * 1024 * 1024;
const SAMPLE_BYTES = 256 * 1024;
const SAMPLED = 1_000;
const PREVIEWED = 5;

type Named = Blob & { name: string };

/** Reads a file twice: its bytes for encoding and fingerprint, then its rows. `onProgress` gets the share that was read. */
export async function readFile(file: Named, onProgress: (share: number) => void): Promise<ReadFile> {
  if (file.size === 0)
    throw new Unreadable('This file is empty. Choose a file with a header and at least one row.');
  if (file.size > MOST_FILE_BYTES) {
    const megabytes = Math.ceil(file.size / 1024 / 1024);
    throw new Unreadable(
      `This file has ${megabytes} MB, and at most ${MOST_FILE_MEGABYTES} MB can be imported. Split it into smaller files.`,
    );
  }
  const start = await bytesOf(file, 0, SAMPLE_BYTES);
  const kind = notText(start);
  if (kind) throw new Unreadable(`This is ${kind}. Save the table as CSV, and choose that file.`);
  const { isUtf8, fingerprint } = await readBytes(file, share => onProgress(share / 2));
  const encoding = markedEncoding(start) ?? (isUtf8 ? 'utf-8' : 'windows-1252');
  const delimiter = delimiterOf(new TextDecoder(encoding).decode(start));
  const format = { encoding, delimiter };
  const table = await readRows(file, format, share => onProgress(0.5 + share / 2));
  return { ...format, ...table, fingerprint, name: file.name, size: file.size };
}

async function readBytes(file: Blob, onProgress: (share: number) => void) {
  const check = utf8Check();
  const hashes: Uint8Array[] = [];
  let isUtf8 = true;
  for (let from = 0; from < file.size; from += PIECE) {
    const piece = await bytesOf(file, from, from + PIECE);
    hashes.push(new Uint8Array(await crypto.subtle.digest('SHA-256', piece)));
    isUtf8 = check(piece, from + PIECE >= file.size);
    onProgress(Math.min(1, (from + PIECE) / file.size));
  }
  return { isUtf8, fingerprint: await fingerprintOf(hashes) };
}

/** The hash of the hashes of its pieces, so the file is never in memory as a whole. */
async function fingerprintOf(hashes: Uint8Array[]): Promise<string> {
  const all = await new Blob(hashes as Uint8Array<ArrayBuffer>[]).arrayBuffer();
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', all));
  return [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
}

async function readRows(file: Blob, format: Format, onProgress: (share: number) => void) {
  const sample: string[][] = [];
  let count = 0;
  for await (const rows of rowsOf(file, format)) {
    sample.push(...rows.slice(0, Math.max(0, SAMPLED + 1 - sample.length)));
    count += rows.length;
    if (count > MOST_IMPORT_ROWS + 1) {
      throw new Unreadable(
        `This file has more than ${MOST_IMPORT_ROWS.toLocaleString('en-US')} rows. Split it into smaller files.`,
      );
    }
    onProgress(Math.min(1, count / MOST_IMPORT_ROWS));
  }
  const [first] = sample;
  if (!first)
    throw new Unreadable('This file has no rows. Choose a file with a header and at least one row.');
  const hasHeader = !hasNoHeader(first);
  const data = hasHeader ? sample.slice(1) : sample;
  const rows = hasHeader ? count - 1 : count;
  if (rows === 0)
    throw new Unreadable('This file has a header, but no rows below it. There is nothing to import.');
  const width = Math.max(...sample.map(row => row.length));
  if (width > MOST_FILE_COLUMNS) {
    throw new Unreadable(
      `This file has ${width} columns, and at most ${MOST_FILE_COLUMNS} can be read. Remove some of them.`,
    );
  }
  const names = Array.from({ length: width }, (_, at) => (hasHeader ? (first[at] ?? '') : ''));
  return {
    hasHeader,
    columns: fileColumns(names.map(shortened), data),
    preview: data.slice(0, PREVIEWED),
    rows,
  };
}

const LONGEST_NAME = 200;
const shortened = (name: string) => name.replaceAll(/\s+/g, ' ').slice(0, LONGEST_NAME);
