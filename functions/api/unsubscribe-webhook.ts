import * as example from '#core/list/unsubscribe-webhook/post.ts';
import type { StoredWebhook } from '#core/list/unsubscribe-webhook/unsubscribe-webhook.store.ts';
import * as webhooks from '#core/list/unsubscribe-webhook/unsubscribe-webhook.ts';
import {
  type DeliveriesQuery,
  type Span,
  unsubscribeWebhookRoutes,
  type WebhookChange,
} from '#shared/unsubscribe-webhook.ts';
import { list, webhook } from '../http/path-params.ts';
import { serveBoth } from '../http/serve.ts';
import { queueWebhooks } from '../platform/queue.ts';
import { table } from '../platform/table.ts';
import { vault } from '../platform/vault.ts';
import { postWebhook } from '../platform/webhook-post.ts';

const asks = { table, queue: queueWebhooks };

type OfWebhook = { webhook: StoredWebhook; now: Date };

const change = ({ webhook, body, now }: OfWebhook & { body: WebhookChange }) =>
  webhooks.change({ table, vault, now }, webhook, body);
const remove = ({ webhook }: OfWebhook) => webhooks.remove({ table }, webhook);
const test = ({ webhook, now }: OfWebhook) => example.sendExample({ vault, post: postWebhook, now }, webhook);
const rotate = ({ webhook, now }: OfWebhook) => webhooks.rotate({ table, vault, now }, webhook);
const deliveries = ({ webhook, query, now }: OfWebhook & { query: DeliveriesQuery }) =>
  webhooks.deliveriesOf({ table, now }, webhook, query);
const redeliver = ({ webhook, params, now }: OfWebhook & { params: { delivery: string } }) =>
  webhooks.redeliver({ ...asks, now }, webhook, params.delivery);
const redeliverFailed = ({ webhook, body, now }: OfWebhook & { body: Span }) =>
  webhooks.redeliverFailed({ ...asks, now }, webhook, body);

export const handler = serveBoth(
  unsubscribeWebhookRoutes,
  {
    'GET /api/email-lists/{list}/unsubscribe-webhooks': ({ list }) => webhooks.listOf({ table }, list),
    'POST /api/email-lists/{list}/unsubscribe-webhooks': ({ list, body, now }) =>
      webhooks.create({ table, vault, now }, list, body),
    'PUT /api/email-lists/{list}/unsubscribe-webhooks/{webhook}': change,
    'DELETE /api/email-lists/{list}/unsubscribe-webhooks/{webhook}': remove,
    'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/test': test,
    'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/secret': rotate,
    'GET /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/deliveries': deliveries,
    'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/deliveries/{delivery}/redeliver': redeliver,
    'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/redeliver': redeliverFailed,

    'GET /api/organizations/{organization}/webhooks': ({ active }) =>
      webhooks.listOf({ table }, webhooks.ofOrganization(active)),
    'POST /api/organizations/{organization}/webhooks': ({ active, body, now }) =>
      webhooks.create({ table, vault, now }, webhooks.ofOrganization(active), body),
    'PUT /api/organizations/{organization}/webhooks/{webhook}': change,
    'DELETE /api/organizations/{organization}/webhooks/{webhook}': remove,
    'POST /api/organizations/{organization}/webhooks/{webhook}/test': test,
    'POST /api/organizations/{organization}/webhooks/{webhook}/secret': rotate,
    'GET /api/organizations/{organization}/webhooks/{webhook}/deliveries': deliveries,
    'POST /api/organizations/{organization}/webhooks/{webhook}/deliveries/{delivery}/redeliver': redeliver,
    'POST /api/organizations/{organization}/webhooks/{webhook}/redeliver': redeliverFailed,
  },
  { list, webhook },
);
