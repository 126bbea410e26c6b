import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ImportColumn } from '#shared/member-import.ts';
import { messageOf } from '#web/lib/problem.ts';
import { registerUnsavedCheck } from '#web/lib/unsaved.ts';
import type { Refused } from './reading/pass.ts';
import type { Reader } from './reading/reader.ts';
import { NO_COUNTS, type SendOptions, sendRows, type Tally } from './send-rows.ts';

/** A dry run or an import, in progress or finished. */
export type Running = {
  /** A dry run stores nothing. */
  isCheck: boolean;
  state: 'running' | 'pausing' | 'paused' | 'ended';
  tally: Tally;
  total: number;
  /** When the run began, and with which row. The rate is computed from both. */
  since: number;
  first: number;
  /** Seconds until the server accepts more rows. */
  waiting: number | undefined;
  error?: string;
};

type Rows = Pick<SendOptions, 'from' | 'counts' | 'send'> & {
  isCheck: boolean;
  total: number;
  columns: ImportColumn[];
  /** Why rows before the next one were refused, for the file with the refused rows. */
  earlier: () => Promise<Refused[]>;
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

  async function sendAll({ isCheck, total, from, counts = NO_COUNTS, columns, send, earlier }: Rows) {
    const asked = reader.current;
    if (!asked) return;
    const control = new AbortController();
    abort.current = control;
    const set = (part: Partial<Running>) =>
      abort.current === control && setRunning(before => before && { ...before, ...part });
    setRunning({
      isCheck,
      state: 'running',
      total,
      since: performance.now(),
      first: from,
      waiting: undefined,
      tally: { done: from - 1, counts, errors: [] },
    });
    try {
      const restart = async () => asked.ask('start', { columns, earlier: await earlier() });
      await restart();
      const tally = await sendRows({
        reader: asked,
        from,
        counts,
        send,
        restart,
        signal: control.signal,
        onTally: shown => set({ tally: shown }),
        onWait: waiting => set({ waiting }),
      });
      set({ state: 'ended', tally });
    } catch (problem) {
      set({
        state: 'paused',
        waiting: undefined,
        ...(!control.signal.aborted && { error: messageOf(problem) }),
      });
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
