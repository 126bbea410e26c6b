// Purpose: keep the counters of lists and columns, and tell other systems who unsubscribed, from what is written.
// Safe to run twice: a shard's position moves in the transaction of its counters, and an event keeps its id.
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { project } from '../core/projection/projection.ts';
import { bus } from '../platform/bus.ts';
import { now } from '../platform/clock.ts';
import { log } from '../platform/log.ts';
import { table } from '../platform/table.ts';
import { changeOf } from './projector.record.ts';

/** Lambda names the shard of a batch only to those that count within a window. */
type Windowed = DynamoDBStreamEvent & { shardId: string };

export async function handler({ Records, shardId }: Windowed): Promise<{ state: object }> {
  if (Records.length > 0) {
    const publish = (events: object[]) => bus.put('list_member.unsubscribed', events);
    await project({ table, publish, now: now() }, shardId, Records.map(changeOf));
    log.info('projected', { records: Records.length });
  }
  return { state: {} };
}
