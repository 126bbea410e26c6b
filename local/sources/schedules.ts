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
   * Runs what is due in the minute that begins at an instant; answers how many runs came to a good end. In haste it
   * leaves out what said that it is quiet, as long as nothing was written since.
   */
  fire: (minute: Date, inHaste?: boolean) => Promise<number>;
};

type Schedule = {
  due: Due;
  pool: Pool;
  event: (minute: Date) => unknown;
  /** What had been written when it said that nothing falls due before more is. */
  quietAt?: number | undefined;
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
    schedule.quietAt = isQuiet(outcome) ? written() : undefined;
    if (!('failure' in outcome)) return true;
    if (attempt <= retriesOf(schedule.pool)) {
      const again = minute.getTime() + pauseAfter(attempt);
      failed.set(again, [...(failed.get(again) ?? []), { schedule, event, attempt: attempt + 1 }]);
    }
    return false;
  }

  return {
    async fire(minute, inHaste = false) {
      const mayRest = ({ quietAt }: Schedule) => inHaste && quietAt === written();
      const due = schedules.filter(schedule => schedule.due(minute) && !mayRest(schedule));
      const first = due.map(schedule => ({ schedule, event: schedule.event(minute), attempt: 1 }));
      const again = failed.get(minute.getTime()) ?? [];
      failed.delete(minute.getTime());
      const ended = await Promise.all([...again, ...first].map(one => run(one, minute)));
      return ended.filter(well => well).length;
    },
  };
}

const isQuiet = (outcome: Outcome) =>
  'result' in outcome && outcome.result !== undefined && JSON.parse(outcome.result)?.quiet === true;

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
