import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { extent } from '../support/prove.ts';
import { FAULTS } from './faults.ts';
import { PLANTED } from './planted.ts';
import { runAll } from './runs.ts';

const SEEDS = extent(12, 2_000);
/** Ends a simulation that hangs. */
const LONGEST = extent(600_000, 7_200_000);

it(
  'whatever goes wrong, what must hold holds',
  async () => {
    const { failed, seeds, runsWith } = await runAll({ from: 1, count: SEEDS });
    expect(
      failed.map(({ seed, violations, error }) => ({ seed, error, violations: violations.slice(0, 3) })),
    ).toEqual([]);
    expect(seeds).toBe(SEEDS);
    const runs = new Map(runsWith);
    // Of a few seeds, some have no run with a certain fault.
    const seldom = FAULTS.filter(fault => (runs.get(fault) ?? 0) < Math.floor(SEEDS / 20));
    expect(seldom).toEqual([]);
  },
  LONGEST,
);

it(
  'the same seed gives the same trace',
  async () => {
    const seeds = { from: 7, count: 4 };
    const [first, second] = await Promise.all([
      runAll({ ...seeds, processes: 1 }),
      runAll({ ...seeds, processes: 1 }),
    ]);
    expect(first.reports.map(({ hash }) => hash)).toEqual(second.reports.map(({ hash }) => hash));
    expect(new Set(first.reports.map(({ hash }) => hash)).size).toBe(seeds.count);
  },
  LONGEST,
);

it.each(PLANTED)('the planted fault has its place in the product: $name', ({ file, find }) => {
  expect(readFileSync(file, 'utf8').split(find)).toHaveLength(2);
});
