import type { Queue, Received } from './queue.ts';
import { hash, type Random } from './random.ts';
import type { Process, Scheduler } from './scheduler.ts';
import type { Change, Store } from './table/store.ts';

type Limits = { timeout?: number };

const limitsOf = (timeout: number | undefined): Limits => (timeout === undefined ? {} : { timeout });

const MINUTE = 60 * 1000;

/** Invokes a function every minute, at least once, as EventBridge does. `missed` minutes are an outage. */
export function everyMinute(
  scheduler: Scheduler,
  { isMissed, isDoubled }: { isMissed: () => boolean; isDoubled: () => boolean },
  run: () => void,
): void {
  const next = Math.ceil((scheduler.now().getTime() + 1) / MINUTE) * MINUTE;
  scheduler.at(next, () => {
    if (!isMissed()) {
      run();
      if (isDoubled()) run();
    }
    everyMinute(scheduler, { isMissed, isDoubled }, run);
  });
}

type Consumer = Limits & {
  name: string;
  most: number;
  concurrency: number;
  isDown?: () => boolean;
  /** Returns the ids of the messages that failed. */
  handle: (process: Process, messages: Received[]) => Promise<string[]>;
};

/** Invokes a function with the messages of a queue, as Lambda does. Failed messages become visible again by themselves. */
export function consume(
  scheduler: Scheduler,
  queue: Queue,
  { name, most, concurrency, timeout, isDown = () => false, handle }: Consumer,
): void {
  let running = 0;
  const poll = () => {
    while (running < concurrency && !isDown()) {
      const messages = queue.receive(most);
      if (messages.length === 0) return;
      running++;
      const run = (process: Process) => handle(process, messages);
      scheduler.start(name, run, limitsOf(timeout)).then(outcome => {
        running--;
        const failed = outcome.state === 'ended' ? outcome.value : messages.map(({ messageId }) => messageId);
        const done = messages.filter(({ messageId }) => !failed.includes(messageId));
        for (const { receiptHandle } of done) queue.delete(receiptHandle);
        scheduler.after(0, poll);
      });
    }
  };
  queue.onMessage(poll);
}

type Follower = Limits & {
  name: string;
  most: number;
  wants: (change: Change) => boolean;
  random: Random;
  isDown?: () => boolean;
  /** Whether a batch is delivered again after it has succeeded, together with some earlier ones. */
  isRedelivered: () => boolean;
  /** Whether a batch is delivered to two processes at once, one of which was given up. */
  isDoubled: () => boolean;
  /** Whether a shard is closed after a batch, and two new shards get the later changes. */
  isSplit: () => boolean;
  handle: (process: Process, shard: string, changes: Change[]) => Promise<unknown>;
};

const RETRY_AFTER = 1_000;
const POLL = 200;
const MOST_REPLAYED = 30;

/** A shard of the stream, and the position up to which all changes were delivered. */
type Shard = {
  name: string;
  of: number;
  begins: number;
  position: number;
  /** The furthest position that it has ever reached. */
  reached: number;
  isOf: (key: string) => boolean;
};

/**
 * Invokes a function with the changes of a table, as Lambda does: in order, again until it succeeds, and sometimes once more.
 */
export function follow(scheduler: Scheduler, store: Store, follower: Follower): { isCurrent: () => boolean } {
  const { name, most, wants, random, isDown = () => false, isRedelivered, isDoubled, isSplit } = follower;
  const limits = limitsOf(follower.timeout);
  const busy = new Set<Shard>();
  const shards = store.shards.map((_, of): Shard[] => [
    { name: `shard-${of}`, of, begins: 0, position: 0, reached: 0, isOf: () => true },
  ]);

  /** The next changes that match the filter, and the position after them. */
  const nextOf = (shard: Shard): { wanted: Change[]; until: number } => {
    const all = store.shards[shard.of] ?? [];
    for (;;) {
      const until = Math.min(all.length, shard.position + random.between(1, most));
      const wanted = all.slice(shard.position, until).filter(one => wants(one) && shard.isOf(one.key.PK));
      if (wanted.length > 0 || until === all.length) return { wanted, until };
      shard.position = until;
    }
  };
  const next = (shard: Shard): void => {
    if (isDown()) {
      scheduler.after(MINUTE, () => next(shard));
      return;
    }
    const { wanted, until } = nextOf(shard);
    if (wanted.length === 0) {
      shard.position = until;
      busy.delete(shard);
      return;
    }
    // This process may still be working on these records after another process was given fewer of them.
    shard.reached = Math.max(shard.reached, until);
    const run = (process: Process) => follower.handle(process, shard.name, wanted);
    if (isDoubled()) scheduler.start(name, run, limits);
    scheduler.start(name, run, limits).then(({ state }) => {
      if (state !== 'ended') return scheduler.after(RETRY_AFTER, () => next(shard));
      const isAgain = isRedelivered();
      shard.position = isAgain ? Math.max(shard.begins, shard.position - random.int(MOST_REPLAYED)) : until;
      const following = shard.position === shard.reached && isSplit() ? split(shard) : [shard];
      for (const one of following) {
        busy.add(one);
        scheduler.after(random.int(POLL), () => next(one));
      }
    });
  };
  const split = (shard: Shard): Shard[] => {
    busy.delete(shard);
    const { position, of } = shard;
    const isLow = (key: string) => hash(key, position) % 2 === 0;
    const halves = [
      { ...shard, name: `${shard.name}-${position}-a`, isOf: (key: string) => shard.isOf(key) && isLow(key) },
      {
        ...shard,
        name: `${shard.name}-${position}-b`,
        isOf: (key: string) => shard.isOf(key) && !isLow(key),
      },
    ].map(half => ({ ...half, begins: position }));
    shards[of] = (shards[of] ?? []).flatMap(one => (one === shard ? halves : [one]));
    return halves;
  };
  const wake = (of: number) => {
    for (const shard of shards[of] ?? []) {
      if (busy.has(shard)) continue;
      busy.add(shard);
      scheduler.after(random.int(POLL), () => next(shard));
    }
  };
  store.onChange(wake);
  for (const of of shards.keys()) wake(of);
  return { isCurrent: () => busy.size === 0 };
}
