// Purpose: tell the webhooks of a list what happened to its members.
// Safe to run twice: an attempt is claimed before it is made. One whose process died is made again, with the same id.

import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as notice from '#core/list/unsubscribe-webhook/delivery.ts';
import { env } from '../platform/aws.ts';
import { now } from '../platform/clock.ts';
import { described, log, redacting } from '../platform/log.ts';
import { mailer } from '../platform/mailer.ts';
import { queueWebhooks } from '../platform/queue.ts';
import { table } from '../platform/table.ts';
import { vault } from '../platform/vault.ts';
import { postWebhook } from '../platform/webhook-post.ts';

type Message = notice.BusEvent | notice.DeliveryMessage | notice.NoticeMessage;

const delivers = { table, vault, post: postWebhook, now, queue: queueWebhooks, random: Math.random };
const linkTo = (list: string) => `${env('PUBLIC_URL')}/email-lists/${list}`;

export const handler = redacting(async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
  const failed: string[] = [];
  // All at once, so that no endpoint delays the others of its batch.
  const takeOne = async ({ messageId, body }: SQSRecord) => {
    try {
      await take(JSON.parse(body));
    } catch (error) {
      failed.push(messageId);
      log.error('a webhook message failed', { error: described(error) });
    }
  };
  await Promise.all(Records.map(takeOne));
  return { batchItemFailures: failed.map(itemIdentifier => ({ itemIdentifier })) };
});

async function take(message: Message): Promise<void> {
  if ('delivery' in message) await notice.deliver(delivers, message);
  else if ('notice' in message) await notice.notify({ ...delivers, mailer, linkTo }, message);
  else await notice.fanOut(delivers, message);
}
