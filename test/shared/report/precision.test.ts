import { expect, it } from 'vitest';
import { precision } from '#shared/report/precision.ts';

it.each([
  // Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
  // The same the other way round.
  [20, 20, 0.8389, 1],
])('%d of %d: the rate is between %d and %d', (count, sent, low, high) => {
  const interval = precision(count, sent);
  expect(interval.low).toBeCloseTo(low, 4);
  expect(interval.high).toBeCloseTo(high, 4);
});

it('of nothing sent, nothing is known', () => {
  expect(precision(0, 0)).toEqual({ low: 0, high: 1 });
});

it('no interval leaves 0 to 1, or leaves its rate out', () => {
  for (const sent of [1, 2, 3, 10, 1_000, 1_000_000])
    for (const count of [0, 1, Math.floor(sent / 2), sent]) {
      const { low, high } = precision(count, sent);
      expect([0 <= low, low <= count / sent, count / sent <= high, high <= 1]).not.toContain(false);
    }
});
