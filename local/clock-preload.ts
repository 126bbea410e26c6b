/**
 * Moves `Date` by an offset. Timers and `performance` keep real time, so that nothing hangs or spins when the simulated
 * clock is moved. Loaded with --import into the functions and the engines.
 */
const Real = Date;
let offset = Number(process.env.LETTERFLOW_CLOCK_OFFSET ?? 0);
delete process.env.LETTERFLOW_CLOCK_OFFSET;

const now = () => Real.now() + offset;

const Simulated = new Proxy(Real, {
  apply: () => new Real(now()).toString(),
  construct: (target, given, self) => Reflect.construct(target, given.length === 0 ? [now()] : given, self),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});
Real.prototype.constructor = Simulated;

Object.assign(globalThis, {
  Date: Simulated,
  [Symbol.for('letterflow.clock')]: (milliseconds: number) => {
    offset = milliseconds;
  },
});

export {};
