import { createActivity } from '../activity.ts';
import type { Clock } from '../clock.ts';
import { call } from '../engines/call.ts';
import type { Engines } from '../engines/start.ts';
import type { Invoked, Pool } from '../functions/pool.ts';
import { poolByUri } from '../gateway/gateway.ts';
import { messageOf } from '../mistake.ts';
import type { Properties } from '../template/kinds.ts';
import { readAll } from '../template/read.ts';
import type { Resolver } from '../template/resolver.ts';
import { type Batch, type Change, eventRecord } from './change.ts';
import { filterOf } from './filter.ts';
import { type LossPlace, lossTeller } from './loss.ts';
import type { Positions } from './positions.ts';
import type { Source } from './source.ts';
import { createWindows } from './windows.ts';

type Mapping = Properties<'AWS::Lambda::EventSourceMapping'>;
type Place = LossPlace & {
  engines: Engines;
  clock: Clock;
  positions: Positions;
  failed: (sentence: string, stack?: string) => void;
};
type Answer = { state?: object; batchItemFailures?: { itemIdentifier: string }[] };

// The most that one call answers.
const MOST_READ = 1000;

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

  const passes = filterOf(mapping.FilterCriteria, pool.entry);
  const windows = mapping.TumblingWindowInSeconds
    ? createWindows(mapping.TumblingWindowInSeconds, mapping.EventSourceArn)
    : undefined;
  const tellLoss = lossTeller(mapping, pool, region, place);
  const keyOf = (shard: string) => `${pool.name} ${shard}`;
  const streams = <Answer>(action: string, body: object) =>
    call<Answer>(engines.dynamodb, `DynamoDBStreams_20120810.${action}`, body, region);

  const working = createActivity();
  let again = false;
  let closed = false;
  let iterators: Map<string, string> | undefined;
  /** What was read but is not done, in order. What failed stands first, and holds up its stream until it is tried again. */
  let waiting: Batch[] = [];
  let retryAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function wake(): void {
    again = true;
    if (!working.busy()) void work();
  }

  async function work(): Promise<void> {
    const end = working.begin();
    try {
      while ((again || dueAt() <= clock.now()) && !closed) {
        again = false;
        await deliverWaiting();
        if (waiting.length === 0) await readOn();
        if (waiting.length === 0) await endWindows();
      }
      sleepUntil(dueAt());
    } catch (error) {
      // The engines may go down before their clients do.
      if (!closed) place.failed(`The stream of ${TableName} cannot be read: ${messageOf(error)}`);
    } finally {
      end();
    }
  }

  /** The simulated instant at which there is something to do, whatever is written until then. */
  const dueAt = () => (waiting.length > 0 ? retryAt : (windows?.nextEnd() ?? Number.POSITIVE_INFINITY));

  function sleepUntil(instant: number): void {
    clearTimeout(timer);
    if (closed || !Number.isFinite(instant)) return;
    timer = setTimeout(wake, Math.max(instant - clock.now(), 0) + 1);
    timer.unref();
  }

  async function deliverWaiting(): Promise<void> {
    while (retryAt <= clock.now() && !closed) {
      const next = windows?.endBefore(waiting[0]) ?? waiting.shift();
      if (!next) return;
      await deliver(next);
    }
  }

  async function endWindows(): Promise<void> {
    waiting = windows?.ends(clock.now()) ?? [];
    await deliverWaiting();
  }

  async function readOn(): Promise<void> {
    iterators ??= await firstIterators();
    for (const [shard, iterator] of iterators) {
      let next: string | undefined = iterator;
      while (next && !closed && waiting.length === 0) {
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
        await deliverWaiting();
        // Those behind the last batch passed no filter: they are done with as well.
        if (waiting.length === 0) positions.write(keyOf(shard), last.dynamodb.SequenceNumber);
      }
    }
  }

  function batchesOf(shard: string, read: Change[]): Batch[] {
    const changes = read
      .map(change => eventRecord(change, mapping.EventSourceArn, region, clock.offset()))
      .filter(passes);
    const groups = windows?.split(shard, changes) ?? [{ changes }];
    return groups.flatMap(group =>
      Array.from({ length: Math.ceil(group.changes.length / batchSize) }, (_, index) => ({
        ...group,
        shard,
        changes: group.changes.slice(index * batchSize, (index + 1) * batchSize),
        attempt: 1,
      })),
    );
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

  async function deliver(batch: Batch): Promise<void> {
    const { shard, changes, attempt } = batch;
    const outcome = await pool.invoke(windows ? windows.event(batch) : { Records: changes });
    const answer = answerOf(outcome);
    if (answer?.state) windows?.keep(batch, answer.state);
    const left = answer ? givenBack(answer, changes) : changes;
    const done = changes.at(changes.length - left.length - 1);
    if (done && left.length < changes.length) positions.write(keyOf(shard), done.dynamodb.SequenceNumber);
    if (answer && left.length === 0) return;
    // Progress, even if only of some, starts the count of tries anew.
    const tries = left.length < changes.length ? 0 : attempt;
    // The end of the stack is no failure of the function.
    if (closed) waiting.unshift({ ...batch, changes: left });
    else if (mostAttempts > 0 && tries >= mostAttempts) await giveUp({ ...batch, changes: left }, outcome);
    else tryAgain({ ...batch, changes: left, attempt: tries + 1 });
  }

  /** What a function answered; nothing where it failed. */
  function answerOf(outcome: Invoked): Answer | undefined {
    if ('failure' in outcome) return undefined;
    const answer = (JSON.parse(outcome.result ?? 'null') ?? {}) as Answer;
    if (!windows || (typeof answer.state === 'object' && answer.state !== null)) return answer;
    place.failed(`${pool.entry} answered no state, which is a failure where its stream has windows`);
    return undefined;
  }

  function givenBack({ batchItemFailures = [] }: Answer, changes: Change[]): Change[] {
    if (!partial) return [];
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const first = changes.findIndex(({ dynamodb }) => failed.has(dynamodb.SequenceNumber));
    // An answer that makes no sense gives the whole batch back.
    return failed.size === 0 ? [] : changes.slice(Math.max(first, 0));
  }

  function tryAgain(batch: Batch): void {
    const halve = mapping.BisectBatchOnFunctionError && batch.changes.length > 1;
    const middle = Math.ceil(batch.changes.length / 2);
    const batches = halve
      ? [
          { ...batch, changes: batch.changes.slice(0, middle) },
          { ...batch, changes: batch.changes.slice(middle) },
        ]
      : [batch];
    waiting.unshift(...batches);
    retryAt = clock.now() + pauseBefore(batch.attempt);
  }

  async function giveUp({ shard, changes, attempt, final }: Batch, outcome: Invoked): Promise<void> {
    const lost = final ? 'the end of a window' : `${changes.length} stream record(s)`;
    place.failed(`${pool.entry} gave up ${lost} after ${mostAttempts} tries`);
    if (final) return windows?.close(shard);
    await tellLoss({ shard, changes, invocations: attempt, outcome });
    const last = changes.at(-1);
    if (last) positions.write(keyOf(shard), last.dynamodb.SequenceNumber);
  }

  const forget = clock.onMove(() => {
    if (dueAt() <= clock.now()) wake();
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
