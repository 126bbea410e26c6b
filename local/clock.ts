import { join } from 'node:path';
import { readState, writeState } from './state.ts';

export type Clock = {
  now: () => number;
  offset: () => number;
  /**
   * The offset of who uses the stack: real time while the stack's clock is in the past, as it is while the history of the
   * demo data is played. Or codes and sessions would expire within seconds.
   */
  usersOffset: () => number;
  usersNow: () => number;
  /** Moves the clock forward to an instant; does nothing where that is in the past. */
  moveTo: (instant: number) => void;
  /** Ends an offset into the past: from now on the clock is real time. */
  endPast: () => void;
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
  const usersOffset = () => Math.max(offset, 0);
  const save = () => {
    if (saved !== offset) writeState(fileIn(dataDir), { offset });
    saved = offset;
  };
  return {
    now,
    offset: () => offset,
    usersOffset,
    usersNow: () => Date.now() + usersOffset(),
    synced() {
      if (sent.offset !== offset) sent = { offset, done: send(offset) };
      return sent.done;
    },
    moveTo(instant) {
      if (instant <= now()) return;
      offset = instant - Date.now();
      for (const listener of listeners) listener();
    },
    endPast() {
      offset = usersOffset();
      for (const listener of listeners) listener();
      save();
    },
    save,
    onMove(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const fileIn = (dataDir: string) => join(dataDir, 'clock.json');

/** For a directory without data: its clock starts so far from real time. */
export const storeOffset = (dataDir: string, offset: number) => writeState(fileIn(dataDir), { offset });

export const storedOffset = (dataDir: string) => readState(fileIn(dataDir), { offset: 0 }).offset;
