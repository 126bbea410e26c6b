import type { Pool } from './pool.ts';

const SWEEP = 'functions/sending/sweep.ts';
const SENDER = 'functions/sending/sender.ts';

/** The moments at which a process can be killed, each with the source file of the function. */
const MOMENTS = {
  /** When its first queue message arrives. */
  sweep: SWEEP,
  /** When its call to the provider arrives, which is then not accepted. */
  before_post: SENDER,
  /** After the provider has accepted its call, before the response. */
  after_post: SENDER,
} as const;

type Kill = keyof typeof MOMENTS;
export const KILLS = Object.keys(MOMENTS) as Kill[];

export type Killer = ReturnType<typeof createKiller>;

/** Kills a process of a function in the middle of its work, on demand. */
export function createKiller(pools: () => Pool[]) {
  const ended = new Set<string>();
  let next: Kill | null = null;
  return {
    /** Kills a process at the next such moment; null cancels that. */
    set: (kill: Kill | null) => {
      next = kill;
    },
    /** Whether the calling process is killed at this moment. Returns true only once. */
    strikes(kill: Kill, caller: string) {
      if (next !== kill) return false;
      const pool = pools().find(({ entry, runs }) => entry === MOMENTS[kill] && runs(caller));
      if (!pool) return false;
      next = null;
      ended.add(caller);
      pool.kill(caller);
      return true;
    },
    /** Whether a caller was killed: its later calls are dropped. */
    hasEnded: (caller: string) => ended.has(caller),
  };
}
