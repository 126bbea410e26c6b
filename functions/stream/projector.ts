// Purpose: count what the table's stream says was written, and publish the events that follow from it.
// Safe to run twice: a shard's position moves in the transaction of its counters, and an event keeps its id.
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { batchesOf } from '#core/list/unsubscribe-webhook/batches.ts';
import { aliveCheck } from '#core/organization/organization.store.ts';
import { GUARD_CHECK, guardedIn } from '#core/sending/guard.store.ts';
import { type Event, project, storeLag } from '#core/storage/projection.ts';
import { BATCHED } from '#shared/webhook-events.ts';
import { bus } from '../platform/bus.ts';
import { described, log, redacting } from '../platform/log.ts';
import { now } from '../platform/runtime.ts';
import { table } from '../platform/table.ts';
import { contributionsOf } from './contributions.ts';

/** Lambda passes the id of the shard only if the event source has a tumbling window. */
type Windowed = DynamoDBStreamEvent & { shardId: string };

export const handler = redacting(async ({ Records, shardId }: Windowed): Promise<{ state: object }> => {
  if (Records.length > 0) {
    const at = now();
    await storeLag({ table, now: at }, shardId, oldestOf(Records, at));
    const contributions = await contributionsOf({ table, now: at }, Records);
    const publish = (events: Event[]) => publishAt(at, events);
    await project({ table, publish, now: at, aliveCheck, uncounted }, shardId, contributions);
    // After they are counted. A process that dies before this is delivered the same records again.
    const guarded = guardedIn(contributions.flatMap(({ counters }) => counters));
    if (guarded.length > 0) await bus.put(GUARD_CHECK, guarded);
    log.info('projected', { records: Records.length });
  }
  return { state: {} };
});

const oldestOf = (records: DynamoDBRecord[], none: Date) =>
  new Date(
    Math.min(
      ...records.map(({ dynamodb: { ApproximateCreationDateTime: seconds } = {} }) =>
        seconds === undefined ? none.getTime() : seconds * 1000,
      ),
    ),
  );

/** Of what goes in batches, only what a webhook wants. */
async function publishAt(at: Date, events: Event[]): Promise<void> {
  const single = events.filter(({ type }) => type !== BATCHED);
  for (const [type, ofType] of Map.groupBy(single, event => event.type)) {
    await bus.put(
      type,
      ofType.map(({ detail }) => detail),
    );
  }
  const batches = await batchesOf({ table, now: at }, events);
  if (batches.length > 0) await bus.put(BATCHED, batches);
}

const uncounted = (what: string, error?: unknown) =>
  log.error('something cannot be counted', { what, ...(error !== undefined && { error: described(error) }) });
