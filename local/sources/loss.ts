import type { Clock } from '../clock.ts';
import { call } from '../engines/call.ts';
import type { Engines } from '../engines/start.ts';
import type { Invoked, Pool } from '../functions/pool.ts';
import { Mistake } from '../mistake.ts';
import { ACCOUNT } from '../template/identity.ts';
import type { Properties } from '../template/kinds.ts';
import type { Change } from './change.ts';

type Mapping = Properties<'AWS::Lambda::EventSourceMapping'>;
export type LossPlace = {
  engines: Engines;
  clock: Clock;
  /** Something was put into a queue. */
  queued: () => void;
};

/** Records that nobody tries any more. */
export type Loss = { shard: string; changes: Change[]; invocations: number; outcome: Invoked };

/** Tells the queue of the template, if there is one, what a stream's event source has given up on. */
export function lossTeller(
  { EventSourceArn, DestinationConfig }: Mapping,
  pool: Pool,
  region: string,
  { engines, clock, queued }: LossPlace,
): (loss: Loss) => Promise<void> {
  if (!DestinationConfig) return async () => {};
  const { Destination } = DestinationConfig.OnFailure;
  const queue = /^arn:aws:sqs:[^:]*:[^:]*:(.+)$/.exec(Destination)?.[1];
  if (!queue) {
    throw new Mistake(`The local stack sends what ${pool.entry} fails at to a queue, not to ${Destination}.`);
  }
  const QueueUrl = `${engines.queues}/${ACCOUNT}/${queue}`;
  return async loss => {
    const MessageBody = JSON.stringify(
      lossRecord(loss, { EventSourceArn, functionArn: pool.arn, now: clock.now() }),
    );
    await clock.told();
    await call(engines.queues, 'AmazonSQS.SendMessage', { QueueUrl, MessageBody }, region);
    queued();
  };
}

type Told = { EventSourceArn: string; functionArn: string; now: number };

// https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html: where the records are, not what they hold.
function lossRecord(
  { shard, changes, invocations, outcome }: Loss,
  { EventSourceArn, functionArn, now }: Told,
) {
  const [first, last] = [changes[0], changes.at(-1)].map(change => change?.dynamodb);
  return {
    requestContext: {
      requestId: outcome.requestId,
      functionArn: `${functionArn}:$LATEST`,
      condition: 'RetryAttemptsExhausted',
      approximateInvokeCount: invocations,
    },
    responseContext: {
      statusCode: 200,
      executedVersion: '$LATEST',
      ...('failure' in outcome && { functionError: 'Unhandled' }),
    },
    version: '1.0',
    timestamp: new Date(now).toISOString(),
    DDBStreamBatchInfo: {
      shardId: shard,
      startSequenceNumber: first?.SequenceNumber,
      endSequenceNumber: last?.SequenceNumber,
      approximateArrivalOfFirstRecord: arrival(first),
      approximateArrivalOfLastRecord: arrival(last),
      batchSize: changes.length,
      streamArn: EventSourceArn,
    },
  };
}

const arrival = (change: Change['dynamodb'] | undefined) =>
  change && new Date(change.ApproximateCreationDateTime * 1000).toISOString().replace('.000Z', 'Z');
