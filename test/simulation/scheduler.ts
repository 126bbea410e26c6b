import { determined } from './determined.ts';
import { Heap } from './heap.ts';
import { hash, type Random } from './random.ts';

/** What happens to a process at an effect. A stall delays each of its next responses by simulated time. */
export type Disruption = 'live' | 'die-before' | 'die-after' | { stall: number };

/** How a single request of a process fails. After the last two, it is done. */
export const FAILURES = ['throttled', 'refused', 'answer lost', 'killed after'] as const;
export type Failure = (typeof FAILURES)[number];

/** One run of a function, or a request of a user. It has effects until it ends, fails or dies. */
export type Process = {
  readonly name: string;
  readonly random: Random;
  isDead: boolean;
  /** No response arrives before this instant. */
  stalledUntil: number;
  /** The error of its clock, in milliseconds. */
  readonly skew: number;
};

export type Outcome<T> =
  | { state: 'ended'; value: T }
  | { state: 'failed'; error: unknown }
  | { state: 'died' };

type Limits = { timeout?: number };

/** The latency of an effect, in milliseconds. */
type Latency = readonly [from: number, to: number];
const SHORT: Latency = [1, 20];
const LATEST = 5_000;
/** More than a crowded run needs: seven hundred packs that wait for a day, while much fails, take five million. */
const MOST_EVENTS = 6_000_000;

type Options = {
  random: Random;
  start: Date;
  disruptionOf?: (process: Process, effect: string) => Disruption;
  skewOf?: () => number;
  /** Whether this request of a process fails. */
  failureOf?: (process: Process) => Failure | undefined;
  /** Keeps the lines of the trace, which are otherwise only hashed. */
  traced?: boolean;
};

/**
 * Runs processes concurrently in simulated time. Effects take place one at a time, in an order that the seed decides. Between
 * two effects of a process no time passes.
 */
export class Scheduler {
  readonly #random: Random;
  readonly #disruptionOf: (process: Process, effect: string) => Disruption;
  readonly #skewOf: () => number;
  readonly #failureOf: (process: Process) => Failure | undefined;
  readonly #events = new Heap();
  readonly #lines: string[] | undefined;
  #hash = 0x811c9dc5;
  #instant: number;
  #processes = 0;
  #happened = 0;

  constructor(options: Options) {
    const { random, start, disruptionOf = () => 'live', skewOf = () => 0, traced = false } = options;
    this.#random = random;
    this.#disruptionOf = disruptionOf;
    this.#skewOf = skewOf;
    this.#failureOf = options.failureOf ?? (() => undefined);
    this.#instant = start.getTime();
    this.#lines = traced ? [] : undefined;
  }

  /** Failures that no injected fault explains. */
  readonly mistakes: string[] = [];

  readonly ended = new Set<string>();

