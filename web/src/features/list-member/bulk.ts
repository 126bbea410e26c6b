import { inParallel } from '../../lib/in-parallel.ts';

export type FailedItem<Item> = { item: Item; problem: unknown };

/** What became of the items so far; those neither done nor failed have not been tried. */
export type Outcome<Item> = {
  done: Item[];
  /** Those of `done` that were not so before. */
  changed: Item[];
  failed: FailedItem<Item>[];
};

type Options<Item> = {
  /** Once aborted, no further item is begun; what is under way is waited for, since its result counts. */
  signal: AbortSignal;
  onProgress: (outcome: Outcome<Item>) => void;
};

const AT_ONCE = 4;

/** Acts on each item, a few at a time; `act` answers whether it changed it. A failure does not keep the others from being tried. */
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
