// Purpose: delete what belonged to a deleted organization or list. Each write to the item that requests it calls a round,
// and a delayed message calls the last one.
// Safe to run twice: every step only deletes, and the item goes with the last of it.
import type { AttributeValue, Context, DynamoDBRecord, SQSRecord } from 'aws-lambda';
import { planOf } from '../core/storage/purge/plan.ts';
import * as purge from '../core/storage/purge/purge.ts';
import { now } from '../platform/clock.ts';
import { later } from '../platform/later.ts';
import { log, redacting } from '../platform/log.ts';
import { objects } from '../platform/objects.ts';
import { table } from '../platform/table.ts';

// Far more than one step takes, and the writes that end a round.
const SPARE_MS = 20_000;

type Calls = { Records: (DynamoDBRecord | SQSRecord)[] };

export const handler = redacting(async ({ Records }: Calls, context: Context): Promise<void> => {
  const hasTime = () => context.getRemainingTimeInMillis() > SPARE_MS;
  for (const record of Records) {
    const job = jobOf(record);
    const plan = planOf({ table, objects, now }, job);
    const round = await purge.round({ table, now: now(), hasTime, later }, job, plan);
    log.info('purge', { organization: job.organization_id, list: job.list_id, round });
  }
});

function jobOf(record: DynamoDBRecord | SQSRecord): purge.Job {
  if ('body' in record) return JSON.parse(record.body);
  const { organization_id, list_id }: Record<string, AttributeValue> = record.dynamodb?.NewImage ?? {};
  return {
    organization_id: Number(organization_id?.N),
    ...(list_id?.S !== undefined && { list_id: list_id.S }),
  };
}
