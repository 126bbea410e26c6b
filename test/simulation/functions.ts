import type { Queue, Received } from './queue.ts';
import type { Random } from './random.ts';
import type { Process, Scheduler } from './scheduler.ts';
import type { Change, Store } from './table/store.ts';

type Limits = { timeout?: number };

const limitsOf = (timeout: number | undefined): Limits => (timeout === undefined ? {} : { timeout });

const MINUTE = 60 * 1000;

/** Runs a function every minute, as EventBridge does: at least once. `missed` minutes are an outage. */
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
  /** Answers the ids of the messages that failed. */
  handle: (process: Process, messages: Received[]) => Promise<string[]>;
};

/** Invokes a function with the messages of a queue, as Lambda does: what fails becomes visible again by itself. */
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
  /** Whether a batch is delivered again after it succeeded. */
  isRedelivered: () => boolean;
  /** Whether a batch is delivered to two at once, of which one was given up. */
  isDoubled: () => boolean;
  handle: (process: Process, shard: string, changes: Change[]) => Promise<unknown>;
};

const RETRY_AFTER = 1_000;
const POLL = 200;

/** Invokes a function with the changes of a table, as Lambda does: in order, again until it succeeds, and at times again. */
export function follow(scheduler: Scheduler, store: Store, follower: Follower): { isCurrent: () => boolean } {
  const {
    name,
    most,
    wants,
    random,
    isDown = () => false,
    isRedelivered,
    isDoubled,
    timeout,
    handle,
  } = follower;
  const positions = store.shards.map(() => 0);
  const busy = store.shards.map(() => false);
  const next = (shard: number) => {
    if (isDown()) return scheduler.after(MINUTE, () => next(shard));
    const from = positions[shard] ?? 0;
    const changes = store.shards[shard]?.slice(from, from + random.between(1, most)) ?? [];
    if (changes.length === 0) {
      busy[shard] = false;
      return;
    }
    const wanted = changes.filter(wants);
    const advance = () => {
      if (!isRedelivered()) positions[shard] = from + changes.length;
      scheduler.after(random.int(POLL), () => next(shard));
    };
    if (wanted.length === 0) {
      positions[shard] = from + changes.length;
      next(shard);
      return;
    }
    const run = (process: Process) => handle(process, `shard-${shard}`, wanted);
    if (isDoubled()) scheduler.start(name, run, limitsOf(timeout));
    scheduler.start(name, run, limitsOf(timeout)).then(outcome => {
      if (outcome.state === 'ended') advance();
      else scheduler.after(RETRY_AFTER, () => next(shard));
    });
  };
  const wake = (shard: number) => {
    if (busy[shard]) return;
    busy[shard] = true;
    scheduler.after(random.int(POLL), () => next(shard));
  };
  store.onChange(wake);
  for (const shard of store.shards.keys()) wake(shard);
  return { isCurrent: () => busy.every(isBusy => !isBusy) };
}
