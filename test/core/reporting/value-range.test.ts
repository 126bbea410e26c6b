import { expect, it } from 'vitest';
import { rangeOfValue } from '#core/reporting/report.ts';
import { bounded, boundOf, classOf, PARTS } from '#core/sending/amounts.ts';
import { amountOf, unitsOf } from '#shared/report/figures.ts';
import { randomOf } from '#test/support/allocated.ts';
import { extent } from '#test/support/prove.ts';

it('amounts that are alike vary as their number does; above the bound they count as that', () => {
  const four = { amounts: classOf(100), count: 4, units: 400 };
  expect(bounded([four], 1_000)).toEqual({ total: 400, noise: 1 / 4 });
  expect(bounded([four, { amounts: classOf(900), count: 1, units: 900 }], 100)).toEqual({
    total: 500,
    noise: 1 / 5,
  });
});

it('there is no range where some of the value names no email', () => {
  const [value, bound] = [4_000, 100];
  const all = Array.from({ length: PARTS }, (_, part) => ({
    amounts: classOf(100),
    part,
    count: 4,
    units: 400,
  }));
  const named = 400 * PARTS;
  expect(rangeOfValue(all, { sent: 10_000, value: named }, bound)).not.toBeNull();
  expect(rangeOfValue(all, { sent: 10_000, value: named + value }, bound)).toBeNull();
});

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

type World = {
  seed: number;
  people: number;
  days: number;
  /** How often an email leads to a conversion, on average. */
  rate: number;
  /** The standard deviation of the logarithm of amounts. */
  amounts: number;
  /** That of how often people convert. */
  eagerness?: number;
};

/**
 * Looks at the range of the value of an email on each day: everybody gets one, and some convert again and again. Returns the
 * ranges with what an email brings in truly, of all people there might be, amounts above the bound counted as that.
 */
function valueLooks({ seed, people, days, rate, amounts, eagerness = 1.2 }: World) {
  const { uniform, normal } = randomOf(seed);
  const chanceOf = (one: number) => Math.min(1, rate * Math.exp(eagerness * one - eagerness ** 2 / 2));
  const amountAt = (one: number) => 10 * Math.exp(amounts * one);
  const world = Array.from({ length: people }, () => ({
    part: Math.floor(uniform() * PARTS),
    chance: chanceOf(normal()),
  }));
  const counts = new Map<string, { amounts: number; part: number; count: number; units: number }>();
  let [sent, value] = [0, 0];
  return Array.from({ length: days }, () => {
    for (const { part, chance } of world) {
      sent++;
      if (uniform() > chance) continue;
      const units = unitsOf(amountAt(normal()));
      value += units;
      const one = { amounts: classOf(units), part };
      const known = counts.get(`${one.amounts} ${part}`) ?? { ...one, count: 0, units: 0 };
      counts.set(`${one.amounts} ${part}`, { ...known, count: known.count + 1, units: known.units + units });
    }
    const all = [...counts.values()];
    const bound = boundOf(all) ?? null;
    const range = rangeOfValue(all, { sent, value }, bound);
    if (!range || bound === null) return null;
    return { ...range, truly: mean(chanceOf) * mean(one => Math.min(amountOf(bound), amountAt(one))) };
  }).filter(look => look !== null);
}

const STEP = 0.02;
const REACH = 7;
const NORMAL = Array.from({ length: (2 * REACH) / STEP + 1 }, (_, nth) => {
  const value = nth * STEP - REACH;
  return { value, weight: (STEP * Math.exp((-value * value) / 2)) / Math.sqrt(2 * Math.PI) };
});

/** Of a function of a number that is normally distributed. */
const mean = (of: (normal: number) => number) =>
  NORMAL.reduce((sum, { value, weight }) => sum + weight * of(value), 0);
