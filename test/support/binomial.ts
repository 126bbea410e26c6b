import type { Random } from '../simulation/random.ts';

/** The number of successes in a series of trials, by inversion. Exact but for rounding; fast if there are few successes. */
export function binomial(random: Random, trials: number, chance: number): number {
  // With more trials, the chance of no success at all is too small for a number.
  const most = Math.floor(500 / chance);
  if (trials > most) return binomial(random, most, chance) + binomial(random, trials - most, chance);
  const odds = chance / (1 - chance);
  let left = random.next();
  let probability = (1 - chance) ** trials;
  let successes = 0;
  while (left > probability && successes < trials) {
    left -= probability;
    successes++;
    probability *= (odds * (trials - successes + 1)) / successes;
  }
  return successes;
}
