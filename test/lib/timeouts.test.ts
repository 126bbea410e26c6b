import { describe, expect, it } from 'vitest';
import { isSettled } from '#core/automation/automation.store.ts';
import { PURGE_AFTER } from '#core/operations/purge.ts';
import * as timeouts from '#core/timeouts.ts';
import { documentClient } from '#functions/platform/table.ts';
import { POST_TIMEOUT } from '#functions/providers/connection.ts';
import { composed } from './templates.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-delay-queues.html */
const LONGEST_DELAY = 15 * MINUTE;
/** https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html */
const LEAST_TRIES = 5;

const { all, functions } = composed('prod');
const functionOf = (entry: string) => functions().find(fn => fn.entry === `functions/${entry}.ts`);
const timeoutOf = (entry: string) => (functionOf(entry)?.Properties.Timeout ?? 0) * SECOND;

function queueOf(entry: string) {
  const source = all('AWS::Lambda::EventSourceMapping').find(
    ({ Properties }) => Properties.FunctionName.Ref === functionOf(entry)?.id,
  );
  const [id] = source?.Properties.EventSourceArn['Fn::GetAtt'] ?? [];
  return all('AWS::SQS::Queue').find(queue => queue.id === id)?.Properties ?? {};
}

const { CLOCK_SKEW, SENDER_TIMEOUT, VISIBILITY, LEASE, POSTING, STALE } = timeouts;

describe('a process that sends a pack', () => {
  it.each(['sending/sender', 'sending/dead-packs'])('%s runs as long as the times of sending say', entry => {
    expect(timeoutOf(entry)).toBe(SENDER_TIMEOUT);
    expect(queueOf(entry).VisibilityTimeout * SECOND).toBe(VISIBILITY);
  });

  it('has time to post what it has claimed, and to store the answer', () => {
    expect(timeouts.CLAIMING + timeouts.SPARE).toBeLessThanOrEqual(SENDER_TIMEOUT);
    expect(POST_TIMEOUT).toBeLessThan(timeouts.SPARE);
  });

  it('is dead for every clock when its lease has run out, or the log says that what it posts is unknown', () => {
    expect(LEASE).toBeGreaterThan(SENDER_TIMEOUT + 2 * CLOCK_SKEW);
    expect(POSTING).toBeGreaterThan(SENDER_TIMEOUT + 2 * CLOCK_SKEW);
  });
});

describe('the message of a pack', () => {
  it('is delivered again when the process before is dead', () => {
    expect(VISIBILITY).toBeGreaterThanOrEqual(6 * SENDER_TIMEOUT);
    expect(VISIBILITY).toBeGreaterThan(LEASE + CLOCK_SKEW);
  });

  it('is given up after several tries, long before it is stale', () => {
    const tries = queueOf('sending/sender').RedrivePolicy.maxReceiveCount;
    expect(tries).toBeGreaterThanOrEqual(LEAST_TRIES);
    expect(tries * VISIBILITY).toBeLessThan(STALE);
  });

  it('that looks after it again comes when no process of it is left, and no later than a queue delays', () => {
    expect(timeouts.RECHECK).toBeLessThanOrEqual(LONGEST_DELAY);
    expect(timeouts.RECHECK).toBeGreaterThan(LEASE);
  });

  it('finds its lease, however late it comes', () => {
    const tries = queueOf('sending/sender').RedrivePolicy.maxReceiveCount;
    expect(timeouts.PACK_KEPT).toBeGreaterThan(STALE + tries * VISIBILITY + timeouts.RECHECK);
  });
});

describe('a run of the sweep', () => {
  it('is dead for every clock when its lease has run out, and no later than the second run after it', () => {
    expect(timeoutOf('sending/sweep')).toBe(timeouts.SWEEP_TIMEOUT);
    expect(timeouts.SWEEP_LEASE).toBeGreaterThan(timeouts.SWEEP_TIMEOUT + CLOCK_SKEW);
    expect(timeouts.SWEEP_LEASE).toBeLessThan(2 * MINUTE);
  });

  it.each(['api/automation', 'api/list', 'api/organization'])(
    'begins so early that it misses nothing that %s has switched on',
    entry => {
      const stored = timeoutOf(entry) + CLOCK_SKEW;
      expect(timeouts.STORED_WITHIN).toBeGreaterThanOrEqual(Math.ceil(stored / MINUTE) * MINUTE);
      expect(timeouts.STORED_WITHIN % MINUTE).toBe(0);
    },
  );

  it('finds all that is still sent', () => {
    expect(timeouts.SWEPT_BACK).toBeGreaterThanOrEqual(STALE);
    expect(timeouts.BACKFILL).toBeLessThanOrEqual(STALE);
  });
});

it('an import has the 25 seconds by which it knows when to begin no more rows', () => {
  expect(timeoutOf('api/member-import')).toBe(25 * SECOND);
});

it('a claim is made, and what was stopped is kept, for as long as others count on it', () => {
  expect(timeouts.LATEST_CLAIM).toBeGreaterThan(STALE + SENDER_TIMEOUT);
  expect(timeouts.STOPPED_KEPT).toBeGreaterThan(timeouts.LEASE + 2 * CLOCK_SKEW);
  expect(timeouts.FRESH).toBeLessThan(timeouts.SPARE);
});

it('what was deleted is purged when no process is left that had a pack of it', () => {
  expect(PURGE_AFTER * SECOND).toBeGreaterThan(LEASE);
  expect(PURGE_AFTER * SECOND).toBeGreaterThan(timeouts.SWEEP_LEASE);
});

it('the last attempt of a request to the table fails before the shortest function ends', async () => {
  const { config } = documentClient({ region: 'eu-central-1' });
  const handler = config.requestHandler as unknown as { configProvider: Promise<{ requestTimeout: number }> };
  const { requestTimeout } = await handler.configProvider;
  const shortest = Math.min(...functions().map(({ Properties }) => Properties.Timeout * SECOND));
  expect((await config.maxAttempts()) * requestTimeout + SECOND).toBeLessThan(shortest);
});

describe('the shares of a day', () => {
  it('are computed before it by runs that have ended when they must be stored', () => {
    const rule = all('AWS::Events::Rule').find(
      ({ Properties }) =>
        Properties.Targets?.[0]?.Arn['Fn::GetAtt']?.[0] === functionOf('background/allocation')?.id,
    );
    const [, minutes = '', hour] = /^cron\(([\d,]+) (\d+) /.exec(rule?.Properties.ScheduleExpression) ?? [];
    const runs = minutes.split(',').map(Number);
    expect([hour, runs.length]).toEqual(['23', 3]);
    const last = Date.parse(`2030-01-01T23:${Math.max(...runs)}:00Z`) + timeoutOf('background/allocation');
    expect(isSettled('2030-01-02', new Date(last))).toBe(false);
  });
});
