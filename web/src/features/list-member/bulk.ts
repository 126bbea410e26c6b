import { inParallel } from '#web/lib/in-parallel.ts';

export type FailedItem<Item> = { item: Item; problem: unknown };

/** The items that are done or have failed so far. All others were not tried yet. */
export type Outcome<Item> = {
  done: Item[];
  /** The items of `done` that the action has changed. */
  changed: Item[];
  failed: FailedItem<Item>[];
};

type Options<Item> = {
  /** After it is aborted, no further item is begun. Requests in progress are awaited, since their results count. */
  signal: AbortSignal;
  onProgress: (outcome: Outcome<Item>) => void;
};

const AT_ONCE = 4;

/** Acts on all items, several at a time. `act` returns whether it has changed the item. A failure does not stop the others. */
export async function actOnAll<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<boolean>,
  { signal, onProgress }: Options<Item>,
): Promise<Outcome<Item>> {
  let outcome: Outcome<Item> = { done: [], changed: [], failed: [] };

  async function work(item: Item) {
    try {
      const isChanged = await act(item);
      const { done, changed } = outcome;
      outcome = {
        ...outcome,
        done: [...done, item],
        changed: isChanged ? [...changed, item] : changed,
      };
    } catch (problem) {
      outcome = { ...outcome, failed: [...outcome.failed, { item, problem }] };
    }
    onProgress(outcome);
  }

  await inParallel(items, AT_ONCE, work, () => signal.aborted);
  return outcome;
}
