import { randomUUID } from 'node:crypto';
import type { Pool } from '../functions/pool.ts';
import type { Outcome } from '../functions/worker.ts';
import { poolByUri } from '../gateway/gateway.ts';
import { ACCOUNT, identify } from '../template/identity.ts';
import { readAll } from '../template/read.ts';
import type { Resolver, Resource } from '../template/resolver.ts';
import { type Due, dueOf } from './cron.ts';
import { pauseAfter, retries } from './retries.ts';

export type Schedules = {
  /**
   * Runs what is due in the minute that begins at an instant; answers how many runs succeeded. `skipIdle` leaves out
   * a schedule until the instant its last run answered as `next`, as long as nothing was written since.
   */
  fire: (minute: Date, skipIdle?: boolean) => Promise<number>;
};

type Schedule = {
  due: Due;
  pool: Pool;
  event: (minute: Date) => unknown;
  /** When the last run said that it next has something to do, and how much had been written by then. */
  idle?: { until: number; written: number } | undefined;
};
type Run = { schedule: Schedule; event: unknown; attempt: number };

export function createSchedules(
  resolver: Resolver,
  pools: Map<string, Pool>,
  written: () => number,
): Schedules {
  const schedules = [...rules(resolver, pools), ...ownSchedules(resolver, pools)];
  const retriesOf = retries(resolver, pools);
  const failed = new Map<number, Run[]>();

  async function run({ schedule, event, attempt }: Run, minute: Date): Promise<boolean> {
    const outcome = await schedule.pool.invoke(event);
    const next = nextOf(outcome);
    schedule.idle = next === undefined ? undefined : { until: next, written: written() };
    if (!('failure' in outcome)) return true;
    if (attempt <= retriesOf(schedule.pool)) {
      const again = minute.getTime() + pauseAfter(attempt);
      failed.set(again, [...(failed.get(again) ?? []), { schedule, event, attempt: attempt + 1 }]);
    }
    return false;
  }

  return {
    async fire(minute, skipIdle = false) {
      const isIdle = ({ idle }: Schedule) => idle?.written === written() && minute.getTime() < idle.until;
      const due = schedules.filter(schedule => schedule.due(minute) && !(skipIdle && isIdle(schedule)));
      const first = due.map(schedule => ({ schedule, event: schedule.event(minute), attempt: 1 }));
      const again = failed.get(minute.getTime()) ?? [];
      failed.delete(minute.getTime());
      const ended = await Promise.all([...again, ...first].map(one => run(one, minute)));
      return ended.filter(well => well).length;
    },
  };
}

/** The `next` of an answer: an instant, or null for not before something is written; undefined where it has none. */
function nextOf(outcome: Outcome): number | undefined {
  const answer = 'result' in outcome && outcome.result !== undefined ? JSON.parse(outcome.result) : null;
  return answer?.next === null ? Number.POSITIVE_INFINITY : answer?.next && Date.parse(answer.next);
}

/** Rules of EventBridge that run by the clock. */
function rules(resolver: Resolver, pools: Map<string, Pool>): Schedule[] {
  return readAll(resolver, 'AWS::Events::Rule')
    .filter(({ properties }) => properties.State !== 'DISABLED')
    .flatMap(({ resource, properties: { ScheduleExpression, Targets } }) => {
      // It listens to events instead.
      if (ScheduleExpression === undefined) return [];
      return Targets.map(target => ({
        due: dueOf(ScheduleExpression),
        pool: poolByUri(target.Arn, pools),
        event: (minute: Date) =>
          target.Input ? JSON.parse(target.Input) : scheduledEvent('aws.events', resource, minute),
      }));
    });
}

/** Schedules of EventBridge Scheduler. */
function ownSchedules(resolver: Resolver, pools: Map<string, Pool>): Schedule[] {
  return readAll(resolver, 'AWS::Scheduler::Schedule')
    .filter(({ properties }) => properties.State !== 'DISABLED')
    .map(({ resource, properties: { ScheduleExpression, ScheduleExpressionTimezone, Target } }) => ({
      due: dueOf(ScheduleExpression, ScheduleExpressionTimezone),
      pool: poolByUri(Target.Arn, pools),
      event: minute => schedulerEvent(resource, Target.Input, minute),
    }));
}

function schedulerEvent(resource: Resource, input: string | undefined, minute: Date): unknown {
  if (!input) return { ...scheduledEvent('aws.scheduler', resource, minute), detail: '{}' };
  const filled = input
    .replaceAll('<aws.scheduler.scheduled-time>', secondsOf(minute))
    .replaceAll('<aws.scheduler.schedule-arn>', identify(resource, 'Arn', String))
    .replaceAll('<aws.scheduler.execution-id>', randomUUID())
    .replaceAll('<aws.scheduler.attempt-number>', '1');
  return JSON.parse(filled);
}

const scheduledEvent = (source: string, resource: Resource, minute: Date) => ({
  version: '0',
  id: randomUUID(),
  'detail-type': 'Scheduled Event',
  source,
  account: ACCOUNT,
  time: secondsOf(minute),
  region: resource.stack.region,
  resources: [identify(resource, 'Arn', String)],
  detail: {},
});

const secondsOf = (minute: Date) => minute.toISOString().replace('.000Z', 'Z');
