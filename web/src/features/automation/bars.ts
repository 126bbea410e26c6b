/** A span of time with the number of emails in it. */
export type Bar = {
  key: string;
  name: string;
  /** The label below the bar, if there is room. */
  tick: string;
  count: number;
  /** The number of skipped emails, shown on top of the bar. */
  skipped?: number;
};

export type Heights = { min: number; max: number };

/** The height in pixels: relative to the highest bar, but never too low to be seen. */
export const barHeight = (count: number, busiest: number, { min, max }: Heights) =>
  count === 0 ? 0 : Math.max(min, Math.round((count / busiest) * max));

export const heightOf = ({ count, skipped = 0 }: Bar) => count + skipped;

/** The first of the highest bars; undefined if all are empty. */
export function busiestOf(bars: readonly Bar[]): Bar | undefined {
  const busiest = bars.reduce<Bar | undefined>(
    (most, bar) => (most && heightOf(most) >= heightOf(bar) ? most : bar),
    undefined,
  );
  return busiest && heightOf(busiest) > 0 ? busiest : undefined;
}
