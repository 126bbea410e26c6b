import { useEffect, useState } from 'react';

/** The value, once it has not changed for `delay` milliseconds. */
export function useDebounced(value: string, delay: number) {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return settled;
}

/** Whether the component has been mounted for `duration` milliseconds. */
export function useElapsed(duration: number) {
  const [isElapsed, setElapsed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setElapsed(true), duration);
    return () => clearTimeout(timer);
  }, [duration]);
  return isElapsed;
}
