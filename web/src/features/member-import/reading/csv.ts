import Papa from 'papaparse';
import { plainOf } from '#shared/csv.ts';
import {
  MOST_FILE_BYTES,
  MOST_FILE_COLUMNS,
  MOST_FILE_MEGABYTES,
  MOST_IMPORT_ROWS,
} from '#shared/import-cells.ts';
import { type FileColumn, fileColumns, hasNoHeader } from './columns.ts';

export type ReadFile = Format & {
  name: string;
  size: number;
  fingerprint: string;
  hasHeader: boolean;
  columns: FileColumn[];
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

export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

export type Format = { encoding: Encoding; delimiter: string };

const MEGABYTE = 1024 * 1024;
const LONGEST_ROW = MEGABYTE;

const bytesOf = async (file: Blob, from: number, to: number) =>
  new Uint8Array(await file.slice(from, to).arrayBuffer());

/** The text of a file, part by part, without splitting a character. */
async function* textOf(file: Blob, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for (let from = 0; from < file.size; from += MEGABYTE) {
    const isLast = from + MEGABYTE >= file.size;
    yield decoder.decode(await bytesOf(file, from, from + MEGABYTE), { stream: !isLast });
  }
}

/** Converts line ends to those of Unix, except within quotation marks. */
function lineEnds() {
  let isQuoted = false;
  // A line end that is split by the end of a part becomes two. That adds an empty row, which is skipped.
  return (text: string): string =>
    text.replace(/"|\r\n?/g, found => {
      if (found === '"') isQuoted = !isQuoted;
      return found === '"' || isQuoted ? found : '\n';
    });
}

const DELIMITERS = [',', ';', '\t', '|'];
const SAMPLE_ROWS = 20;

function delimiterOf(sample: string): string {
  const { data, meta } = Papa.parse<string[]>(lineEnds()(sample), {
    preview: SAMPLE_ROWS,
    skipEmptyLines: 'greedy',
    delimitersToGuess: DELIMITERS,
    newline: '\n',
  });
  if (data.some(row => row.length > 1)) return meta.delimiter;
  // Papa Parse needs two rows that agree. For a shorter file, the header decides.
  const [header = ''] = sample.split(/[\r\n]/, 1);
  const counts = DELIMITERS.map(delimiter => header.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** The rows of a file with their cells, several at a time. Empty rows are skipped. */
export async function* rowsOf(file: Blob, { encoding, delimiter }: Format): AsyncGenerator<string[][]> {
  const ended = lineEnds();
  let rest = '';
  let read = 0;
  let count = 0;
  for await (const text of textOf(file, encoding)) {
    read = Math.min(read + MEGABYTE, file.size);
    const isLast = read === file.size;
    const input = rest + ended(text);
    const { data, meta } = new Papa.Parser({ delimiter, newline: '\n' }).parse(input, 0, !isLast) as {
      data: string[][];
      meta: { cursor: number };
    };
    rest = input.slice(meta.cursor);
    if (rest.length > LONGEST_ROW) {
      throw new Unreadable(
        `After row ${count + data.length} there is a row of more than 1 MB. A quotation mark there probably has no end: correct it, and choose the file again.`,
      );
    }
    count += data.length;
    const rows = data.map(row => row.map(cleanCell)).filter(row => row.some(cell => cell !== ''));
    if (rows.length > 0) yield rows;
  }
}

const ZERO_WIDTH = /[\u200b\u2060\ufeff]/g;

/** Trims all kinds of white space, and undoes the escaping of an export. */
const cleanCell = (cell: string): string =>
  cell === '' ? cell : plainOf(cell.replace(ZERO_WIDTH, '').trim());

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const MARKS: [Encoding, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

const markedEncoding = (bytes: Uint8Array): Encoding | undefined =>
  MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];

/** Checks, part by part, whether bytes are UTF-8. A file in another encoding is read as windows-1252. */
function utf8Check() {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isUtf8 = true;
  return (bytes: Uint8Array, isLast: boolean): boolean => {
    try {
      if (isUtf8) decoder.decode(bytes, { stream: !isLast });
    } catch {
      isUtf8 = false;
    }
    return isUtf8;
  };
}

const SIGNATURES: [name: string, bytes: number[]][] = [
  ['an Excel or zip file', [0x50, 0x4b, 0x03, 0x04]],
  ['an old Excel file', [0xd0, 0xcf, 0x11, 0xe0]],
  ['a PDF', [0x25, 0x50, 0x44, 0x46]],
  ['a compressed file', [0x1f, 0x8b]],
];

/** The name of a file format that is not text; undefined if the file may be text. */
function notText(bytes: Uint8Array): string | undefined {
  const named = SIGNATURES.find(([, signature]) => signature.every((byte, at) => bytes[at] === byte))?.[0];
  if (named) return named;
  const isWide = markedEncoding(bytes)?.startsWith('utf-16');
  return !isWide && bytes.includes(0) ? 'not a text file' : undefined;
}
