import { useState } from 'react';

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
