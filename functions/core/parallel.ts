/** After a failure no other item is begun, and the error is thrown when running ones have ended. */
export async function inParallel<T, R>(
  items: T[],
  most: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  const failures: unknown[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) {
      if (failures.length > 0) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
  return results;
}

/** The same, but processes every item even if others fail, and then throws. */
export async function eachInParallel<T>(
  items: T[],
  most: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  await inParallel(items, most, async item => {
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
    }
  });
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} of ${items.length} failed`);
  if (failures.length > 0) throw failures[0];
}

export const chunksOf = <T>(items: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
