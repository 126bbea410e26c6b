import { call } from '../engines/call.ts';
import type { Engines } from '../engines/start.ts';
import type { Invoked, Pool } from '../functions/pool.ts';
import { poolByUri } from '../gateway/gateway.ts';
import { Mistake, messageOf } from '../mistake.ts';
import type { Properties } from '../template/kinds.ts';
import { readAll } from '../template/read.ts';
import type { Resolver } from '../template/resolver.ts';
import { type Batch, type Change, eventRecord, retriesOf } from './change.ts';
import { filterOf } from './filter.ts';
import { type LossPlace, lossReporter } from './loss.ts';
import type { Positions } from './positions.ts';
import { createWaker, type Source } from './waker.ts';
import { createWindows } from './windows.ts';

type Mapping = Properties<'AWS::Lambda::EventSourceMapping'>;
type Place = LossPlace & { engines: Engines; positions: Positions; failed: (sentence: string) => void };
type Answer = { state?: object };

// The most records that one call returns.
const MOST_READ = 1000;

export function streamSources(resolver: Resolver, pools: Map<string, Pool>, place: Place): Source[] {
  return readAll(resolver, 'AWS::Lambda::EventSourceMapping')
    .filter(({ properties }) => properties.EventSourceArn.includes(':dynamodb:'))
    .map(({ resource, properties }) =>
      streamSource(properties, poolByUri(properties.FunctionName, pools), resource.stack.region, place),
    );
}

