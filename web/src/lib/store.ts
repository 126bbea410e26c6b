import { useSyncExternalStore } from 'react';

const resets = new Set<() => void>();

/** Registers how a value outside of React becomes the initial one again. */
export const onReset = (reset: () => void) => void resets.add(reset);

/** Resets what a reload of the document would: the tests of the components share one document. */
export function resetAll() {
  for (const reset of resets) reset();
}

export function store<Value>(initial: Value) {
  let value = initial;
  onReset(() => {
    value = initial;
  });
  const listeners = new Set<() => void>();
  const get = () => value;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get,
    set(next: Value) {
      value = next;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get),
  };
}
