/** Counts the operations in progress. */
export type Activity = {
  /** Begins an operation; returns a function that ends it. */
  begin: () => () => void;
  busy: () => boolean;
  /** Resolves when no operation is in progress. */
  idle: () => Promise<void>;
};

export function createActivity(): Activity {
  let underWay = 0;
  let waiting: (() => void)[] = [];
  return {
    begin() {
      underWay += 1;
      return () => {
        underWay -= 1;
        if (underWay > 0) return;
        for (const resume of waiting) resume();
        waiting = [];
      };
    },
    busy: () => underWay > 0,
    idle: () => (underWay === 0 ? Promise.resolve() : new Promise(done => waiting.push(done))),
  };
}
