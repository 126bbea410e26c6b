import { isDeepStrictEqual } from 'node:util';
import * as automations from '#core/automation/automation.store.ts';
import * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/rows.ts';
import { parseBatchId } from '#core/sending/batch/batch.store.ts';
import * as forecast from '#core/sending/forecast/forecast.ts';
import { simulate } from '#core/sending/forecast/simulation.ts';
import { minuteOf } from '#core/sending/pack.ts';
import { type Environment, newEnvironment } from './environment.ts';
import { finishedRun } from './invariants.ts';
import { type Model, newModel } from './organizations.ts';
import { readLog } from './read-log.ts';
import { runSending } from './sending.ts';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

/** The numbers of emails by `<automation> <hour> <reason, or sent>`. */
type Counts = Record<string, number>;

/** The forecast of the next day, and the log of that day. */
type Compared = {
  organization: number;
  /** Whether times of day, days off or quiet hours decide when its emails go. */
  isTimed: boolean;
  said: Counts;
  logged: Counts;
  wrong: string[];
};

/** Compares organizations seed by seed, until there were enough of them. Counts how often each outcome occurred, by reason. */
export async function compareMany(from: number, organizations: number) {
  const seen: Counts = {};
  const timed: Counts = {};
  const differing: (Compared & { seed: number })[] = [];
  for (let seed = from, compared = 0; compared < organizations; seed++) {
    for (const one of await compare(seed)) {
      compared++;
      if (one.wrong.length > 0 || !isDeepStrictEqual(one.said, one.logged)) differing.push({ seed, ...one });
      for (const [name, number] of Object.entries(one.logged)) {
        const reason = name.slice(name.lastIndexOf(' ') + 1);
        seen[reason] = (seen[reason] ?? 0) + number;
        if (one.isTimed) timed[reason] = (timed[reason] ?? 0) + number;
      }
    }
  }
  return { differing, seen, timed };
}

/**
 * Lets organizations send for a while without faults, makes some people leave a list, forecasts the next day, and runs the
 * clock over it.
 */
async function compare(seed: number): Promise<Compared[]> {
  const environment = newEnvironment({ seed });
  const { scheduler, faults, random, stillTable: table } = environment;
  const model = await environment.prepare(table =>
    newModel({ table, now: scheduler.now() }, random.fork('organizations')),
  );
  faults.happens = () => false;
  const start = scheduler.now().getTime();
  const asked = start + DAY / 4 + random.int(DAY);
  const until = Math.floor(asked / MINUTE) * MINUTE + DAY;
  const sending = runSending(environment, until, [], 'usual');
  await scheduler.run(asked);
  const now = scheduler.now();
  await someLeave(environment, model, now);
  const hasTimeLeft = () => true;
  const asking = await Promise.all(
    model.organizations.map(async ({ id, times }) => {
      const active = (await automations.readAll(table, id)).filter(automation => automation.active);
      const simulations = await Promise.all(
        active.map(automation => simulate({ table, now, hasTimeLeft }, automation)),
      );
      const isTimed = times !== undefined;
      return {
        id,
        isTimed,
        active,
        simulations,
        days: await forecast.ofOrganization({ table, now, hasTimeLeft }, id),
      };
    }),
  );
  await scheduler.run(until);
  faults.isOver = true;
  while (!sending.isIdle()) await scheduler.run(scheduler.now().getTime() + MINUTE);
  const finished = finishedRun({ environment, model, start, until, outages: [], isCalm: true });
  const wrong = (await readLog(finished)).map(({ invariant, found }) => `${invariant}: ${found}`);
  const { claims, skips } = finished.history;
  const today = now.toISOString().slice(0, 10);
  return asking.map(
    ({
      id: organization,
      isTimed,
      active,
      simulations,
      days: {
        days: [first],
      },
    }) => {
      const logged = [
        ...claims
          .filter(one => one.organization === organization && one.releasedAt === undefined)
          .map(({ claim }) => ({ ...parseBatchId(claim.batch), reason: 'sent' })),
        ...skips.filter(one => one.organization === organization),
      ].filter(({ minute }) => minute >= minuteOf(now) && minute < minuteOf(new Date(until)));
      return {
        organization,
        isTimed,
        wrong,
        logged: count(
          logged.flatMap(({ automation, minute, reason }) => [
            `${automation} ${reason}`,
            `${automation} ${minute.slice(0, 13)} ${sentOrSkipped(reason)}`,
            ...(minute.startsWith(today) ? [`all of today ${sentOrSkipped(reason)}`] : []),
          ]),
        ),
        said: Object.assign(
          withoutZeros({
            'all of today sent': first?.count ?? 0,
            'all of today skipped': first?.skipped ?? 0,
          }),
          ...active.map(({ id }, at) => {
            const { will_send, skipped, hourly_summary } = simulations[at] as Awaited<
              ReturnType<typeof simulate>
            >;
            return withoutZeros({
              [`${id} sent`]: will_send,
              ...Object.fromEntries(
                Object.entries(skipped).map(([reason, number]) => [`${id} ${reason}`, number]),
              ),
              ...Object.fromEntries(
                hourly_summary.flatMap(({ hour, will_send: sent, skipped }) => [
                  [`${id} ${hour.slice(0, 13)} sent`, sent],
                  [`${id} ${hour.slice(0, 13)} skipped`, skipped],
                ]),
              ),
            });
          }),
        ),
      };
    },
  );
}

/** Some people leave one of their lists and stay in the others. */
async function someLeave({ stillTable: table, random }: Environment, model: Model, now: Date): Promise<void> {
  const dice = random.fork('leaving');
  for (const { id, lists } of model.organizations) {
    for (const email of model.people.filter(() => dice.chance(0.15))) {
      const of = await list.lookUp({ table }, id, dice.pick(lists));
      if (of) await listMember.upsertAll({ table, now }, of, [{ email, is_subscribed: false }]);
    }
  }
}

const sentOrSkipped = (reason: string) => (reason === 'sent' ? 'sent' : 'skipped');

function count(names: string[]): Counts {
  const counts: Counts = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

const withoutZeros = (counts: Counts): Counts =>
  Object.fromEntries(Object.entries(counts).filter(([, number]) => number > 0));
