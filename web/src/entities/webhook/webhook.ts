import type { UnsubscribeWebhook } from '#shared/unsubscribe-webhook.ts';
import type { WebhookEvent } from '#shared/webhook-events.ts';
import { paths } from '#web/lib/paths.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import type { Entity } from '../entity.ts';

/** Whose webhooks: those of a list, or of the organization. */
export type Owner = { list: string } | { organization: number };

const OF_LIST = {
  rows: 'GET /api/email-lists/{list}/unsubscribe-webhooks',
  create: 'POST /api/email-lists/{list}/unsubscribe-webhooks',
  put: 'PUT /api/email-lists/{list}/unsubscribe-webhooks/{webhook}',
  remove: 'DELETE /api/email-lists/{list}/unsubscribe-webhooks/{webhook}',
  test: 'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/test',
  secret: 'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/secret',
  deliveries: 'GET /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/deliveries',
  redeliver: 'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/deliveries/{delivery}/redeliver',
  redeliverFailed: 'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/redeliver',
} as const;

// The calls of both owners have the same shapes, so the types of one serve for both.
const OF_ORGANIZATION = Object.fromEntries(
  Object.entries(OF_LIST).map(([name, route]) => [
    name,
    route.replace('/email-lists/{list}/unsubscribe-webhooks', '/organizations/{organization}/webhooks'),
  ]),
) as typeof OF_LIST;

export const routesOf = (owner: Owner) => ('list' in owner ? OF_LIST : OF_ORGANIZATION);

/** The parameters of the paths of these routes. */
export const paramsOf = (owner: Owner) =>
  ('list' in owner ? owner : { organization: String(owner.organization) }) as { list: string };

/** A webhook. No route returns a single one, so it is taken from the rows. */
export const webhookOf = (
  owner: Owner,
): Entity<Pick<UnsubscribeWebhook, 'id' | 'name'>, typeof OF_LIST.rows> => ({
  noun: 'webhook',
  nameOf: ({ name }) => name,
  home: 'list' in owner ? paths.list(owner.list) : paths.organizations(),
  one: routesOf(owner).rows,
  rows: routesOf(owner).rows,
  put: routesOf(owner).put,
  remove: routesOf(owner).remove,
  paramsOf: webhook => ({ ...paramsOf(owner), webhook }),
  activeField: 'active',
  right: 'webhooks:edit',
  texts: {
    missing: 'Webhook not found',
    notLoaded: 'Failed to load webhooks',
    switched: ({ name }, active) =>
      active ? `${name} is active.` : `${name} is inactive: it is told nothing.`,
    notSwitched: problem => serverMessageOr(problem, 'Failed to update webhook'),
    deleted: ({ name }) => `${name} was deleted.`,
  },
});

export const SECRET_WARNING =
  'Copy the signing secret now. It will not be shown again. With it, your endpoint verifies who has sent a request.';

export const EVENT_NAMES: Record<WebhookEvent, string> = {
  unsubscribed: 'Unsubscribed',
  bounced: 'Bounced',
  complained: 'Complained',
  subscribed: 'Subscribed',
  sent: 'Sent',
  delivered: 'Delivered',
  opened: 'Opened',
  clicked: 'Clicked',
  paused: 'Paused',
};
