import { useEffect, useState } from 'react';

/** Whether the component has been mounted for `duration` milliseconds. */
export function useElapsed(duration: number) {
  const [isElapsed, setElapsed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setElapsed(true), duration);
    return () => clearTimeout(timer);
  }, [duration]);
  return isElapsed;
}
