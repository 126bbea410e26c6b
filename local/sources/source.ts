/** A source that invokes functions by itself: a queue, a stream, pending calls. */
export type Source = {
  /** Makes it check now whether there is work. */
  wake: () => void;
  /** Whether there is work left at the present simulated time. */
  busy: () => boolean;
  /** Resolves when no work is left. */
  settle: () => Promise<void>;
  close: () => void;
};
