import * as example from '#core/list/unsubscribe-webhook/post.ts';
import * as webhooks from '#core/list/unsubscribe-webhook/unsubscribe-webhook.ts';
import { unsubscribeWebhookRoutes } from '#shared/unsubscribe-webhook.ts';
import { list, webhook } from '../http/path-params.ts';
import { serveBoth } from '../http/serve.ts';
import { queueWebhooks } from '../platform/queue.ts';
import { table } from '../platform/table.ts';
import { vault } from '../platform/vault.ts';
import { postWebhook } from '../platform/webhook-post.ts';

const asks = { table, queue: queueWebhooks };

export const handler = serveBoth(
  unsubscribeWebhookRoutes,
  {
    'GET /api/email-lists/{list}/unsubscribe-webhooks': ({ list }) => webhooks.listOf({ table }, list),
    'POST /api/email-lists/{list}/unsubscribe-webhooks': ({ list, body, now }) =>
      webhooks.create({ table, vault, now }, list, body),
    'PUT /api/email-lists/{list}/unsubscribe-webhooks/{webhook}': ({ webhook, body, now }) =>
      webhooks.change({ table, vault, now }, webhook, body),
    'DELETE /api/email-lists/{list}/unsubscribe-webhooks/{webhook}': ({ webhook }) =>
      webhooks.remove({ table }, webhook),
    'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/test': ({ webhook, now }) =>
      example.sendExample({ vault, post: postWebhook, now }, webhook),
    'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/secret': ({ webhook, now }) =>
      webhooks.rotate({ table, vault, now }, webhook),
    'GET /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/deliveries': ({ webhook, query, now }) =>
      webhooks.deliveriesOf({ table, now }, webhook, query),
    'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/deliveries/{delivery}/redeliver': ({
      webhook,
      params,
      now,
    }) => webhooks.redeliver({ ...asks, now }, webhook, params.delivery),
    'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/redeliver': ({ webhook, body, now }) =>
      webhooks.redeliverFailed({ ...asks, now }, webhook, body),
  },
  { list, webhook },
);
