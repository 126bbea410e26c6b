export type Activity = ReturnType<typeof createActivity>;

export function createActivity() {
  let underWay = 0;
  let waiting: (() => void)[] = [];
  return {
    /** Begins an operation; returns a function that ends it. */
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
    idle: () => (underWay === 0 ? Promise.resolve() : new Promise<void>(done => waiting.push(done))),
  };
}
