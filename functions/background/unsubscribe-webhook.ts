// Purpose: tell the webhooks of a list what happened to its members.
// Safe to run twice: an attempt is claimed before it is made. One whose process died is made again, with the same id.

import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
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
type Received = { id: string; message: Message };

// The time of one attempt, and of its writes.
const SPARE_MS = 22_000;

const delivers = { table, vault, post: postWebhook, now, queue: queueWebhooks, random: Math.random };
const linkTo = (list: string) => `${env('PUBLIC_URL')}/email-lists/${list}`;

export const handler = redacting(
  async ({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const received = Records.map(
      ({ messageId, body }): Received => ({ id: messageId, message: JSON.parse(body) }),
    );
    const failed: string[] = [];
    const inOrder = async (ofWebhook: Received[]) => {
      for (const { id, message } of ofWebhook) {
        try {
          await take(message, () => context.getRemainingTimeInMillis() > SPARE_MS);
        } catch (error) {
          failed.push(id);
          log.error('a webhook message failed', { error: described(error) });
        }
      }
    };
    // Deliveries of one webhook run one after the other, so that a slow or failing one does not take the whole batch.
    await Promise.all([...Map.groupBy(received, webhookOf).values()].map(inOrder));
    return { batchItemFailures: failed.map(itemIdentifier => ({ itemIdentifier })) };
  },
);

const webhookOf = ({ id, message }: Received) =>
  'delivery' in message ? `${message.place.organization}#${message.place.webhook}` : id;

async function take(message: Message, hasTimeLeft: () => boolean): Promise<void> {
  if ('delivery' in message) await notice.deliver({ ...delivers, hasTimeLeft }, message);
  else if ('notice' in message) await notice.notify({ table, mailer, linkTo }, message);
  else await notice.fanOut(delivers, message);
}
