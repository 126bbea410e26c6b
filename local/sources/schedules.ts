import { randomUUID } from 'node:crypto';
import type { Pool } from '../functions/pool.ts';
import type { Outcome } from '../functions/worker.ts';
import { poolByUri } from '../gateway/gateway.ts';
import { Mistake } from '../mistake.ts';
import { identify } from '../template/identity.ts';
import { readAll } from '../template/read.ts';
import { ACCOUNT, type Resolver, type Resource } from '../template/resolver.ts';
import type { Calls } from './calls.ts';

export type Skip = 'nothing' | 'idle' | 'unplanned';

type Schedule = {
  isAt: (minute: Date) => boolean;
  /** Whether it runs by a rate, as the sweep does. */
  isSweep: boolean;
  pool: Pool;
  event: (minute: Date) => object;
  /** The `next` of the last run, and how much had been written by then. */
  idle?: { until: number; written: number } | undefined;
};

const MINUTES: Record<string, number> = { minute: 1, hour: 60, day: 1440 };

/** The rules of EventBridge that run by the clock. `written` counts the writes to the table. */
export function createSchedules(
  resolver: Resolver,
  pools: Map<string, Pool>,
  { call }: Pick<Calls, 'call'>,
  written: () => number,
) {
  const schedules = schedulesOf(resolver, pools);

  async function run(schedule: Schedule, minute: Date): Promise<boolean> {
    const outcome = await call(schedule.pool, schedule.event(minute), minute.getTime());
    const next = nextOf(outcome);
    schedule.idle = next === undefined ? undefined : { until: next, written: written() };
    return 'result' in outcome;
  }

  return {
    /**
     * Invokes the schedules that are due in the minute that begins at an instant; returns how many sweeps succeeded. `skip`
     * leaves out a schedule until the instant that its last run returned as `next`; with `idle`, only as long as nothing was
     * written since.
     */
    async fire(minute: Date, skip: Skip = 'nothing') {
      const isIdle = ({ idle }: Schedule) =>
        idle !== undefined &&
        minute.getTime() < idle.until &&
        (skip === 'unplanned' || idle.written === written());
      const due = schedules.filter(
        schedule => schedule.isAt(minute) && (skip === 'nothing' || !isIdle(schedule)),
      );
      const succeeded = await Promise.all(due.map(schedule => run(schedule, minute)));
      return due.filter(({ isSweep }, at) => isSweep && succeeded[at]).length;
    },
  };
}

/**
 * The `next` in a response: an instant, or infinity if there is nothing to do before the next write; undefined if it has none.
 */
function nextOf(outcome: Outcome): number | undefined {
  const answer = 'result' in outcome && outcome.result !== undefined ? JSON.parse(outcome.result) : null;
  return answer?.next === null ? Number.POSITIVE_INFINITY : answer?.next && Date.parse(answer.next);
}

function schedulesOf(resolver: Resolver, pools: Map<string, Pool>): Schedule[] {
  return readAll(resolver, 'AWS::Events::Rule').flatMap(({ resource, properties }) => {
    const { ScheduleExpression, Targets } = properties;
    if (ScheduleExpression === undefined) return [];
    return Targets.map(({ Arn }) => ({
      isAt: timesOf(ScheduleExpression),
      isSweep: ScheduleExpression.startsWith('rate'),
      pool: poolByUri(Arn, pools),
      event: (minute: Date) => scheduledEvent(resource, minute),
    }));
  });
}

function timesOf(expression: string): Schedule['isAt'] {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const everyMinutes = Number(count) * (MINUTES[unit] ?? 1);
  if (count) return minute => (minute.getTime() / 60_000) % everyMinutes === 0;
  const [, minutes, hour] = /^cron\(([\d,]+) (\d+) \* \* \? \*\)$/.exec(expression) ?? [];
  const times = minutes?.split(',').map(Number);
  if (times) return at => at.getUTCHours() === Number(hour) && times.includes(at.getUTCMinutes());
  throw new Mistake(`The local stack does not understand the schedule ${expression}`);
}

const scheduledEvent = (resource: Resource, minute: Date) => ({
  version: '0',
  id: randomUUID(),
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: ACCOUNT,
  time: minute.toISOString().replace('.000Z', 'Z'),
  region: resource.stack.region,
  resources: [identify(resource, 'Arn', String)],
  detail: {},
});
