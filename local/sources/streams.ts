import { createActivity } from '../activity.ts';
import type { Clock } from '../clock.ts';
import { call } from '../engines/call.ts';
import type { Engines } from '../engines/start.ts';
import type { Pool } from '../functions/pool.ts';
import type { Outcome } from '../functions/worker.ts';
import { poolByUri } from '../gateway/gateway.ts';
import { messageOf } from '../mistake.ts';
import type { Properties } from '../template/kinds.ts';
import { readAll } from '../template/read.ts';
import type { Resolver } from '../template/resolver.ts';
import type { Positions } from './positions.ts';
import type { Source } from './source.ts';

type Mapping = Properties<'AWS::Lambda::EventSourceMapping'>;
type Place = {
  engines: Engines;
  clock: Clock;
  positions: Positions;
  failed: (sentence: string, stack?: string) => void;
};
type Record = { eventID: string; dynamodb: { SequenceNumber: string; ApproximateCreationDateTime: number } };
type Batch = { shard: string; records: Record[]; attempt: number };

export function streamSources(resolver: Resolver, pools: Map<string, Pool>, place: Place): Source[] {
  return readAll(resolver, 'AWS::Lambda::EventSourceMapping')
    .filter(
      ({ properties }) => properties.EventSourceArn.includes(':dynamodb:') && properties.Enabled !== false,
    )
    .map(({ resource, properties }) =>
      streamSource(properties, poolByUri(properties.FunctionName, pools), resource.stack.region, place),
    );
}

