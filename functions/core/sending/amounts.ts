/** Who does something, does it again: how much the tenths of people differ says how much chance there is. */
export const PARTS = 10;
export const partOf = (hash: string) => (Buffer.from(hash, 'base64url')[0] ?? 0) % PARTS;

/** Amounts of a class differ by less than half, so that a few numbers say how they are distributed. */
const CLASSES_BY_DOUBLING = 2;
export const classOf = (units: number) => Math.floor(CLASSES_BY_DOUBLING * Math.log2(Math.max(1, units)));
const topOf = (amounts: number) => 2 ** ((amounts + 1) / CLASSES_BY_DOUBLING);

/** How many amounts of a class there were, and their sum in ten-thousandths. */
export type Amounts = { amounts: number; count: number; units: number };

const QUANTILE = 0.99;

/** Amounts above the one that 99% of all do not exceed count as that one. */
export function boundOf(all: Amounts[]): number | undefined {
  const counts = new Map<number, number>();
  for (const { amounts, count } of all) counts.set(amounts, (counts.get(amounts) ?? 0) + count);
  const enough = [...counts.values()].reduce((sum, count) => sum + count, 0) * QUANTILE;
  let counted = 0;
  for (const [amounts, count] of [...counts].sort(([a], [b]) => a - b)) {
    counted += count;
    if (count > 0 && counted >= enough) return topOf(amounts);
  }
  return undefined;
}

/** `noise`: the variance of the total by its square, where each thing happens by itself. */
export function bounded(all: Amounts[], bound: number): { total: number; noise: number } {
  let [total, squares] = [0, 0];
  for (const { count, units } of all) {
    if (count === 0) continue;
    const each = Math.min(units / count, bound);
    total += count * each;
    squares += count * each ** 2;
  }
  return { total, noise: squares / total ** 2 };
}

/** How many times as large as by chance alone the differences are, where the same people do it again and again. */
export function dispersionOf(groups: { total: number; parts: number[] }[]): number {
  const chi = groups.flatMap(({ total, parts }) =>
    total > 0 ? parts.map(count => (count - total / PARTS) ** 2 / (total / PARTS)) : [],
  );
  return Math.max(1, chi.reduce((sum, one) => sum + one, 0) / (groups.length * (PARTS - 1)));
}
