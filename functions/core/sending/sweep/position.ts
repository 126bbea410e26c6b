import type { Interval } from '#core/automation/due/rule.ts';
import { HOUR, MINUTE, startOfMinute } from '#shared/time.ts';

/** How far the sweep has come with an organization: all that is due before it is queued. */
export type Position = {
  /** The first minute that is not fully queued. */
  from: Date;
  /** Set if a part of its span is queued already. */
  within?: Within | undefined;
};

/** What a run stores of an organization that is behind. */
export type Mark = Position & {
  /** When that run began: what was switched on later is read again. */
  seen: Date;
};

/**
 * The last row that was read of the span that ends before `until`. Columns are read in their order, and the queries of each
 * column in theirs.
 */
export type Within = { until: Date; column: string; query: string; after: string };

/** The next span to read. It ends with the hour at the latest, so that its rows are contiguous. */
export function spanAt({ from, within }: Position, until: Date): Interval {
  const hour = (Math.floor(from.getTime() / HOUR) + 1) * HOUR;
  return { from, until: within?.until ?? new Date(Math.min(hour, until.getTime())) };
}

/** The position, moved back if needed, so that everything is read that fell due since the minute of an instant. */
export function noLaterThan(instant: Date | undefined, position: Position): Position {
  const { from, within } = position;
  const minute = new Date(Math.floor((instant?.getTime() ?? Number.NaN) / MINUTE) * MINUTE);
  if (minute < from) return { from: minute };
  // The rows that were read of the span may have been read before the change.
  return within && minute < within.until ? { from } : position;
}

export const isDone = ({ from }: Position, until: Date) => from >= until;

/** The oldest first; for the same minute, those without a queued part. */
export const byAge = (a: Position, b: Position): number =>
  a.from.getTime() - b.from.getTime() || Number(Boolean(a.within)) - Number(Boolean(b.within));

/** The start of the latest minute that has ended. */
export const lastClosedMinute = (now: Date) => new Date(startOfMinute(now.getTime()) - MINUTE);

export const minuteAfter = (minute: Date) => new Date(minute.getTime() + MINUTE);
