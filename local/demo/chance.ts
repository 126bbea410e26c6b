import { createHash } from 'node:crypto';

// Another seed gives the same people another history.
const SEED = 'letterflow';

/** A pseudorandom number from 0 up to 1, always the same for the same names. */
export const chance = (...names: (string | number)[]): number =>
  createHash('sha256')
    .update([SEED, ...names].join('\n'))
    .digest()
    .readUInt32BE() /
  2 ** 32;

export function pick<T>(from: readonly T[], ...names: (string | number)[]): T {
  return from[Math.floor(chance(...names) * from.length)] as T;
}
