import { store } from './store.ts';

/** Runs one change per item at a time, so that its requests arrive in order. A change during another one is dropped. */
export function oneAtATime() {
  const changing = store<readonly string[]>([]);

  async function run(id: string, change: () => Promise<unknown>): Promise<void> {
    if (changing.get().includes(id)) return;
    changing.set([...changing.get(), id]);
    await change().finally(() => changing.set(changing.get().filter(other => other !== id)));
  }

  /** Whether an item is being changed. */
  function useIsChanging() {
    const busy = changing.use();
    return (id: string) => busy.includes(id);
  }

  return { run, useIsChanging };
}
