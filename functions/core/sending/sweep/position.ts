import type { Interval } from '../../automation/due/due.ts';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;

/** How far the sweep has come with an organization: all that is due before it is queued. */
export type Position = {
  /** The first minute of which something is missing. */
  from: Date;
  /** Where some of a span is queued already. */
  within?: Within | undefined;
};

/** What a run stores of an organization that is behind. */
export type Mark = Position & {
  /** When that run began: it knows nothing of what was switched on later. */
  seen: Date;
};

/** Up to which row the span is read that ends before `until`: the columns in their order, each with its delays of copies. */
export type Within = { until: Date; column: string; delay: number; after: string };

/** One hour of the day at most, so that its rows are in one piece. */
export function spanAt({ from, within }: Position, until: Date): Interval {
  const hour = (Math.floor(from.getTime() / HOUR) + 1) * HOUR;
  return { from, until: within?.until ?? new Date(Math.min(hour, until.getTime())) };
}

/** Where to begin so that nothing is left out that fell due in the minute of an instant, or after it. */
export function noLaterThan(instant: Date | undefined, position: Position): Position {
  const { from, within } = position;
  const minute = new Date(Math.floor((instant?.getTime() ?? Number.NaN) / MINUTE) * MINUTE);
  if (minute < from) return { from: minute };
  // Of a part of the span it is not known what was there when it was read.
  return within && minute < within.until ? { from } : position;
}

export const isDone = ({ from }: Position, until: Date) => from >= until;

/** The oldest first; of the same minute, those of which nothing is queued. */
export const byAge = (a: Position, b: Position): number =>
  a.from.getTime() - b.from.getTime() || Number(Boolean(a.within)) - Number(Boolean(b.within));

/** The beginning of the latest minute in which nothing can fall due any more. */
export const lastClosedMinute = (now: Date) => new Date(Math.floor(now.getTime() / MINUTE) * MINUTE - MINUTE);

export const minuteAfter = (minute: Date) => new Date(minute.getTime() + MINUTE);
