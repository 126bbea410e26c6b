import { MINUTE, MINUTES_OF_DAY } from '../../../../shared/time.ts';
import * as recipient from '../../recipient/recipient/recipient.ts';
import type { Table } from '../../storage/table.store.ts';

/** A list and the column in which an automation finds the dates of its members. */
export type Dates = { list: string; column: string };

/** Some rows of a column. Before the instant `readUntil`, nothing is missing of any column. */
export type Page<D extends Dates> = { of: D; rows: recipient.Trigger[]; readUntil: Date };

/**
 * All trigger rows of some columns, each once: once around the clock from the minute of an instant on. The next page is
 * always of the column that is least far, so that all of them end together where the time of a call runs out.
 */
export async function* rowsAroundClock<D extends Dates>(
  table: Table,
  columns: D[],
  from: Date,
): AsyncGenerator<Page<D>> {
  const start = Math.floor(from.getTime() / MINUTE);
  /** Minutes from the beginning to the instant at which a member's minute of the day comes next. */
  const minutesTo = (instant: Date) => {
    const minutes = (instant.getTime() / MINUTE - start) % MINUTES_OF_DAY;
    return minutes < 0 ? minutes + MINUTES_OF_DAY : minutes;
  };
  const unread = columns.map(of => ({ of, pages: pagesOf(table, of, start % MINUTES_OF_DAY), minutes: 0 }));
  while (unread.length > 0) {
    const next = unread.reduce((a, b) => (b.minutes < a.minutes ? b : a));
    const { value: rows = [], done } = await next.pages.next();
    const last = rows.at(-1);
    if (last) next.minutes = minutesTo(last.instant);
    if (done) unread.splice(unread.indexOf(next), 1);
    const minutes = Math.min(MINUTES_OF_DAY, ...unread.map(column => column.minutes));
    yield { of: next.of, rows, readUntil: new Date((start + minutes) * MINUTE) };
  }
}

async function* pagesOf(
  table: Table,
  { list, column }: Dates,
  first: number,
): AsyncGenerator<recipient.Trigger[], undefined> {
  yield* recipient.triggersBetween(table, list, column, [first, MINUTES_OF_DAY]);
  if (first > 0) yield* recipient.triggersBetween(table, list, column, [0, first]);
}
