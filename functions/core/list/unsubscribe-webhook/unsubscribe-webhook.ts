import { isId, newId, newRevision } from '#core/id.ts';
import { aliveCheck, organizationGone } from '#core/organization/organization.store.ts';
import type { Active } from '#core/organization/organization.ts';
import { inParallel } from '#core/parallel.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import type { Item, Table } from '#core/storage/table.store.ts';
import { definedFields, optimistically } from '#core/storage/write.store.ts';
import { DEFINED } from '#shared/list.ts';
import { byName } from '#shared/names.ts';
import { DAY } from '#shared/time.ts';
import {
  ALL_LISTS,
  type Deliveries,
  type Delivery,
  MOST_WEBHOOKS,
  type NewWebhook,
  type Redelivered,
  type Span,
  type UnsubscribeWebhook,
  type WebhookChange,
  type WebhookWithSecret,
} from '#shared/unsubscribe-webhook.ts';
import { listNotFound } from '../counts.ts';
import * as listStore from '../list.store.ts';
import type * as sendingKey from '../sending-key.ts';
import * as deliveries from './delivery.store.ts';
import { type Queued, queuedOf } from './delivery.ts';
import { eventIn } from './member-event.ts';
import { headerFields, newSigningSecret, sealSecret } from './post.ts';
import * as store from './unsubscribe-webhook.store.ts';

type Needs = { table: Table; now: Date; vault: sendingKey.Vault };

const OLD_SECRET_KEPT = DAY;
const CONFLICT = 'Another change of this webhook is under way. Please try again.';

/** Whose webhooks: those of a list, or of the organization. */
export type Owner = Pick<listStore.StoredList, 'organization_id' | 'id'>;
export const ofOrganization = ({ organization }: Active): Owner => ({
  organization_id: organization.id,
  id: ALL_LISTS,
});

export const keysOf = (organization: number, listId: string, id: string) =>
  (listId === ALL_LISTS || isId(listId)) && isId(id)
    ? [store.key({ organization, list: listId, webhook: id })]
    : [];

export function found(items: Item[], listId: string, id: string): store.StoredWebhook {
  const webhook = store.foundIn(items, { list: listId, webhook: id });
  if (webhook) return webhook;
  throw webhookNotFound();
}

const webhookNotFound = () => new Refusal('not-found', 'Webhook not found');

export async function listOf({ table }: { table: Table }, of: Owner): Promise<UnsubscribeWebhook[]> {
  const webhooks = await store.readAll(table, of.organization_id, of.id);
  return webhooks.map(shown).sort(byName);
}

export async function create(
  needs: Needs,
  of: Owner,
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
  const isOfAll = of.id === ALL_LISTS;
  const check = isOfAll ? aliveCheck(table, of.organization_id) : listStore.presentCheck(table, of);
  if (await store.insert(table, webhook, check)) return { ...shown(webhook), secret };
  const others = await store.readAll(table, of.organization_id, of.id);
  if (others.length >= MOST_WEBHOOKS) {
    throw invalid(
      'name',
      `${isOfAll ? 'An organization' : 'A list'} can have at most ${MOST_WEBHOOKS} webhooks. Delete one that is no longer needed.`,
    );
  }
  throw isOfAll ? organizationGone() : listNotFound();
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
            ...(isFresh ? (['switched_off'] as const) : []),
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

export const purgeSome = async (table: Table, organization: number, listId: string): Promise<boolean> =>
  (await store.purgeSome(table, organization, listId)) ||
  (await deliveries.purgeSome(table, organization, listId));

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

type QueueNeeds = { table: Table; now: Date; queue: (messages: Queued[]) => Promise<void> };

const placeOf = ({ organization_id, list_id, id }: store.StoredWebhook): store.Place => ({
  organization: organization_id,
  list: list_id,
  webhook: id,
});

export async function deliveriesOf(
  { table, now }: { table: Table; now: Date },
  webhook: store.StoredWebhook,
  { cursor, per_page }: { cursor?: string | undefined; per_page: number },
): Promise<Deliveries> {
  requireCursor(cursor);
  const found = await deliveries.page(table, placeOf(webhook), now, { before: cursor, most: per_page + 1 });
  const page = found.slice(0, per_page);
  return {
    deliveries: page.map(shownDelivery),
    next_cursor: found.length > per_page ? (page.at(-1)?.id ?? null) : null,
  };
}

function requireCursor(cursor: string | undefined): void {
  if (cursor !== undefined && !deliveries.isDeliveryId(cursor))
    throw invalid('cursor', 'This cursor is not valid');
}

/** Requests a redelivery with the same id. Its failure does not count against the endpoint. */
export async function redeliver(
  needs: QueueNeeds,
  webhook: store.StoredWebhook,
  id: string,
): Promise<Delivery> {
  requireActive(webhook);
  const before = deliveries.isDeliveryId(id)
    ? await deliveries.read(needs.table, placeOf(webhook), id)
    : undefined;
  const marked = before && (await requestRedelivery(needs, webhook, before));
  if (marked) return shownDelivery(marked);
  throw new Refusal('not-found', 'This delivery does not exist any more.');
}

// Far fewer than a call has time for.
const MOST_AT_ONCE = 500;
const MOST_IN_PARALLEL = 20;

/** Repeating it does nothing, as the deliveries are not marked as failed then. */
export async function redeliverFailed(
  needs: QueueNeeds,
  webhook: store.StoredWebhook,
  { from, to, cursor }: Span,
): Promise<Redelivered> {
  requireActive(webhook);
  requireCursor(cursor);
  const span = { from: new Date(from), to: new Date(to), after: cursor, most: MOST_AT_ONCE };
  const { failed, next } = await deliveries.failedOf(needs.table, placeOf(webhook), needs.now, span);
  await inParallel(failed, MOST_IN_PARALLEL, delivery => requestRedelivery(needs, webhook, delivery));
  return { redelivered: failed.length, next_cursor: next ?? null };
}

// By then the request is stored. A message for which no request is stored does nothing.
const PAUSE = 2_000;

async function requestRedelivery(
  { table, now, queue }: QueueNeeds,
  webhook: store.StoredWebhook,
  before: deliveries.StoredDelivery,
) {
  const { id } = before;
  const redelivery = newRevision();
  const place = placeOf(webhook);
  const due = new Date(now.getTime() + PAUSE).toISOString();
  const memberEvent = eventIn(before);
  await queue([queuedOf({ delivery: id, place, memberEvent, attempt: { redelivery }, due }, now)]);
  return deliveries.markRedelivery(table, place, id, redelivery);
}

function requireActive({ active }: store.StoredWebhook): void {
  if (!active) throw new Refusal('conflict', 'The webhook is not active. Activate it first.');
}

const shownDelivery = (stored: deliveries.StoredDelivery): Delivery => ({
  id: stored.id,
  event: stored.event,
  count: stored.count ?? 1,
  created_at: stored.at,
  state: stored.state,
  attempt: stored.attempts,
  attempted_at: stored.attempted_at ?? null,
  status_code: stored.status_code ?? null,
  duration_ms: stored.duration_ms ?? null,
  error: stored.error ?? null,
  next_attempt_at: stored.next_at ?? null,
});
