import { createActivity } from '../activity.ts';
import type { Clock } from '../clock.ts';

/** A source that invokes functions by itself: a queue, a stream, pending calls. */
export type Source = Omit<ReturnType<typeof createWaker>, 'begin' | 'closed'>;

/**
 * Runs `work` when it is woken, and when the clock reaches the simulated instant that the last run returned. Runs do not
 * overlap: a wake during a run leads to one more.
 */
export function createWaker(clock: Clock, work: () => Promise<number>, failed: (error: unknown) => void) {
  const activity = createActivity();
  let woken = false;
  let working = false;
  let closed = false;
  let next = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function wake(): void {
    woken = true;
    if (!working && !closed) void run();
  }

  async function run(): Promise<void> {
    const end = activity.begin();
    working = true;
    try {
      while ((woken || next <= clock.now()) && !closed) {
        woken = false;
        next = await work();
      }
    } catch (error) {
      // The engines may end before their clients do.
      if (!closed) failed(error);
    }
    working = false;
    setTimer();
    end();
  }

  function setTimer(): void {
    clearTimeout(timer);
    if (closed || !Number.isFinite(next)) return;
    timer = setTimeout(wake, Math.max(next - clock.now(), 0) + 1);
    timer.unref();
  }

  const stopListening = clock.onMove(() => {
    if (next <= clock.now()) wake();
  });

  return {
    wake,
    /** Begins work besides `work` that keeps the source busy; returns a function that ends it. */
    begin: activity.begin,
    busy: activity.busy,
    settle: activity.idle,
    closed: () => closed,
    close() {
      closed = true;
      stopListening();
      clearTimeout(timer);
    },
  };
}
