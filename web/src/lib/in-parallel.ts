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
