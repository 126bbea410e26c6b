import { DAY, HOUR, MINUTE, SECOND } from '#shared/time.ts';

// The times of sending depend on each other; test/lib/timeouts.test.ts checks them and the template.

/** The most by which the clocks of two processes differ. */
export const CLOCK_SKEW = 5 * SECOND;

/** How long a process may work on a pack. */
export const SENDER_TIMEOUT = 60 * SECOND;
/** How long it claims; the people left are queued in packs of their own. */
export const CLAIMING = 20 * SECOND;
/** The time it needs for a call of the provider and storing its answer: it begins none with less left. */
export const SPARE = 25 * SECOND;

/** How long a process may run that ends a subscription. Its marker has the time at which the process began. */
export const MEMBERSHIP_WRITER_TIMEOUT = 25 * SECOND;

/** How long after it was switched off, or a person unsubscribed, emails may still be posted. */
export const FRESH = 5 * SECOND;
/** A batch that is being posted for longer has lost its process: the log shows it as unknown already. */
export const POSTING = 2 * MINUTE;

/** The lease of a pack: longer than its process runs, by any clock. */
export const LEASE = SENDER_TIMEOUT + 2 * CLOCK_SKEW + 5 * SECOND;
/** The queue's visibility timeout. */
export const VISIBILITY = 6 * MINUTE;
/** When a resumed pack is checked again, as its first process may only have been suspended. The longest delay of SQS. */
export const RECHECK = 15 * MINUTE;

/** An email counts from the minute in which it was due if it is claimed within this time, else from its claim. */
export const PUNCTUAL = 2 * MINUTE;
/** What was due longer ago is not sent any more. */
export const STALE = DAY;
/** The latest that an email is claimed after it was due; it counts on the day of its claim. */
export const LATEST_CLAIM = 2 * DAY;

/** The longest that a run of the sweep takes. */
export const SWEEP_TIMEOUT = 60 * SECOND;
/** The lease of a shard, by any clock. */
export const SWEEP_LEASE = SWEEP_TIMEOUT + 2 * CLOCK_SKEW;
/** How far back the sweep reads, so that stale emails are in the log. Without a watermark, a run reads back `STALE` only. */
export const SWEPT_BACK = 7 * DAY;
/** The latest that a switch is stored after its `active_since`; in full minutes, as the sweep reads their starts. */
export const STORED_WITHIN = 2 * MINUTE;
/** What a new date of a member makes due in the past is sent at once if it is not older than this. */
export const BACKFILL = HOUR;

/** How long the lease of a pack is kept: while its message or its recheck may be delivered. */
export const PACK_KEPT = 3 * DAY;
/** How long the marker of a stopped person is kept: as long as a claim of theirs may be posted. */
export const STOPPED_KEPT = DAY;
