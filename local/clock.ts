import { join } from 'node:path';
import { readState, writeState } from './state.ts';

export type Clock = ReturnType<typeof createClock>;

/** Real time plus an offset. The offset survives a restart, so no stored time is in the future. */
export function createClock(dataDir: string, send: (offset: number) => Promise<void>) {
  const listeners = new Set<() => void>();
  let offset = storedOffset(dataDir);
  let saved = offset;
  // The engines get the offset only before a call, not after each move: moving over a year takes 525,600 of them.
  let sent: { offset: number; done: Promise<void> } = { offset, done: Promise.resolve() };
  const now = () => Date.now() + offset;
  // Users have real time while the clock is in the past, during the history of the demo data: otherwise login codes and
  // sessions would expire within seconds.
  const usersOffset = () => Math.max(offset, 0);
  /** The offset must be saved before anything with this time is stored. */
  const save = () => {
    if (saved !== offset) writeState(fileIn(dataDir), { offset });
    saved = offset;
  };
  return {
    now,
    offset: () => offset,
    usersOffset,
    usersNow: () => Date.now() + usersOffset(),
    /** Resolves when the engines have the present offset. Must be awaited before a call to one of them. */
    synced() {
      if (sent.offset !== offset) sent = { offset, done: send(offset) };
      return sent.done;
    },
    moveTo(instant: number) {
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
    /** Returns a function that removes the listener. */
    onMove(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const fileIn = (dataDir: string) => join(dataDir, 'clock.json');

export const storeOffset = (dataDir: string, offset: number) => writeState(fileIn(dataDir), { offset });

export const storedOffset = (dataDir: string) => readState(fileIn(dataDir), { offset: 0 }).offset;
