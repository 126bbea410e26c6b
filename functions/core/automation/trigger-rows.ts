import * as triggers from '#core/recipient/trigger.ts';
import type { Table } from '#core/storage/table.store.ts';
import { MINUTE, MINUTES_OF_DAY } from '#shared/time.ts';

/** `column`: where an automation finds the dates of its members. */
export type Dates = { list: string; column: string };

/** All columns have been read up to the instant `readUntil`. */
type Page<D extends Dates> = { of: D; rows: triggers.Trigger[]; readUntil: Date };

// If there are many columns, most of them have one page. Pages that were read ahead are wasted if the caller stops.
const MOST_AT_ONCE = 8;

/**
 * Reads each row once, around the clock from an instant on. The next page is of the column that has been read least far, so
 * that all columns are equally far when the call runs out of time; pages of the columns after it are read meanwhile.
 */
export async function* rowsAroundClock<D extends Dates>(
  table: Table,
  columns: D[],
  from: Date,
): AsyncGenerator<Page<D>> {
  const start = Math.floor(from.getTime() / MINUTE);
  /** Minutes from the start to the instant at which a member's minute of the day comes next. */
  const minutesTo = (instant: Date) => {
    const minutes = (instant.getTime() / MINUTE - start) % MINUTES_OF_DAY;
    return minutes < 0 ? minutes + MINUTES_OF_DAY : minutes;
  };
  let unread: Unread<D>[] = columns.map(column => ({
    of: column,
    pages: pagesOf(table, column, start % MINUTES_OF_DAY),
    minutes: 0,
  }));
  try {
    while (unread.length > 0) {
      // The sort is stable: columns that are equally far keep their order.
      unread = unread.toSorted((a, b) => a.minutes - b.minutes);
      for (const column of unread.slice(0, MOST_AT_ONCE)) column.page ??= beginRead(column.pages);
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
    // Reads that are under way end before the generator does, even if the caller stops or a read fails.
    await Promise.allSettled(unread.map(({ page }) => page));
  }
}

type Rows = AsyncGenerator<triggers.Trigger[], undefined>;
type NextPage = ReturnType<Rows['next']>;
/** A column that is not read to its end, with its page that is being read. */
type Unread<D extends Dates> = { of: D; pages: Rows; minutes: number; page?: NextPage | undefined };

function beginRead(pages: Rows): NextPage {
  const page = pages.next();
  // A page that is read ahead may fail before it is awaited: without this, Node would end the process.
  page.catch(() => {});
  return page;
}

async function* pagesOf(table: Table, { list, column }: Dates, first: number): Rows {
  yield* triggers.triggersBetween(table, list, column, [first, MINUTES_OF_DAY]);
  if (first > 0) yield* triggers.triggersBetween(table, list, column, [0, first]);
}
