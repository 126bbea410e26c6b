import { PROVIDER_FAULTS } from './provider.ts';
import type { Random } from './random.ts';
import type { Disruption, Process } from './scheduler.ts';

/** The faults, with their rates in runs that have them. */
const RATES = {
  'killed before': 0.003,
  'killed after': 0.003,
  stalled: 0.003,
  throttle: 0.01,
  conflict: 0.01,
  part: 0.1,
  repeat: 0.01,
  'late copy': 0.01,
  'stale read': 0.2,
  'write lost': 0.005,
  'message twice': 0.2,
  'message to two': 0.1,
  'message late': 0.2,
  'record twice': 0.1,
  'record at once': 0.1,
  'queue refuses': 0.05,
  'queue loses answer': 0.05,
  'sweep twice': 0.2,
  'sweep missed': 0.1,
  'sweep paused': 0.1,
  'sender paused': 0.1,
  'clocks apart': 0.5,
  'table slow': 0.02,
  'shard splits': 0.02,
  'provider slow': 0.05,
  ...(Object.fromEntries(PROVIDER_FAULTS.map(fault => [`provider ${fault}`, 0.1])) as Record<
    `provider ${(typeof PROVIDER_FAULTS)[number]}`,
    number
  >),
  // A list whose key is denied sends nothing until it gets another key.
  'provider 401': 0.03,
  'provider 403': 0.03,
  'provider 404': 0.03,
  // SES alone has it.
  'provider parts': 0.3,
};

export type Fault = keyof typeof RATES;
export const FAULTS = Object.keys(RATES) as Fault[];

// The highest rate: some work must always succeed.
const MOST_OFTEN = 0.4;
// A fault is enabled in this share of the runs, so that it also occurs alone.
const SHARE_OF_RUNS = 0.25;
// This share of the runs has no faults.
const CALM = 0.05;
// Most stalls end before the timeout of the function.
const STALL = 40 * 1000;
const LONGEST_STALL = 10 * 60 * 1000;
/** The clocks of two processes differ by at most twice this. */
const MOST_SKEW = 2_500;

const SLOW = [
  [20, 500],
  [500, 5_000],
  [5_000, 15_000],
] as const;

/** The faults of one run: which are enabled, when they occur, and how often they have. */
export class Faults {
  readonly counts = new Map<Fault, number>();
  readonly #random: Random;
  readonly #kinds: Set<Fault>;
  readonly #intensity: number;
  isOver = false;

  constructor(random: Random, possible: readonly Fault[]) {
    this.#random = random;
    this.#intensity = random.pick([1, 1, 4]);
    const isCalm = random.chance(CALM);
    this.#kinds = new Set(possible.filter(() => random.chance(SHARE_OF_RUNS) && !isCalm));
  }

  happens(fault: Fault): boolean {
    if (this.isOver || !this.#kinds.has(fault) || !this.#random.chance(this.#rateOf(fault))) return false;
    this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1);
    return true;
  }

  #rateOf = (fault: Fault) => Math.min(MOST_OFTEN, RATES[fault] * this.#intensity);

  /** The first of these faults that occurs. */
  readonly oneOf = <F extends string>(faults: readonly F[], prefix = ''): F | undefined =>
    faults.find(fault => this.happens(`${prefix}${fault}` as Fault));

  readonly disruptionOf = (_process: Process): Disruption => {
    if (this.happens('killed before')) return 'die-before';
    if (this.happens('killed after')) return 'die-after';
    if (this.happens('stalled'))
      return { stall: this.#random.int(this.#random.chance(0.7) ? STALL : LONGEST_STALL) };
    return 'live';
  };

  readonly skew = (): number =>
    this.happens('clocks apart') ? this.#random.between(-MOST_SKEW, MOST_SKEW) : 0;

  /** The latency of a request to the table; undefined for the usual one. */
  readonly latency = (): readonly [number, number] | undefined =>
    this.happens('table slow') ? this.#random.pick(SLOW) : undefined;

  /** By how much an eventually consistent read lags behind. */
  readonly lag = (): number => {
    if (!this.happens('stale read')) return 0;
    return this.#random.weighted([
      [6, this.#random.int(100)],
      [3, this.#random.int(1_000)],
      [1, this.#random.int(4_000)],
    ]);
  };
}
