import { expect, it } from 'vitest';
import { WARM_UP_STEPS } from '#shared/warm-up.ts';
import { extent } from '#test/support/prove.ts';
import { compareWorlds, describe } from './compare.ts';
import { differencesOfGuard } from './guard.ts';
import { STEPS } from './warm-ups.ts';

it('the engine decides what the model describes, in random worlds', () => {
  const { results, different } = compareWorlds(1, extent(5_000, 100_000));
  expect(different.map(describe).join('\n\n')).toBe('');
  // So that worlds that grow too plain are noticed.
  expect(results.size).toBeGreaterThanOrEqual(15);
  expect(STEPS).toEqual(WARM_UP_STEPS);
});

it('the guard finds what its rule describes, in random hours', () => {
  const { results, different } = differencesOfGuard(1, extent(1_000, 100_000));
  expect(different.join('\n')).toBe('');
  expect(results.size).toBe(13);
});
