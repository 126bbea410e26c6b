import { type RefObject, useEffect, useRef, useState } from 'react';
import {
  type ImportColumn,
  type ImportCounts,
  type ImportForecast,
  NO_COUNTS,
  ROW_STATUSES,
  type RowOutcome,
} from '#shared/member-import.ts';
import { messageOf, Problem } from '#web/lib/problem.ts';
import { registerUnsavedCheck } from '#web/lib/unsaved.ts';
import type { Batch, Refused, RefusedCell, UnreadDates } from './reading/pass.ts';
import type { Reader } from './reading/reader.ts';

/** A dry run or an import, in progress or finished. */
export type Running = {
  isCheck: boolean;
  state: 'running' | 'pausing' | 'paused' | 'ended';
  tally: Tally;
  total: number;
  /** When the run began, and with which row. The rate is computed from both. */
  since: number;
  first: number;
  /** Seconds until the server accepts more rows. */
  waiting: number | undefined;
  /** Of a dry run that has ended. */
  unreadDates?: UnreadDates[];
  /** Null if it could not be found out. */
  forecast?: ImportForecast | null | undefined;
  error?: string;
};

export type Tally = { done: number; counts: ImportCounts; errors: RefusedCell[] };

const MOST_SHOWN = 10;

type Rows = {
  isCheck: boolean;
  total: number;
  from: number;
  counts?: ImportCounts;
  columns: ImportColumn[];
  /** Why rows before the next one were refused, for the file with the refused rows. */
  earlier: () => Promise<Refused[]>;
  /** Of a dry run: what follows from its rows, asked for after the last one. */
  forecast?: (retrying: Retrying) => Promise<ImportForecast | null>;
  /** Returns the outcome of the rows, and the number of the next one. `counts` is set if another tab has stored rows as well. */
  send: (batch: Batch) => Promise<{ results: RowOutcome[]; next: number; counts?: ImportCounts }>;
};

/** Sends the rows of a file and shows the progress. It can be paused. */
export function useRun(reader: RefObject<Reader | undefined>) {
  const busy = useRef<Reader>(undefined);
  const abort = useRef<AbortController>(undefined);
  const [running, setRunning] = useState<Running>();
  const isActive = running?.state === 'running' || running?.state === 'pausing';

  useEffect(() => () => abort.current?.abort(), []);
  useEffect(
    () =>
      registerUnsavedCheck(() => isActive && !running?.isCheck, {
        title: 'Leave while the import runs?',
        text: 'It stops at the row that it has reached. It continues from there when you choose the same file again.',
        stay: 'Stay',
      }),
    [isActive, running?.isCheck],
  );

  /** Sends the rows of the file, one request after the other, until the end of the file or an abort. */
  async function sendAll({
    isCheck,
    total,
    from,
    counts = NO_COUNTS,
    columns,
    send,
    earlier,
    forecast,
  }: Rows) {
    const asked = reader.current;
    if (!asked) return;
    const control = new AbortController();
    const { signal } = control;
    abort.current = control;
    const set = (part: Partial<Running>) =>
      abort.current === control && setRunning(before => before && { ...before, ...part });
    const onWait = (waiting: number | undefined) => set({ waiting });
    // The pass begins again at the beginning of the file, to find the rows that are requested then.
    const startPass = async () => asked.ask('start', { columns, earlier: await earlier() });
    let tally: Tally = { done: from - 1, counts, errors: [] };
    setRunning({
      isCheck,
      state: 'running',
      total,
      since: performance.now(),
      first: from,
      waiting: undefined,
      tally,
    });
    try {
      await startPass();
      for (;;) {
        signal.throwIfAborted();
        const batch = await asked.ask('next', tally.done + 1);
        if (!batch) break;
        const { results, next, counts: all } = await withRetries(() => send(batch), { signal, onWait });
        const refused = results.flatMap(({ row, errors }) => (errors ? [{ row, errors }] : []));
        const shown = refused.length > 0 ? await asked.ask('refuse', refused) : [];
        tally = {
          done: next - 1,
          counts: all ?? added(tally.counts, results),
          errors: [...tally.errors, ...shown].slice(0, MOST_SHOWN),
        };
        set({ tally });
        if (next !== batch.from + batch.rows.length) await startPass();
      }
      const unreadDates = isCheck ? await asked.ask('unreadDates', undefined) : [];
      set({ state: 'ended', unreadDates, forecast: await forecast?.({ signal, onWait }) });
    } catch (problem) {
      set({ state: 'paused', waiting: undefined, ...(!signal.aborted && { error: messageOf(problem) }) });
    }
  }

  /** Allows one run at a time, as two would share the position in the file. Does nothing if another one is in progress. */
  async function exclusively(action: () => Promise<void>) {
    const asked = reader.current;
    if (busy.current === asked) return;
    busy.current = asked;
    try {
      await action();
    } finally {
      if (busy.current === asked) busy.current = undefined;
    }
  }

  function pause() {
    abort.current?.abort();
    setRunning(before => before && { ...before, state: 'pausing' });
  }

  function forget() {
    setRunning(undefined);
  }

  function stop() {
    abort.current?.abort();
    forget();
  }

  return { running, isActive, sendAll, exclusively, pause, stop, forget };
}

const added = (counts: ImportCounts, results: RowOutcome[]): ImportCounts => {
  const sum = { ...counts };
  for (const status of ROW_STATUSES) sum[status] += results.filter(one => one.status === status).length;
  sum.stays_unsubscribed += results.filter(one => one.stays_unsubscribed).length;
  return sum;
};

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

export type Retrying = { signal: AbortSignal; onWait: (seconds: number | undefined) => void };

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