  readonly now = () => new Date(this.#instant);

  readonly clockOf = (process: Process) => new Date(this.#instant + process.skew);

  get trace() {
    return { lines: this.#lines ?? [], hash: this.#hash };
  }

  note(line: string): void {
    this.#hash = hash(line, Math.imul(this.#hash ^ this.#instant, 0x01000193));
    this.#lines?.push(`${new Date(this.#instant).toISOString()} ${line}`);
  }

  /** Calls a function at an instant; immediately, if that has passed. */
  at(instant: number, call: () => void): void {
    this.#events.push({ at: Math.max(instant, this.#instant), order: this.#random.next(), call });
  }

  after(ms: number, call: () => void): void {
    this.at(this.#instant + ms, call);
  }

  /** Starts a process, which dies after its timeout. Its work must have no effects other than through this scheduler. */
  start<T>(
    name: string,
    work: (process: Process) => Promise<T>,
    { timeout }: Limits = {},
  ): Promise<Outcome<T>> {
    const id = `${name}/${++this.#processes}`;
    const process: Process = {
      name: id,
      random: this.#random.fork(id),
      isDead: false,
      stalledUntil: 0,
      skew: this.#skewOf(),
    };
    return new Promise(resolve => {
      const end = (state: string, outcome: Outcome<T>) => {
        if (process.isDead) return;
        this.note(`${id} ${state}`);
        this.#kill(process);
        resolve(outcome);
      };
      this.#deaths.set(process, () => end('died', { state: 'died' }));
      if (timeout !== undefined) this.after(timeout, () => this.kill(process));
      const sleep = (ms: number) => this.sleep<void>(process, ms);
      determined({ random: process.random, sleep }, async () => work(process)).then(
        value => {
          if (!process.isDead) this.ended.add(id);
          end('ended', { state: 'ended', value });
        },
        (error: unknown) => {
          if (isMistake(error)) this.mistakes.push(`${id}: ${(error as Error).stack}`);
          end(`failed ${nameOf(error)}`, { state: 'failed', error });
        },
      );
    });
  }

  readonly #deaths = new Map<Process, () => void>();

  #kill(process: Process): void {
    process.isDead = true;
    this.#deaths.delete(process);
  }

  /** From now on the process does nothing. Requests that it has sent may still arrive. */
  kill(process: Process): void {
    this.#deaths.get(process)?.();
  }

  /** An effect of a process on the environment. After the latency, it takes place at once or fails at once. */
  effect<T>(
    process: Process,
    name: string,
    effect: () => T,
    [from, to]: Latency = SHORT,
    throttled: () => T = refused,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      if (process.isDead) return;
      const failure = this.#failureOf(process);
      const run = failure ? this.#failing(process, failure, effect, throttled) : effect;
      const arrive = () => {
        // A request that a dead process has sent may still arrive, even late.
        if (process.isDead && this.#random.chance(0.5)) return;
        if (process.isDead && this.#random.chance(0.5)) {
          this.after(this.#random.int(LATEST), () =>
            this.#settled(process, `${name} late`, run, resolve, reject),
          );
          return;
        }
        const disruption = process.isDead ? 'live' : this.#disruptionOf(process, name);
        if (disruption !== 'live') this.note(`${process.name} ${name} ${JSON.stringify(disruption)}`);
        if (disruption === 'die-before') return this.kill(process);
        const settle = this.#settled(process, name, run, resolve, reject);
        if (disruption === 'die-after') return this.kill(process);
        if (typeof disruption === 'object') process.stalledUntil = this.#instant + disruption.stall;
        this.#deliver(process, settle);
      };
      this.after(this.#random.between(from, to), arrive);
    });
  }

  #failing<T>(process: Process, failure: Failure, effect: () => T, throttled: () => T): () => T {
    if (failure === 'throttled') return throttled;
    if (failure === 'refused') return refused;
    return () => {
      const value = effect();
      if (failure === 'answer lost') throw new Error('The connection was closed');
      this.kill(process);
      return value;
    };
  }

  /** Runs an effect; returns a function that settles its promise. */
  #settled<T>(
    process: Process,
    name: string,
    run: () => T,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ): () => void {
    try {
      const value = run();
      this.note(`${process.name} ${name}`);
      return () => resolve(value);
    } catch (error) {
      this.note(`${process.name} ${name} ${nameOf(error)}`);
      return () => reject(error);
    }
  }

  /** Delivers the response to a process: now, or when its stall ends; never if it is dead. */
  #deliver(process: Process, settle: () => void): void {
    if (process.isDead) return;
    if (process.stalledUntil <= this.#instant) settle();
    else this.at(process.stalledUntil, () => this.#deliver(process, settle));
  }

  readonly sleep = <T>(process: Process, ms: number): Promise<T> =>
    this.#answer(process, this.#instant + ms, () => undefined as T);

  #answer<T>(process: Process, at: number, run: () => T): Promise<T> {
    return new Promise(resolve => this.at(at, () => this.#deliver(process, () => resolve(run()))));
  }

  /** Runs all events until an instant, or until none is left. */
  async run(until = Infinity): Promise<void> {
    for (;;) {
      await settled();
      const event = this.#events.popUntil(until);
      if (!event) break;
      if (++this.#happened > MOST_EVENTS) throw new Error('Work multiplies, and comes to no end');
      this.#instant = event.at;
      event.call();
    }
    if (until !== Infinity) this.#instant = Math.max(this.#instant, until);
  }
}

function refused(): never {
  throw new Error('The request was refused');
}

const MISTAKES = new Set(
  'TypeError ReferenceError RangeError SyntaxError ValidationException TransactionTooLarge $ZodError'.split(
    ' ',
  ),
);
export const isMistake = (error: unknown): boolean =>
  error instanceof AggregateError
    ? error.errors.some(isMistake)
    : !(error instanceof Error) || MISTAKES.has(error.name);

const nameOf = (error: unknown) =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);

const settled = () => new Promise<void>(resolve => setImmediate(resolve));