/** Invokes a function with the changes of a table in order, as Lambda's event source mapping does. */
function streamSource(mapping: Mapping, pool: Pool, region: string, place: Place): Source {
  const { engines, clock, positions } = place;
  const { EventSourceArn, BatchSize, StartingPosition, TumblingWindowInSeconds } = mapping;
  const isBisected = mapping.BisectBatchOnFunctionError ?? false;
  if (mapping.FunctionResponseTypes) {
    throw new Mistake(`The local stack does not retry single changes of a stream (${pool.entry}).`);
  }
  const TableName = /table\/([^/]+)/.exec(EventSourceArn)?.[1] ?? '';
  const mostAttempts = 1 + (mapping.MaximumRetryAttempts ?? -1);

  const matches = filterOf(
    mapping.FilterCriteria?.Filters.map(({ Pattern }) => Pattern),
    pool.entry,
  );
  const windows = TumblingWindowInSeconds
    ? createWindows(TumblingWindowInSeconds, EventSourceArn)
    : undefined;
  const reportLoss = lossReporter(mapping, pool, region, place);
  const positionKey = (shard: string) => `${pool.name} ${shard}`;
  const streams = <Answer>(action: string, body: object) =>
    call<Answer>(engines.dynamodb, `DynamoDBStreams_20120810.${action}`, body, region);

  let iterators: Map<string, string> | undefined;
  /** Batches that were read but not completed, in order. A failed one stays first, and the others wait until it was retried. */
  let waiting: Batch[] = [];
  let retryAt = 0;

  const {
    closed,
    begin: _,
    ...waker
  } = createWaker(clock, work, error =>
    place.failed(`The stream of ${TableName} cannot be read: ${messageOf(error)}`),
  );

  async function work(): Promise<number> {
    await invokeWaiting();
    if (waiting.length === 0) await readOn();
    if (waiting.length === 0) await endWindows();
    return waiting.length > 0 ? retryAt : (windows?.nextEnd() ?? Number.POSITIVE_INFINITY);
  }

  async function invokeWaiting(): Promise<void> {
    while (retryAt <= clock.now() && !closed()) {
      const next = windows?.endBefore(waiting[0]) ?? waiting.shift();
      if (!next) return;
      await invoke(next);
    }
  }

  async function endWindows(): Promise<void> {
    waiting = windows?.ends(clock.now()) ?? [];
    await invokeWaiting();
  }

  async function readOn(): Promise<void> {
    iterators ??= await firstIterators();
    for (const [shard, iterator] of iterators) {
      let next: string | undefined = iterator;
      while (next && !closed() && waiting.length === 0) {
        const page: { Records: Change[]; NextShardIterator?: string } = await streams('GetRecords', {
          ShardIterator: next,
          Limit: MOST_READ,
        });
        next = page.NextShardIterator;
        if (next) iterators.set(shard, next);
        else iterators.delete(shard);
        const last = page.Records.at(-1);
        if (!last) break;
        waiting = batchesOf(shard, page.Records);
        await invokeWaiting();
        // The changes after the last batch did not match the filter, so they are done too.
        if (waiting.length === 0) savePosition(shard, last);
      }
    }
  }

  function batchesOf(shard: string, read: Change[]): Batch[] {
    const changes = read
      .map(change => eventRecord(change, EventSourceArn, region, clock.offset()))
      .filter(matches);
    const groups = windows?.split(shard, changes) ?? [{ changes }];
    return groups.flatMap(group =>
      Array.from({ length: Math.ceil(group.changes.length / BatchSize) }, (_, index) => ({
        ...group,
        shard,
        changes: group.changes.slice(index * BatchSize, (index + 1) * BatchSize),
        attempt: 1,
      })),
    );
  }

  /** One iterator per shard: after the stored position, else where the template says. */
  async function firstIterators(): Promise<Map<string, string>> {
    const { Streams } = await streams<{ Streams: { StreamArn: string }[] }>('ListStreams', { TableName });
    const found = new Map<string, string>();
    for (const { StreamArn } of Streams) {
      const { StreamDescription } = await streams<{ StreamDescription: { Shards: { ShardId: string }[] } }>(
        'DescribeStream',
        { StreamArn },
      );
      for (const { ShardId } of StreamDescription.Shards) {
        const { sequence, window } = positions.read(positionKey(ShardId)) ?? {};
        if (window) windows?.restore(ShardId, window);
        const from = sequence
          ? { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: sequence }
          : { ShardIteratorType: StartingPosition };
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

  async function invoke(batch: Batch): Promise<void> {
    const { shard, changes, attempt } = batch;
    const outcome = await pool.invoke(windows ? windows.event(batch) : { Records: changes });
    if (succeeded(outcome, batch)) return savePosition(shard, changes.at(-1));
    // A function that was interrupted by the end of the stack has not failed.
    if (closed()) return;
    if (mostAttempts > 0 && attempt >= mostAttempts) return giveUp(batch, outcome);
    waiting.unshift(...retriesOf(batch, isBisected));
    retryAt = clock.now() + pauseAfter(attempt);
  }

  /** Keeps the state that the function returned. If the stream has windows, a response without a state is a failure. */
  function succeeded(outcome: Invoked, batch: Batch): boolean {
    if ('failure' in outcome) return false;
    if (!windows) return true;
    const { state } = (JSON.parse(outcome.result ?? 'null') ?? {}) as Answer;
    if (typeof state === 'object' && state !== null) {
      windows.keep(batch, state);
      return true;
    }
    place.failed(`${pool.entry} answered no state, which is a failure where its stream has windows`);
    return false;
  }

  function savePosition(shard: string, last: Change | undefined): void {
    positions.write(positionKey(shard), {
      sequence: last?.dynamodb.SequenceNumber,
      window: windows?.save(shard),
    });
  }

  async function giveUp({ shard, changes, attempt, final }: Batch, outcome: Invoked): Promise<void> {
    const lost = final ? 'the end of a window' : `${changes.length} stream record(s)`;
    place.failed(`${pool.entry} gave up ${lost} after ${mostAttempts} attempts`);
    if (final) windows?.close(shard);
    else await reportLoss({ shard, changes, attempts: attempt, outcome });
    savePosition(shard, changes.at(-1));
  }

  waker.wake();
  return waker;
}

const LONGEST_PAUSE = 60_000;

const pauseAfter = (attempt: number) => Math.min(LONGEST_PAUSE, 500 * 2 ** attempt);
