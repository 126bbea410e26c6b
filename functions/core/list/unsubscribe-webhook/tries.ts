import { DAY, HOUR, MINUTE, SECOND } from '#shared/time.ts';

/**
 * How long after each try the next one is made: ten tries in three days.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#retry-schedule
 */
const PAUSES = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
export const MOST_TRIES = PAUSES.length + 1;

/** A delivery that has waited for so long, because others occupied the endpoint, is given up. */
export const LONGEST_WAIT = 4 * DAY;

/** When the next try is made. Returns undefined after the last one. */
export function nextTry(now: Date, made: number, retryAfter = 0): Date | undefined {
  const pause = PAUSES[made - 1];
  return pause === undefined ? undefined : new Date(now.getTime() + Math.max(pause, retryAfter * SECOND));
}
