/** Steps of a scale that are easy to read: 1, 2 or 5 times a power of ten. */
const STEPS = [1, 2, 5, 10];

/** The ticks of a scale of whole numbers: from 0 to at least `most`, with about `lines` of them. */
export function ticksTo(most: number, lines = 4): number[] {
  const rough = Math.max(1, most) / lines;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, (STEPS.find(one => one * power >= rough) ?? 10) * power);
  const count = Math.ceil(Math.max(1, most) / step);
  return Array.from({ length: count + 1 }, (_, nth) => nth * step);
}

/** The height of a bar in pixels: in proportion to `most`, but never too low to be seen. */
export const barHeight = (value: number, most: number, { min, max }: { min: number; max: number }) =>
  value === 0 ? 0 : Math.max(min, Math.round((value / most) * max));
