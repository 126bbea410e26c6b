import type { Pack } from '#core/sending/pack.ts';
import type { Table } from '#core/storage/table.store.ts';
import { stillTableOf, TABLE_FAULTS, tableOf } from './client.ts';
import { FAULTS, Faults } from './faults.ts';
import { Provider } from './provider.ts';
import { type Random, randomFrom } from './random.ts';
import { type Failure, type Process, Scheduler } from './scheduler.ts';
import { Store } from './table/store.ts';

/** If `failureOf` is given, no other fault occurs. */
export type Run = { seed: number; traced?: boolean; failureOf?: (process: Process) => Failure | undefined };

/** Start times around changes of calendars and clocks, and an ordinary one. */
const STARTS =
  `2030-03-04 2028-02-28 2028-02-29 2027-02-27 2027-12-31 2028-12-30 2030-01-30 2030-03-30 2029-10-27
  2100-02-28`.split(/\s+/);
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const MOST_A_DAY = 50_000;

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
  const ses = accountOf(random.fork('ses'), scheduler);
  const provider = new Provider(scheduler, {
    random: random.fork('provider'),
    faultOf: possible => faults.oneOf(possible, 'provider '),
    isSlow: () => faults.happens('provider slow'),
    isKey: key => key.startsWith('key-') && !revokedKeys.has(key),
    isBadAddress: address => address.startsWith('bad'),
    isBadDomain: domain => domain.startsWith('bad'),
    isClosed: () => !faults.isOver && ses.isClosed(),
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
    ses,
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

/** What SES lets the account send. For a while it takes nothing, and says so, or says it later. */
function accountOf(random: Random, scheduler: Scheduler) {
  const perSecond = random.pick([0.2, 1, 14, 200]);
  const from = scheduler.now().getTime() + random.int(DAY);
  const until = from + random.pick([0, 0, HOUR / 4, HOUR, 6 * HOUR]);
  const isTold = random.chance(0.7);
  const isPaused = random.chance(0.5);
  const isClosed = () => scheduler.now().getTime() >= from && scheduler.now().getTime() < until;
  return {
    perSecond,
    isClosed,
    account: () => {
      const isOpen = !isTold || !isClosed();
      const SentLast24Hours = isOpen || isPaused ? 0 : MOST_A_DAY;
      const SendQuota = { MaxSendRate: perSecond, Max24HourSend: MOST_A_DAY, SentLast24Hours };
      return { SendQuota, SendingEnabled: isOpen || !isPaused, EnforcementStatus: 'HEALTHY' };
    },
  };
}

type Send = (process: Process, pack: Pack, seconds: number) => Promise<void>;
const notRunning: Send = () => Promise.reject(new Error('Nothing is sent yet'));

export type Environment = ReturnType<typeof newEnvironment>;
export type { Random };
