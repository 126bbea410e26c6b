/** Something that invokes functions by itself: a queue, a stream, a call that is retried. */
export type Source = {
  /** Looks now whether there is something to do. */
  wake: () => void;
  /** Whether something is left to do at the present simulated time. */
  busy: () => boolean;
  /** Resolves when nothing is. */
  settle: () => Promise<void>;
  close: () => void;
};
