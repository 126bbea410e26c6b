import { DAY, HOUR, MINUTE, SECOND } from '#shared/time.ts';
import type { Health } from './unsubscribe-webhook.store.ts';

/** An endpoint that has failed for longer is switched off. */
const LONGEST_FAILING = 5 * DAY;
// Longer than the longest pause between two tries: without an attempt, it is unknown since when the endpoint fails.
const LONGEST_SILENCE = 36 * HOUR;
// An endpoint that takes longer gets one delivery at a time.
const SLOW_MS = 5_000;
// So many deliveries in a row must be quick before several are made at a time again.
const QUICK_IN_A_ROW = 3;
const FIRST_PAUSE = 5 * SECOND;
const LONGEST_PAUSE = 15 * 60 * SECOND;

export type AttemptResult = {
  delivered: boolean;
  ms: number;
  /** Requested by a user: a failure does not count against the endpoint. */
  isRedelivery: boolean;
  /** In seconds. */
  retryAfter?: number | undefined;
};

/** Deliveries to a slow endpoint, one at a time, do not occupy the capacity for others. */
export const isThrottledToOne = ({ failures, slow, recovering }: Health) =>
  (failures ?? 0) > 0 || slow === true || recovering !== undefined;

/** A single quick delivery does not open an endpoint that works and hangs in turns. */
function afterQuick(before: Health): Health {
  const left = isThrottledToOne(before) ? (before.recovering ?? QUICK_IN_A_ROW) - 1 : 0;
  return left > 0 ? { recovering: left } : {};
}

export function healthAfter(
  before: Health,
  { delivered, ms, isRedelivery, retryAfter = 0 }: AttemptResult,
  now: Date,
): Health {
  const slow: Health = ms > SLOW_MS ? { slow: true } : {};
  if (delivered) return slow.slow ? slow : afterQuick(before);
  if (isRedelivery) return { ...before, ...slow };
  const failures = (before.failures ?? 0) + 1;
  const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 3 ** (failures - 1));
  const isSame = before.failed_at && now.getTime() - Date.parse(before.failed_at) <= LONGEST_SILENCE;
  return {
    failing_since: (isSame && before.failing_since) || now.toISOString(),
    failed_at: now.toISOString(),
    failures,
    closed_until: new Date(now.getTime() + Math.max(pause, retryAfter * SECOND)).toISOString(),
    ...slow,
  };
}

export const hasFailedTooLong = ({ failing_since }: Health, now: Date): boolean =>
  failing_since !== undefined && now.getTime() - Date.parse(failing_since) >= LONGEST_FAILING;

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
