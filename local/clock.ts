import { join } from 'node:path';
import { readState, writeState } from './state.ts';

export type Clock = {
  now: () => number;
  offset: () => number;
  /** Moves the clock forward to an instant; does nothing where that is in the past. */
  moveTo: (instant: number) => void;
  /** Saves the offset to the data directory: before anything is stored that was made at this time. */
  save: () => void;
  /** Resolves when the engines have the present offset: to be awaited before a call to one of them. */
  synced: () => Promise<void>;
  /** Calls a listener after each move; returns a function that stops that. */
  onMove: (listener: () => void) => () => void;
};

/** Real time plus an offset. A restart keeps it, so that nothing that is stored lies in the future. */
export function createClock(dataDir: string, send: (offset: number) => Promise<void>): Clock {
  const listeners = new Set<() => void>();
  let offset = storedOffset(dataDir);
  let saved = offset;
  // The engines get the offset only when one of them is called, not after each move: a move of a year has 525,600.
  let sent: { offset: number; done: Promise<void> } = { offset, done: Promise.resolve() };
  const now = () => Date.now() + offset;
  return {
    now,
    offset: () => offset,
    synced() {
      if (sent.offset !== offset) sent = { offset, done: send(offset) };
      return sent.done;
    },
    moveTo(instant) {
      if (instant <= now()) return;
      offset = instant - Date.now();
      for (const listener of listeners) listener();
    },
    save() {
      if (saved !== offset) writeState(fileIn(dataDir), { offset });
      saved = offset;
    },
    onMove(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const fileIn = (dataDir: string) => join(dataDir, 'clock.json');

export const storedOffset = (dataDir: string) => readState(fileIn(dataDir), { offset: 0 }).offset;
