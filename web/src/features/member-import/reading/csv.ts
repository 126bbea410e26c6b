import Papa from 'papaparse';
import { plainOf } from '#shared/csv.ts';
import type { Encoding } from './encoding.ts';

/** Why a file cannot be imported, as a sentence for the user. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

export type Format = { encoding: Encoding; delimiter: string };

const MEGABYTE = 1024 * 1024;
const LONGEST_ROW = MEGABYTE;

export const bytesOf = async (file: Blob, from: number, to: number) =>
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

/** The delimiter of a file whose text begins with this sample. */
export function delimiterOf(sample: string): string {
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
