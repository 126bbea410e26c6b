import { expect, it } from 'vitest';
import type { StageName } from '../../lib/stages.ts';
import { composed } from './templates.ts';

const packsOf = (stage: StageName) =>
  composed(stage)
    .all('AWS::Lambda::EventSourceMapping')
    .filter(({ id, stack }) => stack.endsWith('-sending') && id.startsWith('Sender'));

it.each<[StageName, number]>([
  ['dev', 2],
  ['prod', 200],
])('in %s, %i packs are sent at a time: the quota of a new account is 10 functions', (stage, most) => {
  expect(packsOf(stage).map(({ Properties }) => Properties.ScalingConfig)).toEqual([
    { MaximumConcurrency: most },
  ]);
});

it.each<StageName>(['dev', 'prod'])('in %s, every message is received at least five times', stage => {
  const policies = composed(stage)
    .all('AWS::SQS::Queue')
    .flatMap(({ Properties: { RedrivePolicy } }) => RedrivePolicy ?? []);
  expect(policies.length).toBeGreaterThan(1);
  for (const { maxReceiveCount } of policies) expect(maxReceiveCount).toBeGreaterThanOrEqual(5);
});

it('only the table of prod takes more from the beginning than AWS gives to each one', () => {
  const warm = (stage: StageName) => composed(stage).only('AWS::DynamoDB::Table').WarmThroughput;
  expect(warm('dev')).toBeUndefined();
  expect(warm('prod')).toEqual({ ReadUnitsPerSecond: 20_000, WriteUnitsPerSecond: 20_000 });
});
