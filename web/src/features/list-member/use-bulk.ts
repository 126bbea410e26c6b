import { useEffect, useRef, useState } from 'react';
import { toast, toastUndoable } from '#web/lib/toasts.ts';
import { actOnAll, type Outcome } from './bulk.ts';
import { resultText } from './bulk-texts.ts';
import type { Action, Member } from './member-action.ts';
import { useMemberActions } from './use-member-actions.ts';

/** A run of an action on many members. A finished run is kept if it was not done for all of them. */
export type Run = {
  action: Action;
  members: Member[];
  total: number;
  outcome: Outcome<Member>;
  isRunning: boolean;
};

type Earlier = Pick<Outcome<Member>, 'done' | 'changed'>;
const NOTHING: Earlier = { done: [], changed: [] };

/** Runs an action on many members. `onDone` is called with the members for whom it was done. */
export function useBulk(onDone: (action: Action, done: Member[]) => void) {
  const { act, refresh } = useMemberActions();
  const [run, setRun] = useState<Run>();
  const mounted = useRef(true);
  const abort = useRef<AbortController>(undefined);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const waiting = useRef(0);
  // The callback of the latest render, as it may have changed since the run began.
  const latestOnDone = useRef(onDone);
  useEffect(() => {
    latestOnDone.current = onDone;
  });

  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
      abort.current?.abort();
    };
  }, []);

  /** Starts after the current run, since Undo may be pressed during it. */
  function start(action: Action, members: Member[], earlier: Earlier = NOTHING): Promise<void> {
    waiting.current += 1;
    const next = last.current.then(() => runAll(action, members, earlier));
    last.current = next.catch(() => undefined);
    return next;
  }

  /** Runs the action on all members. In a retry, `earlier` has those for whom it was done before. */
  async function runAll(action: Action, members: Member[], earlier: Earlier): Promise<void> {
    waiting.current -= 1;
    const controller = new AbortController();
    abort.current = controller;
    const total = earlier.done.length + members.length;
    const runWith = ({ done, changed, failed }: Outcome<Member>, isRunning: boolean): Run => ({
      action,
      members,
      total,
      outcome: { done: [...earlier.done, ...done], changed: [...earlier.changed, ...changed], failed },
      isRunning,
    });
    setRun(runWith({ ...NOTHING, failed: [] }, true));
    const outcome = await actOnAll(members, member => act(action, member), {
      signal: controller.signal,
      onProgress: current => setRun(runWith(current, true)),
    });
    await refresh();
    latestOnDone.current(action, outcome.done);
    const over = runWith(outcome, false);
    if (over.outcome.done.length === total) {
      setRun(undefined);
      showDone(over);
    } else if (mounted.current && waiting.current === 0) setRun(over);
    // The bar is not shown any more, or shows the next run.
    else toast(resultText(over), 'warning');
  }

  function showDone(over: Run) {
    const message = resultText(over);
    const { changed } = over.outcome;
    if (over.action !== 'unsubscribe' || changed.length === 0) toast(message);
    else toastUndoable({ message, undo: () => void start('subscribe', changed) });
  }

  return {
    run,
    start,
    stop: () => abort.current?.abort(),
    dismiss: () => setRun(undefined),
    /** Runs the action again for those for whom it failed or was not tried. */
    retry() {
      if (!run) return;
      const done = new Set(run.outcome.done);
      const left = run.members.filter(member => !done.has(member));
      void start(run.action, left, run.outcome);
    },
  };
}
