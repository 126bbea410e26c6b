import { expect, it } from 'vitest';
import type { StageName } from '#lib/stages.ts';
import { composed } from './templates.ts';

/** How many messages, or batches of them, each function that takes them from a queue handles at a time. */
const atOnce = (stage: StageName) =>
  Object.fromEntries(
    composed(stage)
      .all('AWS::Lambda::EventSourceMapping')
      .filter(({ Properties }) => !Properties.StartingPosition)
      .map(({ id, Properties }) => [id.replace(/SqsEventSource.*/, ''), Properties.ScalingConfig]),
  );
const most = (MaximumConcurrency: number) => ({ MaximumConcurrency });

it('in dev, two functions take from each queue, the least that SQS allows: a new account runs ten', () => {
  const two = most(2);
  expect(atOnce('dev')).toEqual({ Sender: two, Dead: two, Sweep: two, Purge: two, Webhook: two });
});

it('in prod, no queue takes more than a fifth of what an account runs at a time', () => {
  const [senders, shards, purges, webhooks] = [200, 20, 5, 20].map(most);
  expect(atOnce('prod')).toEqual({
    Sender: senders,
    Dead: senders,
    Sweep: shards,
    Purge: purges,
    Webhook: webhooks,
  });
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
