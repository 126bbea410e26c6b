import { isDeepStrictEqual } from 'node:util';
import * as automations from '#core/automation/automation.store.ts';
import * as list from '#core/list/list.ts';
import * as members from '#core/list/list-member/list-member.ts';
import * as listMember from '#core/list/list-member/rows.ts';
import { explain } from '#core/person/explanation.ts';
import { memberId } from '#core/recipient/recipient.key.ts';
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
  const dayOf = (organization: number) =>
    [
      ...claims
        .filter(one => one.organization === organization && one.releasedAt === undefined)
        .map(({ hash, claim }) => ({ ...parseBatchId(claim.batch), hash, reason: 'sent' })),
      ...skips.filter(one => one.organization === organization),
    ].filter(({ minute }) => minute >= minuteOf(now) && minute < minuteOf(new Date(until)));
  for (const { id, active } of asking) {
    const found = dayOf(id).filter(({ automation }) => active.some(one => one.id === automation));
    for (const reason of new Set(found.map(({ reason }) => reason))) {
      const some = found.filter(one => one.reason === reason).slice(0, MOST_EXPLAINED);
      wrong.push(...(await unexplained({ table, now: scheduler.now() }, id, some)));
    }
  }
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
      const logged = dayOf(organization);
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

/** So many emails of each outcome are explained in an organization. */
const MOST_EXPLAINED = 3;
type Logged = { hash: string; list: string; automation: string; minute: string; reason: string };

/** What the explanation of a member does not say of emails that were sent or skipped. */
async function unexplained(
  needs: { table: Environment['stillTable']; now: Date },
  organization: number,
  logged: Logged[],
): Promise<string[]> {
  const wrong: string[] = [];
  for (const { hash, list: of, automation, minute, reason } of logged) {
    const [member, stored] = await Promise.all([
      members.find(needs, organization, memberId(of, hash)),
      automations.read(needs.table, organization, automation),
    ]);
    const { past } = stored ? await explain(needs, member, stored) : { past: [] };
    const rows = past.filter(({ due_at }) => due_at.startsWith(minute));
    // What was skipped on this list may have been sent by another one, and the explanation says so.
    if (rows.some(({ other_list }) => other_list !== null)) continue;
    const said = rows.map(({ status, reason, sent_at }) =>
      status === 'skipped' ? String(reason) : sent_at || status === 'failed' ? 'sent' : status,
    );
    if (!said.includes(reason)) wrong.push(`${automation} ${minute} ${reason}: explained as ${said}`);
  }
  return wrong;
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
