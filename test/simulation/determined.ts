import { AsyncLocalStorage } from 'node:async_hooks';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import type { Random } from './random.ts';

/** The deterministic replacements for randomness and timers within a simulated process. */
type Determined = { random: Random; sleep: (ms: number) => Promise<void> };

const simulated = new AsyncLocalStorage<Determined>();

/** Runs work whose randomness comes from the seed and whose timers run in simulated time. */
export const determined = <T>(by: Determined, work: () => T): T => simulated.run(by, work);

type Functions = Record<string, (...args: never[]) => unknown>;

/** Replaces a function: within a simulated process `by` is called, everywhere else the original. */
function replace<K extends string>(
  of: object,
  name: K,
  by: (determined: Determined, ...args: never[]) => unknown,
): void {
  const functions = of as Functions;
  const original = functions[name] as (...args: unknown[]) => unknown;
  functions[name] = (...args) => {
    const store = simulated.getStore();
    return store ? by(store, ...args) : original(...args);
  };
}

const uuid = (bytes: Buffer) => {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

replace(crypto, 'randomBytes', ({ random }, size: number) => Buffer.from(random.bytes(size)));
replace(crypto, 'randomUUID', ({ random }) => uuid(Buffer.from(random.bytes(16))));
replace(crypto, 'randomInt', ({ random }, from: number, until?: number) =>
  until === undefined ? random.int(from) : random.between(from, until - 1),
);
replace(timers, 'setTimeout', ({ sleep }, ms: number, value?: unknown) => sleep(ms).then(() => value));
replace(Math, 'random', ({ random }) => random.next());
// Updates the named imports that other modules have of these modules.
syncBuiltinESMExports();
