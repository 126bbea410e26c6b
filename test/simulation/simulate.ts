import type { Fault } from './faults.ts';
import { type Violation, violations } from './invariants.ts';
import { newModel } from './organizations.ts';
import { runReaders } from './readers.ts';
import { type Outage, runSending } from './sending.ts';
import { interfere, repairKeys, runUsers } from './users.ts';
import { type Run, type World, worldOf } from './world.ts';

export type Result = {
  seed: number;
  hash: number;
  lines: string[];
  violations: Violation[];
  faults: [Fault, number][];
};

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** What cannot be sent is stale after a day. */
const LONGEST_REST = 26 * HOUR;

/** One run of the product in a world that the seed decides: what happened, and what must not have. */
export async function simulate(run: Run): Promise<Result> {
  const world = worldOf(run);
  const { scheduler, faults, random } = world;
  const now = scheduler.now();
  const model = await world.prepare(table => newModel({ table, now }, random.fork('organizations')));
  const start = scheduler.now().getTime();
  const days = random.weighted([
    [5, 1],
    [3, 2],
    [1, 3],
  ]);
  const until = start + days * DAY + random.int(DAY);
  const outages = outagesWithin(world, start, until);
  const sending = runSending(world, until, outages);
  runUsers(world, model, until);
  runReaders(world);
  interfere(world, model);
  await scheduler.run(until);
  faults.isOver = true;
  repairKeys(world, model);
  for (let rested = 0; !sending.isAtRest(); rested += MINUTE) {
    if (rested > LONGEST_REST) throw new Error('The simulation does not come to rest');
    await scheduler.run(scheduler.now().getTime() + MINUTE);
  }
  const { hash, lines } = scheduler.trace;
  const isCalm = outages.length === 0 && faults.counts.size === 0 && world.revokedKeys.size === 0;
  const found = violations({ world, model, start, until, isCalm });
  return { seed: run.seed, hash, lines, violations: found, faults: [...faults.counts] };
}

/** Times in which functions do not run. */
function outagesWithin({ random }: World, start: number, until: number): Outage[] {
  const dice = random.fork('outages');
  const count = dice.pick([0, 0, 0, 1, 1, 2]);
  return Array.from({ length: count }, () => {
    const from = start + dice.int(until - start);
    const length = dice.weighted([
      [4, dice.between(2, 30) * MINUTE],
      [3, dice.between(1, 8) * HOUR],
      [2, dice.between(20, 30) * HOUR],
    ]);
    const functions = dice.pick<Outage['functions']>([['sweep'], ['sender'], ['sweep', 'sender']]);
    return { from, until: Math.min(from + length, until), functions };
  });
}
