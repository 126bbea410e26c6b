import { useState } from 'react';

/** Asks again for what could not be loaded; `isRepeating` until there is an answer, whatever it is. */
export function useRepeat(mutate: () => Promise<unknown>) {
  const [isRepeating, setRepeating] = useState(false);

  async function repeat() {
    setRepeating(true);
    await mutate().catch(() => undefined);
    setRepeating(false);
  }

  return { isRepeating, repeat };
}
