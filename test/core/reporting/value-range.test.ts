import { expect, it } from 'vitest';
import { extent } from '#test/support/prove.ts';
import { valueLooks } from '#test/support/value-looks.ts';

it.each([
  { people: 500, days: 60, rate: 0.01, amounts: 1 },
  { people: 500, days: 60, rate: 0.01, amounts: 2 },
  { people: 5_000, days: 30, rate: 0.005, amounts: 1.5 },
  // A few convert again and again.
  { people: 200, days: 90, rate: 0.02, amounts: 1, eagerness: 1.6 },
])(
  'of $people people whose amounts differ by $amounts, the range holds the true value of an email on all of $days days in at least 93% of runs',
  world => {
    const runs = extent(200, 1_000);
    const told = Array.from({ length: runs }, (_, seed) => valueLooks({ ...world, seed })).filter(
      ({ length }) => length > 0,
    );
    const held = told.filter(looks => looks.every(({ from, truly, to }) => from <= truly && truly <= to));
    expect(told.length).toBeGreaterThan(runs / 10);
    expect(held.length).toBeGreaterThanOrEqual(0.93 * told.length);
  },
);
