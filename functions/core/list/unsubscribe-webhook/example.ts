import { randomUUID } from 'node:crypto';
import type { WebhookTest } from '#shared/unsubscribe-webhook.ts';
import { eventType } from '#shared/webhook-events.ts';
import { durationOf, faultOf, isDelivered, type Posts, postTo } from './post.ts';
import type { StoredWebhook } from './unsubscribe-webhook.store.ts';

/** Sends an example message to the endpoint, and stores nothing of it. */
export async function sendExample(
  needs: Posts & { now: Date },
  webhook: StoredWebhook,
): Promise<WebhookTest> {
  const [event = 'unsubscribed'] = webhook.events;
  const at = needs.now.toISOString();
  const posted = await postTo(needs, webhook, {
    id: `msg_test_${randomUUID().replaceAll('-', '')}`,
    type: eventType(event),
    at,
    data: {
      email_list_id: webhook.list_id,
      list_member_id: 'example',
      email: 'example@example.com',
      unsubscribed_at: at,
      source: 'test',
    },
  });
  const status = 'status' in posted ? ` ${posted.status}` : '';
  const ms = durationOf(posted);
  const message = isDelivered(posted)
    ? `The endpoint answered${status} in ${ms} ms`
    : [faultOf(posted), status && `:${status}`].join('');
  return { success: isDelivered(posted), message };
}
