import { type Safeguards, WINDOWS } from '#shared/safeguards.ts';

export type Window = (typeof WINDOWS)[number];

/** The longest window of the safeguards: older emails do not count. */
export const LONGEST_WINDOW = Math.max(...WINDOWS.map(({ length }) => length));

/**
 * Stands for emails without a record: they were sent until an instant, and it is only known that they kept to the
 * safeguards for some time before it.
 */
export type Assumed = { until: number; length: number };

/** The most emails that the safeguards allow within some time. */
const mostWithin = (safeguards: Safeguards, time: number): number =>
  Math.min(...WINDOWS.map(({ field, length }) => safeguards[field] * (Math.floor(time / length) + 1)));

/**
 * The window in which a recipient has got as many emails as they may. Returns undefined if one more may be sent. `sent` are
 * the instants of their emails, none after `at`. A window ends at `at` and excludes its beginning. Assumed emails count as
 * sent at the end of their time.
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
