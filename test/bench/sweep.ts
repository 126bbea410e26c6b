import { CROWDED, expectSent, type Mailing, mailing, ofFunction } from './mailing.ts';
import type { Product } from './product.ts';
import type { Line } from './report.ts';

// A row takes 59 bytes, and 8 KB are a read unit.
const PER_ROW = 59 / 8192;
// Of a sweep of a list with nobody due.
const FIXED = 5;

/** What one run of the sweep reads, of a list with a hundred members due, and of one with all of them due. */
export async function sweeping(product: Product, { caller, members, spread }: Mailing): Promise<Line[]> {
  const used = await mailing(product, caller, spread, CROWDED);
  expectSent(used, CROWDED.members);
  const sweep = ofFunction(used, 'Sweep');
  const of = `of ${members.toLocaleString('en-US')}`;
  return [
    { what: `${CROWDED.members} due ${of}: read units`, measured: sweep.read_units, budget: 4 },
    { what: `${CROWDED.members} due ${of}: write units`, measured: sweep.write_units },
  ];
}

/** What it reads where everybody is due. */
export const onePass = ({ read_units }: { read_units: number }, members: number): Line => ({
  what: `all of ${members.toLocaleString('en-US')} due at midnight: read units`,
  measured: read_units,
  budget: FIXED + members * PER_ROW,
});
