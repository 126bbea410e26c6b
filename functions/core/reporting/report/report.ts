import * as rollup from '#core/counters/rollup.store.ts';
import type { Active } from '#core/organization/organization.ts';
import { countedUntil } from '#core/storage/lag.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { CombinationsQuery, CombinationsReport } from '#shared/reporting.ts';
import { described } from './described.ts';
import { figuresOf, sorted } from './figures.ts';
import { fitting, tooMuch } from './size.ts';

type Needs = {
  table: Table;
  now: Date;
  /** Whether there is time for another read. */
  hasTime: () => boolean;
};

/** What happened to all combinations in a range of days. */
export async function report(
  needs: Needs,
  active: Active,
  { start_date, end_date, sort_by, sort_direction }: CombinationsQuery,
): Promise<CombinationsReport> {
  const organization = active.organization.id;
  const [sums, counted_until] = await Promise.all([
    sumsOf(needs, organization, { from: start_date, to: end_date }),
    countedUntil(needs),
  ]);
  const all = [...sums].map(([id, sums]) => ({ id, sums }));
  const shown = sorted(all, sort_by, sort_direction).slice(0, MOST_DESCRIBED);
  const descriptions = await described(
    needs.table,
    active,
    shown.map(({ id }) => id),
  );
  const { rows, asset_names, texts_cut_at } = fitting(
    descriptions.map((one, at) => ({ ...one, ...figuresOf(shown[at]?.sums ?? rollup.noSums()) })),
  );
  return {
    ...{
      start_date,
      end_date,
      sort: { by: sort_by, direction: sort_direction },
      combinations: rows,
      asset_names,
    },
    totals: figuresOf(rollup.total(sums.values())),
    ...{ left_out: all.length - rows.length, texts_cut_at, counted_until },
  };
}

const MOST_DESCRIBED = 5_000;

// A longer range is read in parts of so many days, in parallel.
const DAYS_OF_PART = 92;

/** What the days of a range add up to, by combination. */
async function sumsOf(
  { table, hasTime }: Needs,
  organization: number,
  days: rollup.Days,
): Promise<Map<string, rollup.Sums>> {
  const sums = new Map<string, rollup.Sums>();
  await rollup.readInParts(table, organization, days, DAYS_OF_PART, items => {
    for (const item of items) rollup.addTo(sums, item);
    if (!hasTime()) throw tooMuch();
  });
  return sums;
}
