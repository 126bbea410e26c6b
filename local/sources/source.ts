/** Something that calls functions by itself: a queue, a stream. */
export type Source = {
  /** What it reads, so that writes there wake it. */
  reads: 'queue' | 'table' | 'bus';
  /** Look whether there is something to do now. */
  wake: () => void;
  /** Whether something is left to do at the present simulated time. */
  busy: () => boolean;
  /** Resolves when nothing is. */
  settle: () => Promise<void>;
  close: () => void;
};
