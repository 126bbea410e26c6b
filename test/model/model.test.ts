import { expect, it } from 'vitest';
import { extent } from '#test/support/prove.ts';
import { compareWorlds, describe } from './compare.ts';

it('the engine decides what the model describes, in random worlds', () => {
  const { results, different } = compareWorlds(1, extent(5_000, 100_000));
  expect(different.map(describe).join('\n\n')).toBe('');
  // So that worlds that grow too plain are noticed.
  expect(results.size).toBeGreaterThanOrEqual(13);
});
