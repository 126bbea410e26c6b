import type { Batch, Change } from './change.ts';

type Open = { start: number; state: object };
/** The state that a restart continues a window from. */
export type SavedWindow = { open: Open | undefined; earliest: number };

/** The tumbling windows of a stream: https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-windows.html */
export function createWindows(seconds: number, eventSourceARN: string) {
  const length = seconds * 1000;
  const open = new Map<string, Open>();
  /** Windows of a shard come in order: later changes never belong to a window before this one. */
  const earliest = new Map<string, number>();

  function startOf(shard: string, { dynamodb }: Change): number {
    const created = dynamodb.ApproximateCreationDateTime * 1000;
    const start = Math.max(created - (created % length), earliest.get(shard) ?? 0);
    earliest.set(shard, start);
    return start;
  }

  const endBatch = (shard: string, { start }: Open): Batch => ({
    shard,
    changes: [],
    attempt: 1,
    window: start,
    final: true,
  });

  function close(shard: string): void {
    const closed = open.get(shard);
    open.delete(shard);
    if (closed) earliest.set(shard, Math.max(earliest.get(shard) ?? 0, closed.start + length));
  }

  return {
    split(shard: string, changes: Change[]) {
      const groups: { window: number; changes: Change[] }[] = [];
      for (const change of changes) {
        const window = startOf(shard, change);
        const last = groups.at(-1);
        if (last?.window === window) last.changes.push(change);
        else groups.push({ window, changes: [change] });
      }
      return groups;
    },
    event({ shard, changes, window = 0, final = false }: Batch) {
      const current = open.get(shard) ?? { start: window, state: {} };
      open.set(shard, current);
      return {
        Records: changes,
        window: { start: secondOf(current.start), end: secondOf(current.start + length) },
        state: current.state,
        shardId: shard,
        eventSourceARN,
        isFinalInvokeForWindow: final,
        isWindowTerminatedEarly: false,
      };
    },
    /** Keeps the state of a batch for the next one of its window. The last batch of a window closes it. */
    keep({ shard, window = 0, final }: Batch, state: object) {
      if (final) close(shard);
      else open.set(shard, { start: window, state });
    },
    close,
    save: (shard: string): SavedWindow => ({ open: open.get(shard), earliest: earliest.get(shard) ?? 0 }),
    restore(shard: string, saved: SavedWindow) {
      earliest.set(shard, saved.earliest);
      if (saved.open) open.set(shard, saved.open);
    },
    /** The final batch of the open window, if `batch` belongs to a later window. */
    endBefore(batch: Batch | undefined) {
      const current = batch && !batch.final && open.get(batch.shard);
      return current && current.start !== batch.window ? endBatch(batch.shard, current) : undefined;
    },
    /** The final batches of the windows that are over. */
    ends: (now: number) =>
      [...open].flatMap(([shard, current]) =>
        current.start + length <= now ? endBatch(shard, current) : [],
      ),
    nextEnd: () =>
      Math.min(Number.POSITIVE_INFINITY, ...[...open.values()].map(({ start }) => start + length)),
  };
}

const secondOf = (instant: number) => new Date(instant).toISOString().replace('.000Z', 'Z');
