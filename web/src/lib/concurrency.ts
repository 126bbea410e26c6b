import { store } from './store.ts';

/** Runs one change per item at a time, so that its requests arrive in order. A change during another one is dropped. */
export function oneAtATime() {
  const changing = store<readonly string[]>([]);

  async function run(id: string, change: () => Promise<unknown>): Promise<void> {
    if (changing.get().includes(id)) return;
    changing.set([...changing.get(), id]);
    await change().finally(() => changing.set(changing.get().filter(other => other !== id)));
  }

  function useIsChanging() {
    const busy = changing.use();
    return (id: string) => busy.includes(id);
  }

  return { run, useIsChanging };
}

/** Works on the items, with limited concurrency. No further item is begun once `isOver` returns true. */
export async function inParallel<Item>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<unknown>,
  isOver: () => boolean = () => false,
): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) {
      if (isOver()) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: most }, worker));
}
