import type { UnsubscribeWebhook } from '#shared/unsubscribe-webhook.ts';
import type { WebhookEvent } from '#shared/webhook-events.ts';
import { paths } from '#web/lib/paths.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import type { Entity } from '../entity.ts';

export const WEBHOOKS = 'GET /api/email-lists/{list}/unsubscribe-webhooks';

/** The webhooks of a list. No route returns a single one, so it is taken from the rows. */
export const webhookOf = (
  list: string,
): Entity<Pick<UnsubscribeWebhook, 'id' | 'name'>, typeof WEBHOOKS> => ({
  noun: 'webhook',
  nameOf: ({ name }) => name,
  home: paths.list(list),
  one: WEBHOOKS,
  rows: WEBHOOKS,
  put: 'PUT /api/email-lists/{list}/unsubscribe-webhooks/{webhook}',
  remove: 'DELETE /api/email-lists/{list}/unsubscribe-webhooks/{webhook}',
  paramsOf: webhook => ({ list, webhook }),
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
};
