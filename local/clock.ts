import { join } from 'node:path';
import { readState, writeState } from './state.ts';

export type Clock = {
  now: () => number;
  offset: () => number;
  /** Moves the clock to an instant, or leaves it where it is when that lies behind. */
  moveTo: (instant: number) => void;
  /** Writes down where the clock stands. */
  keep: () => void;
  /** Resolves once the engines have heard of the last move. */
  told: () => Promise<void>;
  /** Told after each move, until the answer is called. */
  onMove: (listener: () => void) => () => void;
};

/** Real time plus an offset, which outlives a restart: what is stored must not lie in the future. */
export function createClock(dataDir: string, tell: (offset: number) => Promise<void>): Clock {
  const listeners = new Set<() => void>();
  let offset = storedOffset(dataDir);
  // The engines hear of a move only before the next call to one of them, or a year of idle minutes would take long.
  let telling: { offset: number; done: Promise<void> } = { offset, done: Promise.resolve() };
  const now = () => Date.now() + offset;
  return {
    now,
    offset: () => offset,
    told() {
      if (telling.offset !== offset) telling = { offset, done: tell(offset) };
      return telling.done;
    },
    moveTo(instant) {
      if (instant <= now()) return;
      offset = instant - Date.now();
      for (const listener of listeners) listener();
    },
    keep: () => writeState(fileIn(dataDir), { offset }),
    onMove(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const fileIn = (dataDir: string) => join(dataDir, 'clock.json');

export const storedOffset = (dataDir: string) => readState(fileIn(dataDir), { offset: 0 }).offset;
