import { rebuild } from '#core/operations/rebuild.ts';
import { findAll } from '#core/organization/organization.ts';
import { runBroadcasts } from './broadcasts.ts';
import { type Environment, newEnvironment, type Run } from './environment.ts';
import { runEventCalls } from './events.ts';
import type { Fault } from './faults.ts';
import { interfere } from './interference.ts';
import { finishedRun, type Violation, violations } from './invariants.ts';
import { beginWarmUps, type Model, newModel } from './organizations.ts';
import { runEvents } from './provider-events.ts';
import { readLog } from './read-log.ts';
import { runReaders } from './readers.ts';
import { type Outage, partIn, runSending } from './sending.ts';
import { runSequences } from './sequences.ts';
import { situationsIn } from './situations.ts';
import { repairKeys, runNewcomers, runSwitching, runTimeChanges, runUsers } from './users.ts';

export type Result = {
  seed: number;
  hash: number;
  lines: string[];
  violations: Violation[];
  faults: [Fault, number][];
  situations: string[];
};

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/**
 * Until all waiting emails were sent or skipped: a broadcast may wait for quiet hours, and after a day its emails are stale. In a
 * warm-up it takes days.
 */
const LONGEST_DRAIN = 50 * HOUR + 4 * DAY;
/** One in this many runs recounts everything at its end, and reads the log. */
const LOOKED_AT = 10;

/** Runs the product in an environment that the seed decides. Returns what happened, and which invariants were violated. */
export async function simulate(run: Run): Promise<Result> {
  const environment = newEnvironment(run);
  const { scheduler, faults, random } = environment;
  const now = scheduler.now();
  const model = await environment.prepare(table => newModel({ table, now }, random.fork('organizations')));
  await environment.prepare(table => beginWarmUps({ table, now }, random.fork('warm-ups'), model));
  const start = scheduler.now().getTime();
  const days = random.weighted([
    [5, 1],
    [3, 2],
    [1, 3],
  ]);
  const until = start + days * DAY + random.int(DAY);
  const outages = outagesWithin(environment, start, until);
  const sending = runSending(environment, until, outages, partIn(environment, model));
  runUsers(environment, model, until);
  runSwitching(environment, model, until);
  runTimeChanges(environment, model, until);
  runBroadcasts(environment, model, until);
  runSequences(environment, model, until);
  runEventCalls(environment, model, until);
  runNewcomers(environment, model, [{ from: start, until }, ...outages]);
  const others = [sending, runReaders(environment), runEvents(environment)];
  interfere(environment, model);
  await scheduler.run(until);
  faults.isOver = true;
  repairKeys(environment, model);
  for (let waited = 0; !others.every(other => other.isIdle()); waited += MINUTE) {
    if (waited > LONGEST_DRAIN) throw new Error('The simulation does not come to rest');
    await scheduler.run(scheduler.now().getTime() + MINUTE);
  }
  const { hash, lines } = scheduler.trace;
  const isCalm = outages.length === 0 && faults.counts.size === 0 && environment.revokedKeys.size === 0;
  const finished = finishedRun({ environment, model, start, until, outages, isCalm });
  const found = [
    ...violations(finished),
    ...(run.seed % LOOKED_AT === 0
      ? [...(await rebuilt(environment, model)), ...(await readLog(finished))]
      : []),
  ];
  return {
    seed: run.seed,
    hash,
    lines,
    violations: found,
    faults: [...faults.counts],
    situations: situationsIn(finished),
  };
}

/** The differences that the rebuild command finds at the end of a run, when the projector has counted everything. */
async function rebuilt(environment: Environment, { organizations }: Model): Promise<Violation[]> {
  const invariant = 'what is counted anew is what was counted';
  const { stillTable: table } = environment;
  const needs = { table, pause: async () => {}, progress: () => {} };
  const found: Violation[] = [];
  for (const { id } of await findAll(
    needs,
    organizations.map(({ id }) => id),
  )) {
    for await (const { of, key, name, stored, counted } of rebuild(needs, id, { fix: false })) {
      found.push({ invariant, found: `${of}, ${key.SK} ${name}: ${stored}, not ${counted}` });
    }
  }
  return found;
}

/** Spans of time in which functions do not run. */
function outagesWithin({ random }: Environment, start: number, until: number): Outage[] {
  const dice = random.fork('outages');
  const count = dice.pick([0, 0, 0, 1, 1, 2]);
  return Array.from({ length: count }, () => {
    const from = start + dice.int(until - start);
    const length = dice.weighted([
      [4, dice.between(2, 30) * MINUTE],
      [3, dice.between(1, 8) * HOUR],
      [2, dice.between(20, 30) * HOUR],
    ]);
    const functions = dice.pick<Outage['functions']>([
      ['sweep'],
      ['sender'],
      ['sweep', 'sender'],
      ['dispatcher'],
      ['projector'],
    ]);
    return { from, until: Math.min(from + length, until), functions };
  });
}
