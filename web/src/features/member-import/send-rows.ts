import { type ImportCounts, ROW_STATUSES, type RowOutcome } from '#shared/member-import.ts';
import { Problem } from '#web/lib/problem.ts';
import type { Batch, RefusedCell } from './reading/pass.ts';
import type { Reader } from './reading/reader.ts';

/** The progress of a pass through a file. */
export type Tally = { done: number; counts: ImportCounts; errors: RefusedCell[] };

export const NO_COUNTS: ImportCounts = {
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  rejected: 0,
  stays_unsubscribed: 0,
};

const MOST_SHOWN = 10;

const added = (counts: ImportCounts, results: RowOutcome[]): ImportCounts => {
  const sum = { ...counts };
  for (const status of ROW_STATUSES) sum[status] += results.filter(one => one.status === status).length;
  sum.stays_unsubscribed += results.filter(one => one.stays_unsubscribed).length;
  return sum;
};

/** The outcome of sent rows. `counts` is set if another tab has stored rows as well. */
type Sent = { results: RowOutcome[]; next: number; counts?: ImportCounts };

export type SendOptions = {
  reader: Pick<Reader, 'ask'>;
  /** The first row to send. */
  from: number;
  counts?: ImportCounts;
  send: (batch: Batch) => Promise<Sent>;
  /** Starts the pass again from the beginning of the file, to find the rows that are requested then. */
  restart: () => Promise<unknown>;
  onTally: (tally: Tally) => void;
  onWait: (seconds: number | undefined) => void;
  signal: AbortSignal;
};

/** Sends the rows of a file, one request after the other, until the end of the file or an abort. */
export async function sendRows({
  reader,
  from,
  counts = NO_COUNTS,
  ...options
}: SendOptions): Promise<Tally> {
  const { send, restart, onTally, onWait, signal } = options;
  let tally: Tally = { done: from - 1, counts, errors: [] };
  for (;;) {
    signal.throwIfAborted();
    const batch = await reader.ask('next', tally.done + 1);
    if (!batch) return tally;
    const { results, next, counts: all } = await withRetries(() => send(batch), { signal, onWait });
    const refused = results.flatMap(({ row, errors }) => (errors ? [{ row, errors }] : []));
    const shown = refused.length > 0 ? await reader.ask('refuse', refused) : [];
    tally = {
      done: next - 1,
      counts: all ?? added(tally.counts, results),
      errors: [...tally.errors, ...shown].slice(0, MOST_SHOWN),
    };
    onTally(tally);
    if (next !== batch.from + batch.rows.length) await restart();
  }
}

const MOST_TRIES = 6;
const LONGEST_WAIT = 20;

/** Seconds until a failed request is retried; undefined if a retry does not help. */
function waitAfter(problem: unknown, attempt: number): number | undefined {
  if (!(problem instanceof Problem)) return undefined;
  const { status, retryAfter } = problem;
  // The server says when to retry: the writes per list are limited.
  if (status === 429) return retryAfter ?? LONGEST_WAIT;
  const isPassing = status === undefined || status >= 500;
  return isPassing && attempt < MOST_TRIES ? Math.min(LONGEST_WAIT, 2 ** (attempt - 1)) : undefined;
}

type Retrying = { signal: AbortSignal; onWait: (seconds: number | undefined) => void };

/** Retries requests that failed temporarily or were throttled. */
export async function withRetries<Result>(
  call: () => Promise<Result>,
  { signal, onWait }: Retrying,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (problem) {
      signal.throwIfAborted();
      const seconds = waitAfter(problem, attempt);
      if (seconds === undefined) throw problem;
      onWait(seconds);
      await waited(seconds * 1000, signal);
      onWait(undefined);
    }
  }
}

const waited = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', end, { once: true });
  });
