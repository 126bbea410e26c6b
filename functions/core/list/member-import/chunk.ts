import { ROW_STATUSES, type RowError, type RowOutcome } from '#shared/member-import.ts';

/** The outcomes of the rows of one call, packed: a byte for each row, and each distinct text once. */
export type PackedOutcomes = {
  statuses: Uint8Array;
  texts: RowError[];
  /** For each error the position of the row in the call, and that of the text: two bytes each. */
  errors: Uint8Array;
};

const STAYS = 0x80;
const ERROR_BYTES = 4;

export function packed(outcomes: RowOutcome[]): PackedOutcomes {
  const statuses = Buffer.alloc(outcomes.length);
  const places = new Map<string, number>();
  const texts: RowError[] = [];
  const errors: [row: number, text: number][] = [];
  for (const [at, { status, stays_unsubscribed, errors: found = [] }] of outcomes.entries()) {
    statuses[at] = ROW_STATUSES.indexOf(status) | (stays_unsubscribed ? STAYS : 0);
    for (const error of found) {
      const text = JSON.stringify(error);
      const place = places.get(text) ?? texts.push(error) - 1;
      places.set(text, place);
      errors.push([at, place]);
    }
  }
  const bytes = Buffer.alloc(errors.length * ERROR_BYTES);
  for (const [index, [row, text]] of errors.entries()) {
    bytes.writeUInt16BE(row, index * ERROR_BYTES);
    bytes.writeUInt16BE(text, index * ERROR_BYTES + 2);
  }
  return { statuses, texts, errors: bytes };
}

/** Unpacks the outcomes of rows, of which `from` is the number of the first. */
export function unpacked({ statuses, texts, errors }: PackedOutcomes, from: number): RowOutcome[] {
  const byRow = Map.groupBy(errorsIn({ texts, errors }, from), ({ row }) => row);
  return [...Buffer.from(statuses)].map((byte, at): RowOutcome => {
    const row = from + at;
    const found = byRow.get(row)?.map(({ column, reason }) => ({ column, reason }));
    const status = ROW_STATUSES[byte & ~STAYS] ?? 'unchanged';
    return {
      row,
      status,
      ...(byte & STAYS && { stays_unsubscribed: true as const }),
      ...((found || status === 'rejected') && { errors: found ?? [] }),
    };
  });
}

export function errorsIn({ texts, errors }: Pick<PackedOutcomes, 'texts' | 'errors'>, from: number) {
  const bytes = Buffer.from(errors);
  return Array.from({ length: bytes.length / ERROR_BYTES }, (_, index) => ({
    row: from + bytes.readUInt16BE(index * ERROR_BYTES),
    ...(texts[bytes.readUInt16BE(index * ERROR_BYTES + 2)] ?? { column: '', reason: '' }),
  }));
}
