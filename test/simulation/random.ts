/** Pseudo-random numbers from a seed (mulberry32): the same seed gives the same numbers. */
export type Random = ReturnType<typeof randomFrom>;

export function randomFrom(seed: number) {
  let state = seed >>> 0;

  /** From 0 (included) to 1 (excluded). */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const int = (until: number) => Math.floor(next() * until);
  const pick = <T>(choices: readonly T[]): T => {
    if (choices.length === 0) throw new Error('There is nothing to pick from');
    return choices[int(choices.length)] as T;
  };

  return {
    next,
    /** An integer from 0 (included) to the given one (excluded). */
    int,
    /** An integer in a range, both ends included. */
    between: (from: number, to: number) => from + int(to - from + 1),
    chance: (probability: number) => next() < probability,
    pick,
    /** A choice by weight. */
    weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
      let left = next() * choices.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, choice] of choices) {
        left -= weight;
        if (left < 0) return choice;
      }
      return pick(choices)[1];
    },
    shuffle<T>(items: readonly T[]): T[] {
      const shuffled = [...items];
      for (let at = shuffled.length - 1; at > 0; at--) {
        const other = int(at + 1);
        [shuffled[at], shuffled[other]] = [shuffled[other] as T, shuffled[at] as T];
      }
      return shuffled;
    },
    bytes: (count: number) => Uint8Array.from({ length: count }, () => int(256)),
    /** An independent sequence of numbers: drawing from it does not change this one. */
    fork: (name: string) => randomFrom(hash(name, seed)),
  };
}

/** FNV-1a, 32 bits. */
export function hash(text: string, basis = 0x811c9dc5): number {
  let value = basis;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
