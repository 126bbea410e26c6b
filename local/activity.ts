/** Counts what is under way. */
export type Activity = {
  /** Returns a function that ends it. */
  begin: () => () => void;
  busy: () => boolean;
  /** Resolves when nothing is under way. */
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
