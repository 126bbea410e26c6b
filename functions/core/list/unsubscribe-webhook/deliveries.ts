import { newRevision } from '#core/id.ts';
import { inParallel } from '#core/parallel.ts';
import { invalid, Refusal } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { Deliveries, Delivery, Redelivered, Span } from '#shared/unsubscribe-webhook.ts';
import { type Queued, queuedOf } from './deliver.ts';
import type { StoredDelivery } from './delivery.store.ts';
import * as store from './delivery.store.ts';
import type { Place, StoredWebhook } from './unsubscribe-webhook.store.ts';

type Needs = { table: Table; now: Date };
type WithQueue = Needs & { queue: (messages: Queued[]) => Promise<void> };

const placeOf = ({ organization_id, list_id, id }: StoredWebhook): Place => ({
  organization: organization_id,
  list: list_id,
  webhook: id,
});

/** A page of the deliveries of the last days, newest first. */
export async function pageOf(
  { table, now }: Needs,
  webhook: StoredWebhook,
  { cursor, per_page }: { cursor?: string | undefined; per_page: number },
): Promise<Deliveries> {
  requireCursor(cursor);
  const found = await store.page(table, placeOf(webhook), now, { before: cursor, most: per_page + 1 });
  const deliveries = found.slice(0, per_page);
  return {
    deliveries: deliveries.map(shown),
    next_cursor: found.length > per_page ? (deliveries.at(-1)?.id ?? null) : null,
  };
}

function requireCursor(cursor: string | undefined): void {
  if (cursor !== undefined && !store.isDeliveryId(cursor))
    throw invalid('cursor', 'This cursor is not valid');
}

/** Requests a redelivery with the same id. Its failure does not count against the endpoint. */
export async function redeliver(needs: WithQueue, webhook: StoredWebhook, id: string): Promise<Delivery> {
  requireActive(webhook);
  const before = store.isDeliveryId(id) ? await store.read(needs.table, placeOf(webhook), id) : undefined;
  const marked = before && (await requestRedelivery(needs, webhook, before));
  if (marked) return shown(marked);
  throw new Refusal('not-found', 'This delivery does not exist any more.');
}

// Far fewer than a call has time for.
const MOST_AT_ONCE = 500;
const MOST_IN_PARALLEL = 20;

/**
 * Requests a redelivery of the failed deliveries in a part of a span. Repeating it does nothing, as they are not marked as
 * failed then.
 */
export async function redeliverFailed(
  needs: WithQueue,
  webhook: StoredWebhook,
  { from, to, cursor }: Span,
): Promise<Redelivered> {
  requireActive(webhook);
  requireCursor(cursor);
  const span = { from: new Date(from), to: new Date(to), after: cursor, most: MOST_AT_ONCE };
  const { failed, next } = await store.failedOf(needs.table, placeOf(webhook), needs.now, span);
  await inParallel(failed, MOST_IN_PARALLEL, delivery => requestRedelivery(needs, webhook, delivery));
  return { redelivered: failed.length, next_cursor: next ?? null };
}

// By then the request is stored. A message for which no request is stored does nothing.
const PAUSE = 2_000;

async function requestRedelivery(
  { table, now, queue }: WithQueue,
  webhook: StoredWebhook,
  before: StoredDelivery,
) {
  const { id, event, member, at, source } = before;
  const redelivery = newRevision();
  const place = placeOf(webhook);
  const due = new Date(now.getTime() + PAUSE).toISOString();
  const memberEvent = { event, member, at, source };
  await queue([queuedOf({ delivery: id, place, memberEvent, attempt: { redelivery }, due }, now)]);
  return store.markRedelivery(table, place, id, redelivery);
}

function requireActive({ active }: StoredWebhook): void {
  if (!active) throw new Refusal('conflict', 'The webhook is not active. Activate it first.');
}

const shown = (stored: StoredDelivery): Delivery => ({
  id: stored.id,
  event: stored.event,
  created_at: stored.at,
  state: stored.state,
  attempt: stored.attempts,
  attempted_at: stored.attempted_at ?? null,
  status_code: stored.status_code ?? null,
  duration_ms: stored.duration_ms ?? null,
  error: stored.error ?? null,
  next_attempt_at: stored.next_at ?? null,
});
