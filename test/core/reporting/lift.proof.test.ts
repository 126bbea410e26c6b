import { expect, it } from 'vitest';
import { claims } from '#test/support/held-out.ts';

it.each([
  { percent: 5, people: 4_000, rate: 0.005 },
  { percent: 10, people: 2_000, rate: 0.05 },
  { percent: 50, people: 500, rate: 0.1 },
  { percent: 10, people: 1_000, rate: 0.01, amounts: 1, runs: 150 },
  { percent: 10, people: 1_000, rate: 0.01, amounts: 2, runs: 150 },
])(
  'of $people people with $percent% held out, at most 5% of runs claim a difference where there is none',
  world => {
    const runs = 400;
    expect(claims(runs, { ...world, days: 90 })).toBeLessThanOrEqual(runs * 0.05);
  },
);
