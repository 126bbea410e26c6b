import { type Safeguards, WINDOWS } from '../../../../shared/safeguards.ts';

export type Window = (typeof WINDOWS)[number];

/** Before which instant an email counts for nothing any more. */
export const LONGEST_WINDOW = Math.max(...WINDOWS.map(({ length }) => length));

/**
 * The window in which a recipient has got as many emails as they may; undefined where one more may go. `sent` are the
 * instants of their emails, none after `at`; a window reaches back from `at`, without its beginning.
 */
export function cappedBy(safeguards: Safeguards, sent: number[], at: number): Window | undefined {
  if (!safeguards.enabled) return undefined;
  return WINDOWS.find(({ field, length }) => {
    const within = sent.filter(instant => instant > at - length && instant <= at).length;
    return within >= safeguards[field];
  });
}
