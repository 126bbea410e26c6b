import { createHash } from 'node:crypto';
import type { Gain } from '#shared/reporting.ts';

export function getOrAdd<V>(map: Map<string, V>, key: string, create: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}

/** What was sent of a combination in a stratum, in which all emails have the same chance but for their content. */
export type Row = {
  stratum: string;
  /** The variants that it consists of, one of each part. */
  variants: string[];
  sent: number;
  hits: number;
  /** How much it counts, as older ones count less. */
  weight: number;
};

/** The logarithm of how many times as often as the average a variant is clicked, and how sure that is. */
type Effect = { mean: number; deviation: number };

/** The standard deviation of effects before anything is known. */
const PRIOR = 0.15;
const PASSES = 8;

/**
 * The effects of variants add up, and the rate of each stratum is free. It is fitted to the sums per variant, one part after
 * the other: with the present effects of all others, a part has so many expected hits.
 */
export function fittedEffects(rows: Row[]): Map<string, Effect> {
  const numbers = new Map<string, number>();
  const numberOf = (name: string) => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  };
  const strata = [...Map.groupBy(rows, ({ stratum }) => stratum).values()].map(ofStratum => ({
    hits: ofStratum.reduce((sum, { hits }) => sum + hits, 0),
    weight: ofStratum[0]?.weight ?? 0,
    variants: ofStratum.map(({ variants }) => variants.map(numberOf)),
    // How many hits it would have at a rate of 1.
    growths: Float64Array.from(ofStratum, ({ sent }) => sent),
  }));
  const [hits, expected, effects] = [0, 1, 2].map(() => new Float64Array(numbers.size)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  for (const row of rows) for (const name of row.variants) addTo(hits, numberOf(name), row.weight * row.hits);
  const parts = Math.max(0, ...strata.map(({ variants }) => variants[0]?.length ?? 0));
  for (let pass = 0; pass < PASSES; pass++)
    for (let part = 0; part < parts; part++) {
      const changed = new Set<number>();
      for (const one of strata) for (const variants of one.variants) changed.add(variants[part] ?? -1);
      for (const variant of changed) expected[variant] = 0;
      for (const { hits, weight, variants, growths } of strata) {
        const rate = (weight * hits) / growths.reduce((sum, growth) => sum + growth, 0);
        for (let row = 0; row < growths.length; row++)
          addTo(expected, variants[row]?.[part] ?? -1, rate * (growths[row] ?? 0));
      }
      const steps = new Float64Array(numbers.size);
      for (const variant of changed) {
        const effect = effects[variant] ?? 0;
        const slope = (hits[variant] ?? 0) - (expected[variant] ?? 0) - effect / PRIOR ** 2;
        const step = slope / ((expected[variant] ?? 0) + 1 / PRIOR ** 2);
        effects[variant] = effect + step;
        steps[variant] = Math.exp(step);
      }
      for (const { variants, growths } of strata)
        for (let row = 0; row < growths.length; row++)
          growths[row] = (growths[row] ?? 0) * (steps[variants[row]?.[part] ?? -1] ?? 1);
    }
  return new Map(
    [...numbers].map(([name, variant]) => [
      name,
      { mean: effects[variant] ?? 0, deviation: 1 / Math.sqrt((expected[variant] ?? 0) + 1 / PRIOR ** 2) },
    ]),
  );
}

function addTo(numbers: Float64Array, at: number, added: number): void {
  numbers[at] = (numbers[at] ?? 0) + added;
}

export const WHOLE = 1_000;
const FLOOR = 30;
const DRAWS = 1_000;

/** In thousandths: 3%, or a third of an equal share if that is less. */
export const floorOf = (variants: number) => Math.min(FLOOR, Math.ceil(WHOLE / (3 * variants)));

/**
 * In whole thousandths, how often each variant is the best one of its part (Thompson sampling), and at least the floor. The
 * same seed draws the same.
 */
