import type { Pack } from '#core/sending/pack.ts';
import type { Table } from '#core/storage/table.store.ts';
import { stillTableOf, TABLE_FAULTS, tableOf } from './client.ts';
import { FAULTS, Faults } from './faults.ts';
import { PROVIDER_FAULTS, Provider } from './provider.ts';
import { type Random, randomFrom } from './random.ts';
import { type Failure, type Process, Scheduler } from './scheduler.ts';
import { Store } from './table/store.ts';

/** If `failureOf` is given, no other fault occurs. */
export type Run = { seed: number; traced?: boolean; failureOf?: (process: Process) => Failure | undefined };

/** Start times around changes of calendars and clocks, and an ordinary one. */
const STARTS =
  `2030-03-04 2028-02-28 2028-02-29 2027-02-27 2027-12-31 2028-12-30 2030-01-30 2030-03-30 2029-10-27
  2100-02-28`.split(/\s+/);
const DAY = 24 * 60 * 60 * 1000;

const startOf = (random: Random) =>
  new Date(Date.parse(random.pick(STARTS)) + (random.chance(0.5) ? random.int(DAY) : DAY / 2 - 100_000));

/** The environment of the code: time, table, provider, and their faults, all decided by one seed. */
export function newEnvironment({ seed, traced = false, failureOf }: Run) {
  const random = randomFrom(seed);
  const faults = new Faults(random.fork('faults'), failureOf ? [] : FAULTS);
  const scheduler = new Scheduler({
    random: random.fork('scheduler'),
    start: startOf(random.fork('start')),
    disruptionOf: faults.disruptionOf,
    skewOf: faults.skew,
    ...(failureOf && { failureOf }),
    traced,
  });
  const staleness = { random: random.fork('staleness'), lag: faults.lag };
  const store = new Store(() => scheduler.now().getTime(), staleness);
  const revokedKeys = new Set<string>();
  const provider = new Provider(scheduler, {
    random: random.fork('provider'),
    faultOf: () => faults.oneOf(PROVIDER_FAULTS, 'provider '),
    isSlow: () => faults.happens('provider slow'),
    isKey: key => key.startsWith('key-') && !revokedKeys.has(key),
    isBadAddress: address => address.startsWith('bad'),
    isBadDomain: domain => domain.startsWith('bad'),
  });
  const tables = {
    scheduler,
    store,
    random: random.fork('table'),
    faultOf: () => faults.oneOf(TABLE_FAULTS),
    latency: faults.latency,
  };
  return {
    random: random.fork('model'),
    faults,
    scheduler,
    store,
    provider,
    /** Keys that the provider does not accept any more. */
    revokedKeys,
    /** The packs that were queued for senders, and a function that queues one. */
    queued: { packs: [] as Pack[], send: notRunning },
    /** Hooks for moments that no change of the table shows. */
    moments: { onSweep: () => {}, onPack: (_: Pack) => {} },
    tableFor: (process: Process): Table => tableOf(tables, process),
    /** The table without simulated time and faults. */
    stillTable: stillTableOf(store),
    /** Awaits a process without faults. */
    async prepare<T>(work: (table: Table) => Promise<T>): Promise<T> {
      faults.isOver = true;
      const done = scheduler.start('prepare', process => work(tableOf(tables, process)));
      await scheduler.run();
      faults.isOver = false;
      const outcome = await done;
      if (outcome.state === 'ended') return outcome.value;
      throw outcome.state === 'failed' ? outcome.error : new Error('The preparation died');
    },
  };
}

type Send = (process: Process, pack: Pack, seconds: number) => Promise<void>;
const notRunning: Send = () => Promise.reject(new Error('Nothing is sent yet'));

export type Environment = ReturnType<typeof newEnvironment>;
export type { Random };
