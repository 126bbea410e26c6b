import { DAY, HOUR, SECOND } from '../../../../shared/time.ts';
import type { Health } from './unsubscribe-webhook.store.ts';

/** An endpoint that fails for so long is switched off. */
const LONGEST_FAILING = 5 * DAY;
// Longer than the longest pause between two tries. After a longer silence nobody knows how long it has failed.
const LONGEST_SILENCE = 36 * HOUR;
// An endpoint that takes longer gets one delivery at a time.
const SLOW_MS = 5_000;
// So many must be quick after that, before there are several at a time again.
const QUICK_IN_A_ROW = 3;
const FIRST_PAUSE = 5 * SECOND;
const LONGEST_PAUSE = 15 * 60 * SECOND;

/** What an attempt has shown of an endpoint. */
export type AttemptResult = {
  delivered: boolean;
  ms: number;
  /** Asked for by a user: a failure does not count against the endpoint. */
  isRedelivery: boolean;
  /** In seconds. */
  retryAfter?: number | undefined;
};

/** One delivery at a time, so that what waits for this endpoint takes no place of another one's deliveries. */
export const isNarrow = ({ failures, slow, recovering }: Health) =>
  (failures ?? 0) > 0 || slow === true || recovering !== undefined;

/** One that works and hangs in turns is not opened by each time that it works. */
function afterQuick(before: Health): Health {
  const left = isNarrow(before) ? (before.recovering ?? QUICK_IN_A_ROW) - 1 : 0;
  return left > 0 ? { recovering: left } : {};
}

/** The health after an attempt. */
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