export function drawnShares(
  variants: string[],
  effects: ReadonlyMap<string, Effect>,
  seed: string,
): Record<string, number> {
  const sorted = variants.toSorted();
  const normal = normals(seed);
  const wins = sorted.map(() => 0);
  const known = sorted.map(id => effects.get(id) ?? { mean: 0, deviation: PRIOR });
  for (let draw = 0; draw < DRAWS; draw++) {
    const values = known.map(({ mean, deviation }) => mean + deviation * normal());
    const best = values.indexOf(Math.max(...values));
    wins[best] = (wins[best] ?? 0) + 1;
  }
  const exact = raised(wins, floorOf(sorted.length));
  const shares = exact.map(Math.floor);
  const rest = WHOLE - shares.reduce((sum, share) => sum + share, 0);
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share - Math.floor(share) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of byRemainder.slice(0, rest)) shares[index] = (shares[index] ?? 0) + 1;
  return Object.fromEntries(sorted.map((id, index) => [id, shares[index] ?? 0]));
}

/** What is below the floor gets that, and the others have the rest in proportion. */
function raised(wins: number[], floor: number): number[] {
  let low = new Set<number>();
  for (;;) {
    const rest = wins.reduce((sum, won, index) => (low.has(index) ? sum : sum + won), 0);
    const scale = (WHOLE - floor * low.size) / rest;
    const found = new Set(
      [...wins.keys()].filter(index => low.has(index) || (wins[index] ?? 0) * scale < floor),
    );
    if (found.size === low.size) return wins.map((won, index) => (low.has(index) ? floor : won * scale));
    low = found;
  }
}

/** Normally distributed numbers, the same ones for the same seed. */
function normals(seed: string): () => number {
  let state = createHash('sha256').update(seed).digest().readUInt32BE(0);
  // Mulberry32: 32 bits of state are plenty for some thousand draws.
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Emails, and those of them that were clicked or converted after. */
export type Known = { sent: number; hits: number };

/** A gain of more than this is as unlikely as one standard deviation, before anything is known. */
const USUAL_GAIN = 0.2;
const ERROR = 0.05;
/** With fewer, or with a variance like theirs, nothing is said. */
export const LEAST_HITS = 20;

/**
 * Of the logarithm of a ratio, how much more that is, in a share of all. The interval holds at whichever day it is looked at (a
 * mixture of normal distributions; Robbins, 1970).
 */
export function rangeOf(log: number, variance: number, share = 1): Gain {
  const prior = USUAL_GAIN ** 2;
  const reach = Math.log(1 / ERROR) + Math.log((variance + prior) / variance) / 2;
  const half = Math.sqrt(((2 * variance * (variance + prior)) / prior) * reach);
  const gainAt = (ratio: number) => Number((share * Math.expm1(ratio)).toPrecision(4));
  return { estimate: gainAt(log), from: gainAt(log - half), to: gainAt(log + half) };
}

export type Sum = { total: number; variance: number };

export const isKnown = ({ total, variance }: Sum) => total !== 0 && total ** 2 >= LEAST_HITS * variance;

/** A range that holds on any day; null while too little is known. */
export function probably({ total, variance }: Sum): Gain | null {
  if (!isKnown({ total, variance })) return null;
  const { from, to } = rangeOf(0, variance / total ** 2);
  const ends = [total * (1 + from), total * (1 + to)];
  return { estimate: total, from: Math.min(...ends), to: Math.max(...ends) };
}

/** How many more clicks or conversions all emails got than they would have at equal shares, which those at equal shares tell. */
export function gainOf({ equal, weighted }: Record<'equal' | 'weighted', Known>): Gain | null {
  if (Math.min(equal.hits, weighted.hits) < LEAST_HITS) return null;
  const log = Math.log(weighted.hits / weighted.sent / (equal.hits / equal.sent));
  const share = weighted.sent / (weighted.sent + equal.sent);
  return rangeOf(log, 1 / weighted.hits + 1 / equal.hits, share);
}
