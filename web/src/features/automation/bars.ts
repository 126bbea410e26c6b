/** A part of a time with what is counted in it. */
export type Bar = {
  key: string;
  name: string;
  /** What stands below it, where there is room. */
  tick: string;
  count: number;
  /** What does not happen, on top of it. */
  skipped?: number;
};

export type Heights = { min: number; max: number };

/** In pixels: scaled to the busiest one, and never too low to be seen. */
export const barHeight = (count: number, busiest: number, { min, max }: Heights) =>
  count === 0 ? 0 : Math.max(min, Math.round((count / busiest) * max));

export const heightOf = ({ count, skipped = 0 }: Bar) => count + skipped;

/** The first of the highest ones; undefined where all are empty. */
export function busiestOf(bars: readonly Bar[]): Bar | undefined {
  const busiest = bars.reduce<Bar | undefined>(
    (most, bar) => (most && heightOf(most) >= heightOf(bar) ? most : bar),
    undefined,
  );
  return busiest && heightOf(busiest) > 0 ? busiest : undefined;
}
