import { MOST_ROWS_AT_ONCE } from '#shared/import-cells.ts';
import type { RowOutcome } from '#shared/member-import.ts';
import type { Batch } from './pass.ts';

type Row = Batch['rows'][number];
/** Rows that add or change members, of so many. */
export type Sample = { rows: Row[]; of: number };

// In UTF-16 code units, as for a batch.
const MOST_TEXT = 300_000;

/** Keeps as many of the rows as fit a call, each with the same chance (reservoir sampling). */
export function rowSample(random = Math.random) {
  const kept: Row[] = [];
  let of = 0;
  return {
    add(from: number, rows: Row[], results: RowOutcome[]) {
      for (const { row, status } of results) {
        const cells = rows[row - from];
        if (cells === undefined || (status !== 'created' && status !== 'updated')) continue;
        const place = of < MOST_ROWS_AT_ONCE ? of : Math.floor(random() * (of + 1));
        if (place < MOST_ROWS_AT_ONCE) kept[place] = cells;
        of++;
      }
    },
    drawn(): Sample {
      let text = 0;
      const rows = kept.filter(row => {
        text += JSON.stringify(row).length;
        return text < MOST_TEXT;
      });
      return { rows, of };
    },
  };
}
