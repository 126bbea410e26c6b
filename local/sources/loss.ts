import type { Clock } from '../clock.ts';
import type { Invoked, Pool } from '../functions/pool.ts';
import { Mistake } from '../mistake.ts';
import type { Properties } from '../template/kinds.ts';
import type { Change } from './change.ts';
import type { QueueSender } from './queues.ts';

type Mapping = Properties<'AWS::Lambda::EventSourceMapping'>;
export type LossPlace = { clock: Clock; send: QueueSender };

/** Records that are not retried any more. */
type Loss = { shard: string; changes: Change[]; attempts: number; outcome: Invoked };

/** Sends the records that an event source mapping has given up to the queue of its `OnFailure`. */
export function lossReporter(
  { EventSourceArn, DestinationConfig }: Mapping,
  pool: Pool,
  region: string,
  { clock, send }: LossPlace,
): (loss: Loss) => Promise<void> {
  if (!DestinationConfig) return async () => {};
  const { Destination } = DestinationConfig.OnFailure;
  if (!Destination.startsWith('arn:aws:sqs:')) {
    throw new Mistake(`The local stack sends what ${pool.entry} gives up to a queue, not to ${Destination}.`);
  }
  return loss =>
    send(Destination, region, {
      ...lossRecord(loss, EventSourceArn, pool.arn),
      timestamp: new Date(clock.now()).toISOString(),
    });
}

// https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html: the message has the position of the records, not
// their content.
function lossRecord({ shard, changes, attempts, outcome }: Loss, streamArn: string, functionArn: string) {
  const [first, last] = [changes[0], changes.at(-1)].map(change => change?.dynamodb);
  return {
    requestContext: {
      requestId: outcome.requestId,
      functionArn: `${functionArn}:$LATEST`,
      condition: 'RetryAttemptsExhausted',
      approximateInvokeCount: attempts,
    },
    responseContext: {
      statusCode: 200,
      executedVersion: '$LATEST',
      ...('failure' in outcome && { functionError: 'Unhandled' }),
    },
    version: '1.0',
    DDBStreamBatchInfo: {
      shardId: shard,
      startSequenceNumber: first?.SequenceNumber,
      endSequenceNumber: last?.SequenceNumber,
      approximateArrivalOfFirstRecord: arrival(first),
      approximateArrivalOfLastRecord: arrival(last),
      batchSize: changes.length,
      streamArn,
    },
  };
}

const arrival = (change: Change['dynamodb'] | undefined) =>
  change && new Date(change.ApproximateCreationDateTime * 1000).toISOString().replace('.000Z', 'Z');
