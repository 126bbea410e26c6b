import type { Random } from '../simulation/random.ts';

/** How many of the trials succeed, by inversion: exact but for rounding, as fast as there are few successes. */
export function binomial(random: Random, trials: number, chance: number): number {
  // Beyond this the chance of no success at all is too small for a number.
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
