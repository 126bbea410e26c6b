/**
 * Moves `Date` by an offset. Timers and `performance` keep real time: otherwise they would hang or spin when the simulated
 * clock moves. Functions and engines load it with --import.
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
