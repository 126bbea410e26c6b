import { useRef, useState } from 'react';
import { Cancelled } from './confirmation.ts';
import { messageOf, serverMessageOr } from './problem.ts';

type Options<Args extends unknown[]> = {
  /** The message of a failure for which the server gave no reason. */
  failure?: string | ((...args: Args) => string) | undefined;
};

/** The action of a button: whether it is running, and the error of its last run. Ignores calls while it is running. */
export function useAction<Args extends unknown[]>(
  action: (...args: Args) => unknown,
  { failure }: Options<Args> = {},
) {
  const isStarted = useRef(false);
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<string>();

  /** Returns true if the action has succeeded. */
  async function run(...args: Args): Promise<boolean> {
    if (isStarted.current) return false;
    isStarted.current = true;
    setRunning(true);
    setError(undefined);
    try {
      await action(...args);
      return true;
    } catch (problem) {
      if (problem instanceof Cancelled) return false;
      const fallback = typeof failure === 'function' ? failure(...args) : failure;
      setError(serverMessageOr(problem, fallback ?? messageOf(problem)));
      return false;
    } finally {
      isStarted.current = false;
      setRunning(false);
    }
  }

  return { run, isRunning, error, clearError: () => setError(undefined) };
}

/** Retries a failed request. `isRepeating` is true until there is a response or another failure. */
export function useRepeat(mutate: () => Promise<unknown>) {
  const [isRepeating, setRepeating] = useState(false);

  async function repeat() {
    setRepeating(true);
    await mutate().catch(() => undefined);
    setRepeating(false);
  }

  return { isRepeating, repeat };
}
