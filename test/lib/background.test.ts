import { describe, expect, it } from 'vitest';
import { LAST_PASS_AFTER } from '../../functions/core/purge/purge.ts';
import { KINDS } from '../../functions/projector/projector.kinds.ts';
import { filterOf as passing } from '../../local/sources/filter.ts';
import { composed, type Properties } from './templates.ts';

const { all, only, functions } = composed('prod');
const runs = (entry: string) => functions().find(fn => fn.entry === `functions/${entry}.ts`);
const dead = all('AWS::SQS::Queue').find(({ id }) => id.startsWith('DeadJobs'));

const sourceOf = (entry: string): Properties =>
  all('AWS::Lambda::EventSourceMapping').find(
    ({ Properties }) => Properties.StartingPosition && Properties.FunctionName.Ref === runs(entry)?.id,
  )?.Properties ?? {};
const filterOf = ({ FilterCriteria: { Filters } }: Properties) => {
  expect(Filters).toHaveLength(1);
  return JSON.parse(Filters[0].Pattern);
};

describe('a purge', () => {
  const source = sourceOf('background/purge');

  it('is invoked by the items that request one, and by no other write', () => {
    expect(filterOf(source)).toEqual({
      eventName: ['INSERT', 'MODIFY'],
      dynamodb: { Keys: { PK: { S: ['PURGE'] } } },
    });
    expect(source).toMatchObject({ BatchSize: 1, StartingPosition: 'TRIM_HORIZON' });
  });

  it('goes to the dead-letter queue where it keeps failing', () => {
    expect(source.MaximumRetryAttempts).toBe(10);
    expect(source.DestinationConfig.OnFailure.Destination).toEqual({ 'Fn::GetAtt': [dead?.id, 'Arn'] });
  });
});

it('a purge makes its last pass when no function can still write what it read before the deletion', () => {
  const writers = functions().filter(
    ({ entry, Properties }) =>
      Properties.Environment?.Variables?.TABLE_NAME && entry !== 'functions/background/purge.ts',
  );
  expect(writers.length).toBeGreaterThan(5);
  for (const { entry, Properties } of writers) {
    expect(Properties.Timeout * 1000, entry).toBeLessThanOrEqual(LAST_PASS_AFTER);
  }
  expect(LAST_PASS_AFTER).toBe(120_000);
});

describe('the delayed message of a purge', () => {
  const later = all('AWS::SQS::Queue').find(({ id }) => id.startsWith('Later'));
  const source = all('AWS::Lambda::EventSourceMapping').find(
    ({ Properties }) => Properties.EventSourceArn['Fn::GetAtt']?.[0] === later?.id,
  )?.Properties;

  it('invokes it, and goes to the dead-letter queue where it keeps failing', () => {
    expect(source?.FunctionName.Ref).toBe(runs('background/purge')?.id);
    expect(later?.Properties.RedrivePolicy).toEqual({
      deadLetterTargetArn: { 'Fn::GetAtt': [dead?.id, 'Arn'] },
      maxReceiveCount: 5,
    });
    expect(later?.Properties.VisibilityTimeout).toBe(6 * runs('background/purge')?.Properties.Timeout);
  });
});

describe('the projector', () => {
  const source = sourceOf('projector/projector');

  it('is invoked for every change of a membership, and for no other write', () => {
    expect(filterOf(source)).toEqual({ dynamodb: { Keys: { SK: { S: [{ prefix: 'IN#' }] } } } });
    expect(source.StartingPosition).toBe('TRIM_HORIZON');
  });

  it('has a kind for each prefix of its filter, which passes all of its kinds', () => {
    const passes = passing([JSON.stringify(filterOf(source))], 'the projector');
    const record = (key: string) => ({ dynamodb: { Keys: { PK: { S: 'R#1#hash' }, SK: { S: key } } } });
    for (const prefix of Object.keys(KINDS)) expect(passes(record(`${prefix}x`)), prefix).toBe(true);
    for (const { prefix } of filterOf(source).dynamodb.Keys.SK.S)
      expect(Object.keys(KINDS)).toContain(prefix);
    for (const key of ['HEAD', 'COUNTS', 'INVITE#1']) expect(passes(record(key)), key).toBe(false);
  });

  it('gets changes at once and in their order, with the name of their shard', () => {
    expect(source).toMatchObject({ BatchSize: 500, ParallelizationFactor: 1, TumblingWindowInSeconds: 900 });
    expect(source).not.toHaveProperty('MaximumBatchingWindowInSeconds');
    expect(runs('projector/projector')?.Properties).not.toHaveProperty('ReservedConcurrentExecutions');
  });

  it('retries a change as long as the stream keeps it; then it goes to the dead-letter queue', () => {
    expect(source.MaximumRetryAttempts).toBe(-1);
    expect(source).not.toHaveProperty('BisectBatchOnFunctionError');
    expect(source.DestinationConfig.OnFailure.Destination).toEqual({ 'Fn::GetAtt': [dead?.id, 'Arn'] });
  });

  it('publishes its events on the bus of the stage', () => {
    const bus = all('AWS::Events::EventBus');
    expect(only('AWS::Events::EventBus').Name).toBe('letterflow-prod');
    expect(runs('projector/projector')?.Properties).toMatchObject({
      Timeout: 60,
      Environment: { Variables: { EVENT_BUS: { Ref: bus[0]?.id } } },
    });
  });
});

it('no more than two functions read the stream of the table', () => {
  const readers = all('AWS::Lambda::EventSourceMapping').filter(
    ({ Properties }) => Properties.StartingPosition,
  );
  expect(readers).toHaveLength(2);
});
