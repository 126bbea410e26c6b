// Purpose: tell webhooks what happened to the members of lists, to emails and to automations.
// Safe to run twice: an attempt is claimed before it is made. One whose process died is made again, with the same id.

import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { type Batch, queueBatches } from '#core/list/unsubscribe-webhook/batches.ts';
import * as notice from '#core/list/unsubscribe-webhook/delivery.ts';
import { inParallel } from '#core/parallel.ts';
import { sentOf } from '#core/sending/email-events.ts';
import { ALL_LISTS } from '#shared/unsubscribe-webhook.ts';
import { BATCHED } from '#shared/webhook-events.ts';
import { described, log, redacting } from '../platform/log.ts';
import { mailer } from '../platform/mailer.ts';
import { queueWebhooks } from '../platform/queue.ts';
import { env, now } from '../platform/runtime.ts';
import { table } from '../platform/table.ts';
import { vault } from '../platform/vault.ts';
import { postWebhook } from '../platform/webhook-post.ts';

type Message = notice.BusEvent | notice.AutomationEvent | notice.DeliveryMessage | notice.NoticeMessage;
type BatchMessage = { 'detail-type': typeof BATCHED; detail: Batch };
type Received = { messageId: string; message: Message | BatchMessage };

const delivers = { table, vault, post: postWebhook, now, queue: queueWebhooks, random: Math.random };
const linkTo = (list: string) =>
  `${env('PUBLIC_URL')}/${list === ALL_LISTS ? 'access-control' : `email-lists/${list}`}`;

export const handler = redacting(async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
  const failed: string[] = [];
  const attempt = async (messageIds: string[], work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      failed.push(...messageIds);
      log.error('a webhook message failed', { error: described(error) });
    }
  };
  const received: Received[] = [];
  for (const { messageId, body } of Records)
    await attempt([messageId], async () => void received.push({ messageId, message: JSON.parse(body) }));
  const [batches, others] = [received.filter(isOfBatch), received.filter(isSingle)];
  // All at once, so that no endpoint delays the others of its batch.
  await Promise.all([
    ...others.map(({ messageId, message }) => attempt([messageId], () => take(message))),
    // Those of an organization together, as what came meanwhile goes in one delivery.
    ...[...Map.groupBy(batches, ({ message }) => message.detail.organization_id).values()].map(some =>
      attempt(
        some.map(({ messageId }) => messageId),
        () => takeBatches(some.map(({ message }) => message.detail)),
      ),
    ),
  ]);
  return { batchItemFailures: failed.map(itemIdentifier => ({ itemIdentifier })) };
});

const isOfBatch = (one: Received): one is Received & { message: BatchMessage } =>
  'detail-type' in one.message && one.message['detail-type'] === BATCHED;
const isSingle = (one: Received): one is Received & { message: Message } => !isOfBatch(one);

const MOST_READ_AT_ONCE = 5;

async function takeBatches(batches: Batch[]): Promise<void> {
  const whole = await inParallel(batches, MOST_READ_AT_ONCE, async batch =>
    batch.sent
      ? { ...batch, happened: await sentOf({ table, now: now() }, batch.organization_id, batch.sent) }
      : batch,
  );
  await queueBatches(delivers, whole);
}

async function take(message: Message): Promise<void> {
  if ('delivery' in message) await notice.deliver(delivers, message);
  else if ('notice' in message) await notice.notify({ ...delivers, mailer, linkTo }, message);
  else await notice.fanOut(delivers, message);
}
