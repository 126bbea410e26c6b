import { describe, expect, it } from 'vitest';
import type { Pool } from '#local/functions/pool.ts';
import { createSchedules } from '#local/sources/schedules.ts';
import { resolver } from '#local/template/resolver.ts';

const MINUTE = 60_000;
const at = (time: string) => new Date(`2030-01-01T${time}:00Z`);

function scheduled(ScheduleExpression: string, answer: () => object | undefined = () => undefined) {
  const Properties = { ScheduleExpression, State: 'ENABLED', Targets: [{ Arn: 'tick', Id: '1' }] };
  const Resources = { Rule: { Type: 'AWS::Events::Rule', Properties } };
  const stack = { name: 'data', region: 'eu-central-1', directory: '.', template: { Resources } };
  const templates = resolver([stack], { identify: () => '', secret: () => '' });
  const call = async () => {
    try {
      return { requestId: '1', result: JSON.stringify(answer()) };
    } catch {
      return { requestId: '1', failure: { kind: 'threw' as const, sentence: 'threw' } };
    }
  };
  let written = 0;
  const schedules = createSchedules(
    templates,
    new Map([['tick', { name: 'tick' } as Pool]]),
    { call },
    () => written,
  );
  return { fire: schedules.fire, write: () => (written += 1) };
}

describe('A schedule is due', () => {
  it.each<[string, string, string[], string[]]>([
    ['every minute', 'rate(1 minute)', ['00:00', '00:01'], []],
    ['every two hours', 'rate(2 hours)', ['02:00'], ['01:00', '02:01']],
    ['every day', 'rate(1 day)', ['00:00'], ['12:00', '00:01']],
  ])('%s', async (_, expression, due, not) => {
    const { fire } = scheduled(expression);
    for (const minute of due) expect([minute, await fire(at(minute))]).toEqual([minute, 1]);
    for (const minute of not) expect([minute, await fire(at(minute))]).toEqual([minute, 0]);
  });

  it('at minutes of an hour, and is no sweep then', async () => {
    let runs = 0;
    const { fire } = scheduled('cron(10,30 23 * * ? *)', () => {
      runs++;
      return undefined;
    });
    for (const minute of ['10:23', '22:10', '23:11']) await fire(at(minute));
    expect(runs).toBe(0);
    expect(await fire(at('23:10'))).toBe(0);
    await fire(at('23:30'));
    expect(runs).toBe(2);
  });

  it('only by a rate, or daily at minutes of an hour: any other expression is an error', () => {
    for (const expression of [
      'rate(one minute)',
      'cron(30 3 1 * ? *)',
      'cron(0/10 * * * ? *)',
      'at(2030-01-01T00:00:00)',
    ]) {
      expect(() => scheduled(expression)).toThrow(
        `The local stack does not understand the schedule ${expression}`,
      );
    }
  });
});

describe('A schedule that answered when it next has something to do', () => {
  const skipping = async (answer: object | undefined, minutes: number[]) => {
    const { fire } = scheduled('rate(1 minute)', () => answer);
    await fire(at('00:00'));
    const runs = minutes.map(minute => fire(new Date(at('00:00').getTime() + minute * MINUTE), 'idle'));
    return Promise.all(runs);
  };

  it('is skipped until then', async () => {
    expect(await skipping({ next: at('00:03') }, [1, 2, 3])).toEqual([0, 0, 1]);
    expect(await skipping({ next: at('00:01') }, [1])).toEqual([1]);
  });

  it('is skipped for good where that is never', async () => {
    expect(await skipping({ next: null }, [1, 60 * 24 * 365])).toEqual([0, 0]);
  });

  it('runs where it answered nothing of the kind', async () => {
    for (const answer of [undefined, {}, { next: 'soon' }]) expect(await skipping(answer, [1])).toEqual([1]);
  });

  it('runs as soon as something was written', async () => {
    const { fire, write } = scheduled('rate(1 minute)', () => ({ next: null }));
    await fire(at('00:00'));
    write();
    expect(await fire(at('00:01'), 'idle')).toBe(1);
    expect(await fire(at('00:02'), 'idle')).toBe(0);
  });

  it('is skipped until then whatever is written, where all that falls due is planned', async () => {
    const { fire, write } = scheduled('rate(1 minute)', () => ({ next: at('00:03') }));
    expect(await fire(at('00:00'), 'unplanned')).toBe(1);
    write();
    expect(await fire(at('00:01'), 'unplanned')).toBe(0);
    expect(await fire(at('00:03'), 'unplanned')).toBe(1);
  });

  it('runs after a run that failed, which does not count', async () => {
    let fails = false;
    const { fire } = scheduled('rate(1 minute)', () => {
      if (fails) throw new Error();
      return { next: null };
    });
    await fire(at('00:00'));
    fails = true;
    expect(await fire(at('00:01'))).toBe(0);
    fails = false;
    expect(await fire(at('00:02'), 'idle')).toBe(1);
  });

  it('runs all the same where minutes are not to be skipped', async () => {
    const { fire } = scheduled('rate(1 minute)', () => ({ next: null }));
    await fire(at('00:00'));
    expect(await fire(at('00:01'))).toBe(1);
  });
});
