import { normalizeAddress } from '#shared/address.ts';
import { csvOf } from '#shared/csv.ts';
import { MOST_ROWS_AT_ONCE, TWICE } from '#shared/import-cells.ts';
import type { ImportColumn, RowError } from '#shared/member-import.ts';
import { readDatetime } from '#shared/metadata.ts';
import { type FileColumn, importedCells } from './columns.ts';
import { type Format, rowsOf } from './csv.ts';

/** A row as it is sent: its cells, or a marker if its address is in an earlier row. */
type SentRow = string[] | typeof TWICE;
export type Batch = { from: number; rows: SentRow[] };
export type Refused = { row: number; errors: RowError[] };

export type RefusedCell = RowError & { row: number; value: string };

/** Of a column of dates: how many values are no dates, and the first of them. */
export type UnreadDates = { column: string; count: number; samples: string[] };

// In UTF-16 code units, of at most three bytes each: a body may have a megabyte.
const MOST_TEXT = 300_000;

/** A pass through a file, batch by batch. The rows of the last batch are kept until the next one is read. */
export class Pass {
  readonly #columns: ImportColumn[];
  readonly #email: number;
  readonly #source: AsyncGenerator<string[][]>;
  readonly #seen = new Set<string>();
  readonly #earlier: Map<number, RowError[]>;
  #read: string[][] = [];
  #at = 0;
  #next: number;
  #last: { from: number; rows: string[][] } = { from: 1, rows: [] };
  #refused: string[] = [];
  readonly #unread: (UnreadDates | undefined)[];

  constructor(
    file: Blob,
    format: Format & { hasHeader: boolean; columns: FileColumn[] },
    columns: ImportColumn[],
    earlier: Refused[] = [],
  ) {
    this.#columns = columns;
    this.#email = columns.findIndex(({ to }) => to === 'email');
    this.#source = rowsOf(file, format);
    this.#next = format.hasHeader ? 0 : 1;
    this.#unread = columns.map(({ position, to, name, key = name }) =>
      to === 'metadata' && format.columns[position]?.dates
        ? { column: key, count: 0, samples: [] }
        : undefined,
    );
    this.#earlier = new Map(earlier.map(({ row, errors }) => [row, errors]));
  }

  async #row(): Promise<string[] | undefined> {
    while (this.#at === this.#read.length) {
      const { value, done } = await this.#source.next();
      if (done) return undefined;
      this.#read = value;
      this.#at = 0;
    }
    return this.#read[this.#at++];
  }

  /** A row whose address is in an earlier row is not stored, as only the user can say which of them is right. */
  #sent(row: string[]): SentRow {
    const cells = importedCells(this.#columns, row);
    const address = normalizeAddress(cells[this.#email] ?? '');
    if (address === undefined) return cells;
    if (this.#seen.has(address)) return TWICE;
    this.#seen.add(address);
    this.#countUnread(cells);
    return cells;
  }

  #countUnread(cells: string[]) {
    for (const [at, unread] of this.#unread.entries()) {
      const cell = cells[at] ?? '';
      // In ISO 8601, a date that does not exist is refused with its row.
      if (!unread || cell === '' || readDatetime(cell) !== undefined) continue;
      unread.count++;
      const sample = cell.slice(0, LONGEST_SHOWN);
      const { samples } = unread;
      if (samples.length < MOST_SAMPLES && !samples.includes(sample)) samples.push(sample);
    }
  }

  unreadDates(): UnreadDates[] {
    return this.#unread.flatMap(unread => (unread && unread.count > 0 ? [unread] : []));
  }

  /** The next rows from this number on. Earlier rows are only read for their addresses. Undefined at the end of the file. */
  async next(from: number): Promise<Batch | undefined> {
    if (this.#next > from) throw new Error(`Row ${from} was read before`);
    const rows: SentRow[] = [];
    const read: string[][] = [];
    for (let text = 0; rows.length < MOST_ROWS_AT_ONCE && text < MOST_TEXT; ) {
      const row = await this.#row();
      if (!row) break;
      const number = this.#next++;
      if (number === 0) {
        this.#refused.push(csvOf([[...row, ERROR]]));
        continue;
      }
      const sent = this.#sent(row);
      if (number < from) {
        const errors = this.#earlier.get(number);
        if (errors) this.#refuse(row, errors);
        continue;
      }
      rows.push(sent);
      read.push(row);
      text += JSON.stringify(sent).length;
    }
    this.#last = { from, rows: read };
    return rows.length > 0 ? { from, rows } : undefined;
  }

  /** Keeps the refused rows of the last batch. Returns their values in the columns that the errors name. */
  refuse(refused: Refused[]): RefusedCell[] {
    return refused.flatMap(({ row, errors }) => {
      const cells = this.#last.rows[row - this.#last.from] ?? [];
      this.#refuse(cells, errors);
      const valueIn = ({ column }: RowError) => {
        const position = this.#columns.find(({ name }) => name === column)?.position;
        return (position === undefined ? undefined : cells[position]) ?? '';
      };
      return errors.map(error => ({ ...error, row, value: valueIn(error).slice(0, LONGEST_SHOWN) }));
    });
  }

  #refuse(cells: string[], errors: RowError[]) {
    const text = errors.map(({ column, reason }) => (column ? `${column}: ${reason}` : reason)).join('; ');
    this.#refused.push(csvOf([[...cells, text]]));
  }

  refusedFile(): Blob {
    return new Blob(['\ufeff', ...this.#refused], { type: 'text/csv;charset=utf-8' });
  }
}

const ERROR = 'Import error';
const LONGEST_SHOWN = 80;
const MOST_SAMPLES = 3;