/** Hands the changes of a table to a function in order, as Lambda's event source does. It sleeps until it is woken. */
function streamSource(mapping: Mapping, pool: Pool, region: string, place: Place): Source {
  const { engines, clock, positions } = place;
  const TableName = /table\/([^/]+)/.exec(mapping.EventSourceArn)?.[1] ?? '';
  const batchSize = mapping.BatchSize ?? 100;
  const partial = mapping.FunctionResponseTypes?.includes('ReportBatchItemFailures') ?? false;
  const mostAttempts = 1 + (mapping.MaximumRetryAttempts ?? -1);

  const keyOf = (shard: string) => `${pool.name} ${shard}`;
  const streams = <Answer>(action: string, body: object) =>
    call<Answer>(engines.dynamodb, `DynamoDBStreams_20120810.${action}`, body, region);

  const working = createActivity();
  let again = false;
  let closed = false;
  let iterators: Map<string, string> | undefined;
  /** What failed, to be tried again before anything newer; it holds up its stream until then. */
  let retries: Batch[] = [];
  let retryAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function wake(): void {
    again = true;
    if (!working.busy()) void work();
  }

  async function work(): Promise<void> {
    const end = working.begin();
    try {
      while (again && !closed) {
        again = false;
        await retry();
        if (retries.length === 0) await readOn();
      }
    } catch (error) {
      // The engines may go down before their clients do.
      if (!closed) place.failed(`The stream of ${TableName} cannot be read: ${messageOf(error)}`);
    } finally {
      end();
    }
  }

  async function retry(): Promise<void> {
    while (retries.length > 0 && retryAt <= clock.now() && !closed) {
      const [first] = retries.splice(0, 1);
      if (first) await deliver(first);
    }
  }

  async function readOn(): Promise<void> {
    iterators ??= await firstIterators();
    for (const [shard, iterator] of iterators) {
      let next: string | undefined = iterator;
      while (next && !closed && retries.length === 0) {
        const page: { Records: Record[]; NextShardIterator?: string } = await streams('GetRecords', {
          ShardIterator: next,
          Limit: batchSize,
        });
        next = page.NextShardIterator;
        if (next) iterators.set(shard, next);
        else iterators.delete(shard);
        if (page.Records.length === 0) break;
        await deliver({ shard, records: page.Records, attempt: 1 });
      }
    }
  }

  /** One iterator per shard: behind what was done before, else where the template says. */
  async function firstIterators(): Promise<Map<string, string>> {
    const { Streams } = await streams<{ Streams: { StreamArn: string }[] }>('ListStreams', { TableName });
    const found = new Map<string, string>();
    for (const { StreamArn } of Streams) {
      const { StreamDescription } = await streams<{ StreamDescription: { Shards: { ShardId: string }[] } }>(
        'DescribeStream',
        { StreamArn },
      );
      for (const { ShardId } of StreamDescription.Shards) {
        const after = positions.read(keyOf(ShardId));
        const from = after
          ? { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after }
          : { ShardIteratorType: mapping.StartingPosition ?? 'LATEST' };
        const { ShardIterator } = await streams<{ ShardIterator: string }>('GetShardIterator', {
          StreamArn,
          ShardId,
          ...from,
        });
        found.set(ShardId, ShardIterator);
      }
    }
    return found;
  }

  async function deliver({ shard, records, attempt }: Batch): Promise<void> {
    const Records = records.map(record =>
      eventRecord(record, mapping.EventSourceArn, region, clock.offset()),
    );
    const outcome = await pool.invoke({ Records });
    const left = undone(outcome, records);
    const done = records.at(records.length - left.length - 1);
    if (done && left.length < records.length) positions.write(keyOf(shard), done.dynamodb.SequenceNumber);
    if (left.length === 0 || closed) return;
    // Progress, even if only of some, starts the count of tries anew.
    tryAgain({ shard, records: left, attempt: left.length < records.length ? 1 : attempt + 1 });
  }

  function undone(outcome: Outcome, records: Record[]): Record[] {
    if ('failure' in outcome) return records;
    if (!partial) return [];
    const answer = JSON.parse(outcome.result ?? 'null') as {
      batchItemFailures?: { itemIdentifier: string }[];
    } | null;
    const failed = new Set((answer?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier));
    const first = records.findIndex(({ dynamodb }) => failed.has(dynamodb.SequenceNumber));
    // An answer that makes no sense gives the whole batch back.
    return failed.size === 0 ? [] : records.slice(Math.max(first, 0));
  }

  function tryAgain(batch: Batch): void {
    if (mostAttempts > 0 && batch.attempt > mostAttempts) {
      giveUp(batch);
      return;
    }
    const halve = mapping.BisectBatchOnFunctionError && batch.records.length > 1;
    const middle = Math.ceil(batch.records.length / 2);
    const batches = halve
      ? [
          { ...batch, records: batch.records.slice(0, middle) },
          { ...batch, records: batch.records.slice(middle) },
        ]
      : [batch];
    retries = [...batches, ...retries];
    retryAt = clock.now() + pauseBefore(batch.attempt);
    clearTimeout(timer);
    timer = setTimeout(wake, retryAt - clock.now() + 1);
    timer.unref();
  }

  function giveUp({ shard, records }: Batch): void {
    const last = records.at(-1);
    if (last) positions.write(keyOf(shard), last.dynamodb.SequenceNumber);
    place.failed(`${pool.entry} gave up ${records.length} stream record(s) after ${mostAttempts} tries`);
  }

  const forget = clock.onMove(() => {
    if (retries.length > 0 && retryAt <= clock.now()) wake();
  });
  wake();

  return {
    reads: 'table',
    wake,
    busy: working.busy,
    settle: working.idle,
    close() {
      closed = true;
      forget();
      clearTimeout(timer);
    },
  };
}

const LONGEST_PAUSE = 60_000;

const pauseBefore = (attempt: number) => Math.min(LONGEST_PAUSE, 500 * 2 ** (attempt - 1));

/** The engine writes down real time; readers are told simulated time like everybody else. */
function eventRecord(record: Record, arn: string, region: string, offset: number) {
  const created = record.dynamodb.ApproximateCreationDateTime + Math.round(offset / 1000);
  return {
    ...record,
    awsRegion: region,
    eventSourceARN: arn,
    dynamodb: { ...record.dynamodb, ApproximateCreationDateTime: created },
  };
}
