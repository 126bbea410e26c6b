import type { Pool } from './pool.ts';

const SWEEP = 'functions/sending/sweep.ts';
const SENDER = 'functions/sending/sender.ts';

/** When a process is ended: the function that it runs, by its source file. */
const MOMENTS = {
  /** As its first queue message has arrived. */
  sweep: SWEEP,
  /** As its call of the provider arrives, which is not accepted. */
  before_post: SENDER,
  /** After the provider has accepted its call, and before the answer. */
  after_post: SENDER,
} as const;

type Kill = keyof typeof MOMENTS;
export const KILLS = Object.keys(MOMENTS) as Kill[];

/** Ends one process of a function in the middle of its work, on demand. */
export type Killer = {
  /** At the next such moment; null for never. */
  set: (kill: Kill | null) => void;
  /** Whether the process that calls is ended now. It happens once. */
  strikes: (kill: Kill, caller: string) => boolean;
  /** Whether a caller was ended: what it had still sent does not arrive. */
  hasEnded: (caller: string) => boolean;
};

export function createKiller(pools: () => Pool[]): Killer {
  const ended = new Set<string>();
  let next: Kill | null = null;
  return {
    set: kill => {
      next = kill;
    },
    strikes(kill, caller) {
      if (next !== kill) return false;
      const pool = pools().find(({ entry, runs }) => entry === MOMENTS[kill] && runs(caller));
      if (!pool) return false;
      next = null;
      ended.add(caller);
      pool.kill(caller);
      return true;
    },
    hasEnded: caller => ended.has(caller),
  };
}
