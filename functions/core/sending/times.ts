const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

// How the times of sending depend on each other. test/lib/times.test.ts holds them against each other and the template.

/** The clocks of two processes differ by at most so much. */
export const CLOCK_SKEW = 5 * SECOND;

/** A process that sends a pack runs no longer. */
export const SENDER_TIMEOUT = 60 * SECOND;
/** It claims for so long; who is left goes into packs of their own. */
export const CLAIMING = 20 * SECOND;
/** It begins nothing that has to be finished with less time left: a call of the provider, and storing its answer. */
export const SPARE = 25 * SECOND;

/** Whoever ends a subscription runs no longer, and notes it under the time at which it began. */
export const MEMBERSHIP_WRITER_TIMEOUT = 25 * SECOND;

/** What was switched off, and who has unsubscribed, gets nothing that is posted later than this. */
export const FRESH = 5 * SECOND;
/** A batch that is being posted for longer has lost its process: the log says that it is unknown, before it is ended. */
export const POSTING = 2 * MINUTE;

/** A pack belongs to one process for so long: longer than it runs, as another clock sees it. */
export const LEASE = SENDER_TIMEOUT + 2 * CLOCK_SKEW + 5 * SECOND;
/** After it, a message that was not deleted is delivered again. */
export const VISIBILITY = 6 * MINUTE;
/**
 * So long after a process was given up, its pack is looked at again: it may only have been paused, and have claimed
 * something since. The longest delay of a queue.
 */
export const RECHECK = 15 * MINUTE;

/** An email counts from the minute in which it was due if it is claimed within this time, else from its claim. */
export const PUNCTUAL = 2 * MINUTE;
/** What is due for longer is not sent any more. */
export const STALE = DAY;
/** An email counts on the day of its claim, which is at most so much later than it was due. */
export const LATEST_CLAIM = 2 * DAY;

/** A run of the sweep takes no longer. */
export const SWEEP_TIMEOUT = 60 * SECOND;
/** A shard belongs to one run for so long, as any clock sees it. */
export const SWEEP_LEASE = SWEEP_TIMEOUT + 2 * CLOCK_SKEW;
/**
 * What is stale is found all the same, so that the log says so, for as long as anybody would look for it. Without a
 * watermark a run looks back as far as anything is still sent.
 */
export const SWEPT_BACK = 7 * DAY;
/**
 * What is switched on is stored at most so much later than it says, as the clock of the sweep sees it: in full minutes,
 * since the sweep reads it in the minutes before the one where it begins.
 */
export const STORED_WITHIN = 2 * MINUTE;
/** For a member who was stored just now, what was due so long before is sent at once. */
export const NEWLY_DUE = HOUR;

/** The lease of a pack is kept for as long as its message, or one that looks after it, may be delivered. */
export const PACK_KEPT = 3 * DAY;
/** Who was stopped is kept for as long as a claim of theirs may be posted. */
export const STOPPED_KEPT = DAY;
