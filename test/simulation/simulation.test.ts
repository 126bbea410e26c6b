import { beforeAll, expect, it } from 'vitest';
import { extent } from '../support/prove.ts';
import { FAULTS } from './faults.ts';
import { runAll } from './runs.ts';
import { SITUATIONS } from './situations.ts';

// Some seeds that take little time.
const FROM = extent(3, 1);
const SEEDS = extent(3, 2_000);
/** Ends a simulation that hangs. */
const LONGEST = extent(600_000, 7_200_000);
let all: Awaited<ReturnType<typeof runAll>>;
beforeAll(async () => {
  all = await runAll({ from: FROM, count: SEEDS });
}, LONGEST);

it('whatever goes wrong, what must hold holds', () => {
  const { failed, seeds, runsWith } = all;
  expect(
    failed.map(({ seed, violations, error }) => ({ seed, error, violations: violations.slice(0, 3) })),
  ).toEqual([]);
  expect(seeds).toBe(SEEDS);
  const runs = new Map(runsWith);
  // Of a few seeds, some have no run with a certain fault.
  expect(FAULTS.filter(fault => runs.has(fault)).length).toBeGreaterThan(FAULTS.length / 3);
  const seldom = FAULTS.filter(fault => (runs.get(fault) ?? 0) < Math.floor(SEEDS / 20));
  expect(seldom).toEqual([]);
  expect(SITUATIONS.filter(one => SEEDS >= 500 && !runs.has(one))).toEqual([]);
});

it(
  'the same seed gives the same trace',
  async () => {
    const again = await runAll({ from: FROM, count: extent(1, 4), processes: 1 });
    const hashes = new Map(all.reports.map(({ seed, hash }) => [seed, hash]));
    expect(again.reports.length).toBeGreaterThan(0);
    for (const { seed, hash } of again.reports) expect([seed, hash]).toEqual([seed, hashes.get(seed)]);
    expect(new Set(hashes.values()).size).toBe(SEEDS);
  },
  LONGEST,
);
