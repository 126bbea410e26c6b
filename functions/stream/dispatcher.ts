// Purpose: do what follows from a write: queue the purge of what was deleted and emails that are due to members at once,
// and store what the provider told of the emails of a batch while it was being posted.
// Safe to run twice: a purge is known by its ticket, and a pack by its id; neither does anything when it has been done. An
// outcome is stored once.
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { PURGE_AFTER } from '#core/operations/purge.ts';
import { eachInParallel } from '#core/parallel.ts';
import { backfill } from '#core/sending/backfill.ts';
import { applyEarlyEvents } from '#core/sending/provider-event.ts';
import { log, redacting } from '../platform/log.ts';
import { queuePacks, queuePurge } from '../platform/queue.ts';
import { now } from '../platform/runtime.ts';
import { table } from '../platform/table.ts';
import { memberStored, openBatch, purgeAsked } from './records.ts';

const MOST_AT_ONCE = 5;

export const handler = redacting(async ({ Records }: DynamoDBStreamEvent): Promise<void> => {
  const purges = Records.flatMap(purgeAsked);
  const members = Records.flatMap(memberStored);
  const batches = Records.flatMap(openBatch);
  const works = [
    () => eachInParallel(purges, MOST_AT_ONCE, asked => queuePurge(asked, PURGE_AFTER)),
    () => backfill({ table, now: now(), queue: queuePacks }, members),
    () =>
      eachInParallel(batches, MOST_AT_ONCE, ({ organization, batch }) =>
        applyEarlyEvents({ table, now: now() }, organization, batch),
      ),
  ];
  await eachInParallel(works, works.length, work => work());
  log.info('dispatched', { records: Records.length, purges: purges.length });
});
