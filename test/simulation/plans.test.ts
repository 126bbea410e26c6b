import { expect, it } from 'vitest';
import { extent, PROVE } from '../support/prove.ts';
import { comparePlans } from './plans.ts';

const FROM = extent(5, 2);
const SEEDS = extent(4, 330);
const DAYS = extent(2, 30);

it('what a plan promises of the next days is the difference that it makes', {
  // Ends a comparison that hangs.
  timeout: extent(600_000, 7_200_000),
}, async () => {
  const seeds = Array.from({ length: SEEDS }, (_, nth) => nth + FROM);
  const { differing, promised } = await comparePlans(seeds, DAYS);
  expect(differing).toEqual([]);
  // Otherwise they might agree only because nothing happens.
  expect(promised.plans).toBeGreaterThan(PROVE ? 200 : 1);
  expect(Math.min(promised.more, promised.fewer, promised.newly, promised.noLonger)).toBeGreaterThan(0);
});
