import { MINUTE, MINUTES_OF_DAY } from '../../../../shared/time.ts';
import * as recipient from '../../recipient/recipient/recipient.ts';
import type { Table } from '../../storage/table.store.ts';

/** A list and the column in which an automation finds the dates of its members. */
export type Dates = { list: string; column: string };

/** Some rows of a column. Before the instant `readUntil`, nothing is missing of any column. */
export type Page<D extends Dates> = { of: D; rows: recipient.Trigger[]; readUntil: Date };

// Of many columns, most have one page. What is read ahead of where a caller stops is read for nothing.
const MOST_AT_ONCE = 8;

/**
 * All trigger rows of some columns, each once: once around the clock from the minute of an instant on. The next page is
 * always of the column that is least far, so that all of them end together where the time of a call runs out; the pages of
 * the columns after it are read meanwhile.
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
  let unread: Unread<D>[] = columns.map(of => ({
    of,
    pages: pagesOf(table, of, start % MINUTES_OF_DAY),
    minutes: 0,
  }));
  try {
    while (unread.length > 0) {
      // Those that are equally far stay in their order.
      unread = unread.toSorted((a, b) => a.minutes - b.minutes);
      for (const column of unread.slice(0, MOST_AT_ONCE)) column.page ??= begun(column.pages);
      const [next] = unread as [Unread<D>];
      const { value: rows = [], done } = (await next.page) ?? {};
      next.page = undefined;
      const last = rows.at(-1);
      if (last) next.minutes = minutesTo(last.instant);
      if (done) unread.splice(unread.indexOf(next), 1);
      const minutes = Math.min(MINUTES_OF_DAY, ...unread.map(column => column.minutes));
      yield { of: next.of, rows, readUntil: new Date((start + minutes) * MINUTE) };
    }
  } finally {
    // Nothing goes on behind the back of a caller who stops, or of a failure.
    await Promise.allSettled(unread.map(({ page }) => page));
  }
}

type Rows = AsyncGenerator<recipient.Trigger[], undefined>;
type NextPage = ReturnType<Rows['next']>;
/** A column with the page that is being read of it. */
type Unread<D extends Dates> = { of: D; pages: Rows; minutes: number; page?: NextPage | undefined };

function begun(pages: Rows): NextPage {
  const page = pages.next();
  // A read ahead may fail before it is awaited. Node would end the process; whoever awaits it still gets the error.
  page.catch(() => {});
  return page;
}

async function* pagesOf(
  table: Table,
  { list, column }: Dates,
  first: number,
): AsyncGenerator<recipient.Trigger[], undefined> {
  yield* recipient.triggersBetween(table, list, column, [first, MINUTES_OF_DAY]);
  if (first > 0) yield* recipient.triggersBetween(table, list, column, [0, first]);
}
