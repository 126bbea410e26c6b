import { useEffect, useRef, useState } from 'react';
import { toast, toastUndoable } from '../../lib/toasts.ts';
import { actOnAll, type Outcome } from './bulk.ts';
import { resultText } from './bulk-texts.ts';
import type { Action, Member } from './member-action.ts';
import { useMemberActions } from './use-member-actions.ts';

/** An action on many members: under way, or over without having been done for all. */
export type Run = {
  action: Action;
  members: Member[];
  total: number;
  outcome: Outcome<Member>;
  isRunning: boolean;
};

type Earlier = Pick<Outcome<Member>, 'done' | 'changed'>;
const NOTHING: Earlier = { done: [], changed: [] };

/** Runs an action on many members. `onDone` hears for which of them it was done. */
export function useBulk(onDone: (action: Action, done: Member[]) => void) {
  const { act, refresh } = useMemberActions();
  const [run, setRun] = useState<Run>();
  const mounted = useRef(true);
  const abort = useRef<AbortController>(undefined);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const waiting = useRef(0);
  // What is shown may have changed since the run began.
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

  /** After the run that is under way: an Undo may be pressed meanwhile. */
  function start(action: Action, members: Member[], earlier: Earlier = NOTHING): Promise<void> {
    waiting.current += 1;
    const next = last.current.then(() => runAll(action, members, earlier));
    last.current = next.catch(() => undefined);
    return next;
  }

  /** A retry goes on with what is left of a run, of which some members are done `earlier`. */
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
    // Nobody sees the bar any more, or the next run takes its place.
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
    /** Goes on with those for whom the action failed or was not tried. */
    retry() {
      if (!run) return;
      const done = new Set(run.outcome.done);
      const left = run.members.filter(member => !done.has(member));
      void start(run.action, left, run.outcome);
    },
  };
}
