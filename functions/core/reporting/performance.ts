import * as rollup from '#core/sending/rollup.ts';
import { countedUntil } from '#core/storage/projection.ts';
import type { Table } from '#core/storage/table.store.ts';
import { amountOf } from '#shared/report/figures.ts';
import { dayAfter, type Range } from '#shared/report/range.ts';
import type { Performance } from '#shared/reporting.ts';
import { figuresOf } from './report.ts';

type Needs = { table: Table; now: Date };

/** As many as reports show unless another range is chosen. */
export const RECENT_DAYS = 30;

/** So many UTC days, of which today is the last one. */
export function lastDays(count: number, now: Date): Range {
  const end_date = now.toISOString().slice(0, 10);
  return { start_date: dayAfter(end_date, 1 - count), end_date };
}

/** What happened on each of the last days, of all combinations together. */
export async function performance(needs: Needs, organization: number): Promise<Performance> {
  const range = lastDays(RECENT_DAYS, needs.now);
  const [byDay, counted_until] = await Promise.all([
    sumsByDay(needs.table, organization, range),
    countedUntil(needs),
  ]);
  const dates = Array.from({ length: RECENT_DAYS }, (_, day) => dayAfter(range.start_date, day));
  return {
    ...range,
    days: dates.map(date => {
      const { sent, opened, clicked, value } = byDay.get(date) ?? rollup.noSums();
      return { date, sent, opened, clicked, value: amountOf(value) };
    }),
    totals: figuresOf(rollup.total(byDay.values())),
    counted_until,
  };
}

/** What the days of a short range add up to. */
export const totalOf = async (table: Table, organization: number, range: Range): Promise<rollup.Sums> =>
  rollup.total((await sumsByDay(table, organization, range)).values());

/** In one query: a range that is longer than a month is for a report, which reads it in parts. */
async function sumsByDay(
  table: Table,
  organization: number,
  { start_date, end_date }: Range,
): Promise<Map<string, rollup.Sums>> {
  const byDay = new Map<string, Map<string, rollup.Sums>>();
  const days = { from: start_date, to: end_date };
  await rollup.readInParts(table, organization, days, RECENT_DAYS, items => {
    for (const item of items) {
      const day = rollup.dayOf(item);
      const sums = byDay.get(day) ?? new Map<string, rollup.Sums>();
      byDay.set(day, sums);
      rollup.addTo(sums, item);
    }
  });
  return new Map([...byDay].map(([day, sums]) => [day, rollup.total(sums.values())]));
}
