import { describe, expect, it } from 'vitest';
import { composed } from './templates.ts';

const { all, only, functions } = composed('prod');
const queues = all('AWS::SQS::Queue');
const packs = queues.find(({ id }) => id.startsWith('Packs'));
const deadPacks = queues.find(({ id }) => id.startsWith('DeadPacks'));
const runs = (file: string) => functions().find(({ entry }) => entry === `functions/sending/${file}.ts`);

describe('the sweep', () => {
  it('starts every minute', () => {
    const { ScheduleExpression, Targets } = only('AWS::Events::Rule');
    expect(ScheduleExpression).toBe('rate(1 minute)');
    expect(Targets).toMatchObject([{ Arn: { 'Fn::GetAtt': [runs('sweep')?.id, 'Arn'] } }]);
  });

  it('runs one at a time, and a run that could not start is not retried', () => {
    expect(runs('sweep')?.Properties.ReservedConcurrentExecutions).toBe(1);
    expect(only('AWS::Lambda::EventInvokeConfig')).toMatchObject({
      FunctionName: { Ref: runs('sweep')?.id },
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
    });
  });
});

describe('a pack', () => {
  it('is tried five times and then kept for two weeks among the dead letters', () => {
    expect(packs?.Properties.RedrivePolicy).toEqual({
      deadLetterTargetArn: { 'Fn::GetAtt': [deadPacks?.id, 'Arn'] },
      maxReceiveCount: 5,
    });
    expect(deadPacks?.Properties.MessageRetentionPeriod).toBe(14 * 24 * 3600);
  });

  it('stays invisible for six times as long as the sender may take', () => {
    expect(packs?.Properties.VisibilityTimeout).toBeGreaterThanOrEqual(
      6 * runs('sender')?.Properties.Timeout,
    );
  });

  it('is passed to the sender, which reports each failure by itself', () => {
    expect(all('AWS::Lambda::EventSourceMapping').map(({ Properties }) => Properties)).toContainEqual(
      expect.objectContaining({
        EventSourceArn: { 'Fn::GetAtt': [packs?.id, 'Arn'] },
        FunctionName: { Ref: runs('sender')?.id },
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      }),
    );
  });
});

it('queues are encrypted at rest and in transit', () => {
  const policies = all('AWS::SQS::QueuePolicy').flatMap(
    ({ Properties }) => Properties.PolicyDocument.Statement,
  );
  expect(queues).toHaveLength(4);
  for (const { id, Properties } of queues) {
    expect(Properties.SqsManagedSseEnabled, id).toBe(true);
    expect(policies).toContainEqual(
      expect.objectContaining({
        Effect: 'Deny',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        Resource: { 'Fn::GetAtt': [id, 'Arn'] },
      }),
    );
  }
});
