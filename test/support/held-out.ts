import { liftOf, sumsOf } from '#core/reporting/lift.ts';
import { randomOf } from './allocated.ts';

type World = {
  seed: number;
  people: number;
  percent: number;
  days: number;
  /** How often a person does it in a day, on average. */
  rate: number;
  /** How many times as often those who are not held out do it. */
  effect?: number;
  /** The standard deviation of the logarithm of amounts; without it, things are only counted. */
  amounts?: number;
};

const PARTS = 10;

/** Looks at the lift on each day. Most people do little, and some do it again and again. */
export function looks({ seed, people, percent, days, rate, effect = 1, amounts }: World) {
  const { uniform, poisson, normal } = randomOf(seed);
  const world = Array.from({ length: people }, () => {
    const isHeld = uniform() * 100 < percent;
    const eagerness = Math.exp(1.2 * normal() - 0.72);
    return { isHeld, part: Math.floor(uniform() * PARTS), rate: rate * eagerness * (isHeld ? 1 : effect) };
  });
  const groups = [true, false].map(isHeld => ({
    of: world.filter(one => one.isHeld === isHeld),
    parts: Array<number>(PARTS).fill(0),
    values: [] as number[],
  }));
  return Array.from({ length: days }, () => {
    for (const { of, parts, values } of groups)
      for (const one of of)
        for (let times = poisson(one.rate); times > 0; times--) {
          parts[one.part] = (parts[one.part] ?? 0) + 1;
          if (amounts !== undefined) values.push(Math.exp(amounts * normal()));
        }
    const counts = groups.map(({ parts }) => sumsOf(parts)) as [Sums, Sums];
    if (amounts === undefined) return liftOf(...counts, percent).lift;
    const all = groups.flatMap(({ values }) => values).sort((a, b) => a - b);
    const bound = all[Math.ceil(all.length * 0.99) - 1] ?? 0;
    const [held, others] = groups.map(({ parts, values }) => {
      const bounded = values.map(value => Math.min(value, bound));
      const total = sum(bounded);
      return { total, parts, noise: sum(bounded.map(value => value ** 2)) / total ** 2 };
    }) as [Sums, Sums];
    return liftOf(held, others, percent, counts).lift;
  });
}

type Sums = ReturnType<typeof sumsOf>;
const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);

/** In how many runs some look claims a difference. */
export const claims = (runs: number, world: Omit<World, 'seed'>) =>
  Array.from({ length: runs }, (_, seed) => looks({ ...world, seed })).filter(found =>
    found.some(lift => lift !== null && (lift.from > 0 || lift.to < 0)),
  ).length;
