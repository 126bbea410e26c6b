import { CROWDED, expectSent, type Mailing, mailing, ofFunction } from './mailing.ts';
import type { Product } from './product.ts';
import type { Line } from './report.ts';

// A row takes 65 bytes: 59, and `#00:00`, as the date has a time, which is midnight. A page of rows is rounded up to the next
// 4 KB, half a read unit.
const ROWS_PER_PAGE = 5_000;
const unitsOf = (rows: number) => Math.ceil((rows * 65) / 4096) / 2;
// What a run reads, with whether the operator has stopped all sending, though its automation was switched on a moment ago.
const STEADY = 4.5;
// Of a sweep of a list with nobody due.
const FIXED = 5.5;

/** What one run of the sweep reads, of a list with a hundred members due, and of one with all of them due. */
export async function sweeping(product: Product, { caller, members, spread }: Mailing): Promise<Line[]> {
  const used = await mailing(product, caller, spread, CROWDED);
  expectSent(used, CROWDED.members);
  const sweep = ofFunction(used, 'Sweep');
  const of = `of ${members.toLocaleString('en-US')}`;
  return [
    { what: `${CROWDED.members} due ${of}: read units`, measured: sweep.read_units, budget: STEADY },
    { what: `${CROWDED.members} due ${of}: write units`, measured: sweep.write_units },
  ];
}

/** What the runs read where everybody is due: the first one, and those of later minutes if sending takes longer. */
export const onePass = (
  { read_units, runs }: { read_units: number; runs: number },
  members: number,
): Line => ({
  what: `all of ${members.toLocaleString('en-US')} due at midnight: read units`,
  measured: read_units,
  budget:
    FIXED +
    (runs - 1) * STEADY +
    Math.floor(members / ROWS_PER_PAGE) * unitsOf(ROWS_PER_PAGE) +
    unitsOf(members % ROWS_PER_PAGE),
});
