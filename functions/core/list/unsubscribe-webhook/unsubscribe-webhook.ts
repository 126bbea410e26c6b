import { definedFields } from '#core/defined-fields.ts';
import { isId, newId } from '#core/id.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import type { Item, Table } from '#core/storage/table.store.ts';
import { optimistically } from '#core/storage/write.store.ts';
import { DEFINED } from '#shared/list.ts';
import { byName } from '#shared/names.ts';
import { DAY } from '#shared/time.ts';
import {
  MOST_WEBHOOKS,
  type NewWebhook,
  type UnsubscribeWebhook,
  type WebhookChange,
  type WebhookWithSecret,
} from '#shared/unsubscribe-webhook.ts';
import * as listStore from '../list.store.ts';
import type * as sendingKey from '../sending-key.ts';
import * as deliveryStore from './delivery.store.ts';
import { headerFields, sealSecret } from './sealed.ts';
import { newSigningSecret } from './signature.ts';
import * as store from './unsubscribe-webhook.store.ts';

type Needs = { table: Table; now: Date; vault: sendingKey.Vault };

const OLD_SECRET_KEPT = DAY;
const CONFLICT = 'Another change of this webhook is under way. Please try again.';

/** The key of the webhook that a caller names; none if a text cannot be an id. */
export const keysOf = (organization: number, listId: string, id: string) =>
  isId(listId) && isId(id) ? [store.key({ organization, list: listId, webhook: id })] : [];

export function found(items: Item[], listId: string, id: string): store.StoredWebhook {
  const webhook = store.foundIn(items, { list: listId, webhook: id });
  if (webhook) return webhook;
  throw webhookNotFound();
}

const webhookNotFound = () => new Refusal('not-found', 'Webhook not found');

export async function listOf(
  { table }: { table: Table },
  of: listStore.StoredList,
): Promise<UnsubscribeWebhook[]> {
  const webhooks = await store.readAll(table, of.organization_id, of.id);
  return webhooks.map(shown).sort(byName);
}

export async function create(
  needs: Needs,
  of: listStore.StoredList,
  { headers, ...fields }: NewWebhook,
): Promise<WebhookWithSecret> {
  const { table, now } = needs;
  const named = { id: newId(), organization_id: of.organization_id, list_id: of.id };
  const secret = newSigningSecret();
  const webhook: store.StoredWebhook = {
    ...named,
    ...fields,
    ...(await headerFields(needs, named, headers)),
    secret: await sealSecret(needs, named, secret),
    created_at: now.toISOString(),
  };
  if (await store.insert(table, webhook, listStore.presentCheck(table, of)))
    return { ...shown(webhook), secret };
  const others = await store.readAll(table, of.organization_id, of.id);
  if (others.length >= MOST_WEBHOOKS) {
    throw invalid(
      'name',
      `A list can have at most ${MOST_WEBHOOKS} webhooks. Delete one that is no longer needed.`,
    );
  }
  throw new Refusal('not-found', 'Email list not found');
}

/** Changes a webhook. Activating it resets its health. */
export const change = (
  needs: Needs,
  webhook: store.StoredWebhook,
  { headers, ...fields }: WebhookChange,
): Promise<UnsubscribeWebhook> =>
  optimistically({
    known: webhook,
    read: () => readExisting(needs.table, webhook),
    write: async before => {
      const changed = definedFields(fields);
      const sealed = headers && (await headerFields(needs, before, headers));
      if (!sealed && Object.keys(changed).length === 0) return shown(before);
      const isFresh = fields.active === true && !before.active;
      const isElsewhere = fields.url !== undefined && fields.url !== before.url;
      const written = await store.change(
        needs.table,
        before,
        {
          set: { ...changed, ...sealed },
          drop: [
            ...(sealed && !sealed.headers ? (['headers'] as const) : []),
            ...(isFresh || isElsewhere ? store.HEALTH : []),
            ...(isFresh ? (['switched_off', 'notified'] as const) : []),
          ],
        },
        ['headers', 'active', 'url'],
      );
      return written && shown(written);
    },
    conflict: CONFLICT,
  });

/** Replaces the secret, and returns the new one once. The one before is valid for another day. */
export const rotate = (needs: Needs, webhook: store.StoredWebhook): Promise<WebhookWithSecret> =>
  optimistically({
    known: webhook,
    read: () => readExisting(needs.table, webhook),
    write: async before => {
      const secret = newSigningSecret();
      const set = {
        secret: await sealSecret(needs, before, secret),
        old_secret: before.secret,
        old_secret_until: new Date(needs.now.getTime() + OLD_SECRET_KEPT).toISOString(),
      };
      const written = await store.change(needs.table, before, { set }, ['secret']);
      return written && { ...shown(written), secret };
    },
    conflict: CONFLICT,
  });

/** Deletes a webhook. Its deliveries expire by themselves, or are deleted with the list. */
export async function remove({ table }: { table: Table }, webhook: store.StoredWebhook): Promise<void> {
  if (!(await store.remove(table, webhook))) throw webhookNotFound();
}

async function readExisting(table: Table, { organization_id, list_id, id }: store.StoredWebhook) {
  const current = await store.read(table, { organization: organization_id, list: list_id, webhook: id });
  if (current) return current;
  throw webhookNotFound();
}

/** Deletes some of the webhooks and deliveries of a deleted list. Returns true if there may be more. */
export const purgeSome = async (table: Table, organization: number, listId: string): Promise<boolean> =>
  (await store.purgeSome(table, organization, listId)) ||
  (await deliveryStore.purgeSome(table, organization, listId));

const shown = (webhook: store.StoredWebhook): UnsubscribeWebhook => ({
  id: webhook.id,
  name: webhook.name,
  url: webhook.url,
  parsed_headers: Object.fromEntries(webhook.header_keys.map(key => [key, DEFINED])),
  active: webhook.active,
  events: webhook.events,
  last_triggered_at: webhook.last_triggered_at ?? null,
  failing_since: webhook.failing_since ?? null,
  switched_off: webhook.switched_off ?? null,
  old_secret_until: webhook.old_secret_until ?? null,
  created_at: webhook.created_at,
});
