export type FailedItem<Item> = { item: Item; problem: unknown };

/** What became of the items so far; those in none of the lists have not been tried. */
export type Outcome<Item> = { done: Item[]; failed: FailedItem<Item>[] };

type Options<Item> = {
  /** Once aborted, no further item is begun; what is under way is waited for, since its result counts. */
  signal: AbortSignal;
  onProgress: (outcome: Outcome<Item>) => void;
};

const AT_ONCE = 4;

/** Acts on each item, a few at a time. A failure does not keep the others from being tried. */
export async function actOnAll<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
  { signal, onProgress }: Options<Item>,
): Promise<Outcome<Item>> {
  let outcome: Outcome<Item> = { done: [], failed: [] };
  const left = [...items];

  async function work() {
    for (;;) {
      const [item] = signal.aborted ? [] : left.splice(0, 1);
      if (item === undefined) return;
      try {
        await act(item);
        outcome = { ...outcome, done: [...outcome.done, item] };
      } catch (problem) {
        outcome = { ...outcome, failed: [...outcome.failed, { item, problem }] };
      }
      onProgress(outcome);
    }
  }

  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return outcome;
}
