import { expect, it } from 'vitest';
import { composed } from './templates.ts';

const { all, functions } = composed('prod');
const purge = functions().find(({ entry }) => entry === 'functions/background/purge.ts');
const source = all('AWS::Lambda::EventSourceMapping').find(
  ({ Properties }) => Properties.FunctionName.Ref === purge?.id,
)?.Properties;

it('a purge is called by the items that ask for one, and by no other write', () => {
  const [{ Pattern }] = source?.FilterCriteria.Filters ?? [{}];
  expect(JSON.parse(Pattern)).toEqual({
    eventName: ['INSERT', 'MODIFY'],
    dynamodb: { Keys: { PK: { S: ['PURGE'] } } },
  });
  expect(source).toMatchObject({ BatchSize: 1, StartingPosition: 'TRIM_HORIZON' });
});

it('a purge that fails again and again is kept where an alarm sees it', () => {
  const dead = all('AWS::SQS::Queue').find(({ id }) => id.startsWith('DeadJobs'));
  expect(source?.MaximumRetryAttempts).toBe(10);
  expect(source?.DestinationConfig.OnFailure.Destination).toEqual({ 'Fn::GetAtt': [dead?.id, 'Arn'] });
});
