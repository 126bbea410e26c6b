import { MINUTE, startOfMinute } from '#shared/time.ts';
import type { Clock } from './clock.ts';
import type { Skip } from './sources/schedules.ts';

export type Timekeeper = ReturnType<typeof createTimekeeper>;

type Needs = {
  clock: Pick<Clock, 'now' | 'moveTo' | 'save'>;
  fire: (minute: Date, skip?: Skip) => Promise<number>;
  drain: () => Promise<void>;
  failed: (error: unknown) => void;
};

const NEVER_SKIPPED = 3 * 60 * MINUTE;

/** Runs the schedules as time passes: at each real minute, and at each minute over which the clock is moved. */
export function createTimekeeper({ clock, fire, drain, failed }: Needs) {
  let fired = startOfMinute(clock.now());
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;
  let isPlayed = false;

  /** Moves do not overlap: a minute that passes during a move is one of its steps. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    clearTimeout(timer);
    const result = last.then(work);
    last = result.catch(() => {}).finally(waitForNextMinute);
    return result;
  }

  function waitForNextMinute(): void {
    clearTimeout(timer);
    if (closed) return;
    timer = setTimeout(() => inTurn(tick).catch(failed), fired + MINUTE - clock.now());
    timer.unref();
  }

  /** Minutes during which the machine was asleep are not caught up. */
  async function tick(): Promise<void> {
    const minute = startOfMinute(clock.now());
    if (closed || minute <= fired) return;
    fired = minute;
    await fire(new Date(minute));
  }

  async function move(to: number, isPlanned = false): Promise<number> {
    let runs = 0;
    const from = fired;
    await drain();
    for (let minute = fired + MINUTE; minute <= to && !closed; minute += MINUTE) {
      clock.moveTo(minute);
      fired = minute;
      // In a long move, every schedule runs in the first hours and in the last minute. Between them, idle minutes are skipped.
      const mayBeIdle = minute - from > NEVER_SKIPPED && minute + MINUTE <= to;
      runs += await fire(new Date(minute), isPlanned ? 'unplanned' : mayBeIdle ? 'idle' : 'nothing');
      await drain();
    }
    clock.moveTo(to);
    clock.save();
    await drain();
    return runs;
  }

  /** Whatever is stored before it begins may have been written after the schedules ran, so all of them run in its first minute. */
  async function play(to: number): Promise<void> {
    if (!isPlayed) await move(Math.min(to, fired + MINUTE));
    isPlayed = true;
    await move(to, true);
  }

  async function jump(to: number): Promise<void> {
    clock.moveTo(to);
    clock.save();
    fired = startOfMinute(clock.now());
    await drain();
  }

  waitForNextMinute();
  return {
    /** Moves the clock minute by minute; returns how many scheduled runs succeeded. */
    move: (to: number) => inTurn(() => move(to)),
    /**
     * Moves the clock through a history in which everything that may become due is planned. A schedule runs only at the `next`
     * that its last run returned, whatever is written on the way.
     */
    play: (to: number) => inTurn(() => play(to)),
    /** Moves the clock as if the schedules had been down. They run again from the next minute on. */
    jump: (to: number) => inTurn(() => jump(to)),
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
