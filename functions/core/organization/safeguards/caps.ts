import { type Safeguards, WINDOWS } from '../../../../shared/safeguards.ts';

export type Window = (typeof WINDOWS)[number];

/** Before which instant an email counts for nothing any more. */
export const LONGEST_WINDOW = Math.max(...WINDOWS.map(({ length }) => length));

/** Emails until an instant of which nothing is known, but that they kept to the safeguards for some time before it. */
export type Assumed = { until: number; length: number };

/** The most that the safeguards let through within some time. */
const mostWithin = (safeguards: Safeguards, time: number): number =>
  Math.min(...WINDOWS.map(({ field, length }) => safeguards[field] * (Math.floor(time / length) + 1)));

/**
 * The window in which a recipient has got as many emails as they may; undefined where one more may go. `sent` are the
 * instants of their emails, none after `at`; a window reaches back from `at`, without its beginning. What is assumed counts as sent at its end.
 */
export function cappedBy(
  safeguards: Safeguards,
  sent: number[],
  at: number,
  assumed: Assumed[] = [],
): Window | undefined {
  if (!safeguards.enabled) return undefined;
  return WINDOWS.find(({ field, length }) => {
    const within = sent.filter(instant => instant > at - length && instant <= at).length;
    const more = assumed
      .filter(({ until }) => until > at - length)
      .reduce((sum, one) => sum + mostWithin(safeguards, one.length), 0);
    return within + more >= safeguards[field];
  });
}
