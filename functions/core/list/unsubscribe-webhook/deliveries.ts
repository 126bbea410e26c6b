import type { Deliveries, Delivery } from '../../../../shared/unsubscribe-webhook.ts';
import { newRevision } from '../../id.ts';
import { inParallel } from '../../parallel.ts';
import { invalid, Refusal } from '../../refusal.ts';
import type { Table } from '../../storage/table.store.ts';
import { type Queued, queuedOf } from './deliver.ts';
import type { StoredDelivery } from './delivery.store.ts';
import * as store from './delivery.store.ts';
import type { Place, StoredWebhook } from './unsubscribe-webhook.store.ts';

type Needs = { table: Table; now: Date };
type Asks = Needs & { queue: (messages: Queued[]) => Promise<void> };

const placeOf = ({ organization_id, list_id, id }: StoredWebhook): Place => ({
  organization: organization_id,
  list: list_id,
  webhook: id,
});

/** A page of what was sent in the last days, newest first. */
export async function pageOf(
  { table, now }: Needs,
  webhook: StoredWebhook,
  { cursor, per_page }: { cursor?: string | undefined; per_page: number },
): Promise<Deliveries> {
  if (cursor !== undefined && !store.isDeliveryId(cursor))
    throw invalid('cursor', 'This cursor is not valid');
  const found = await store.page(table, placeOf(webhook), now, { before: cursor, most: per_page + 1 });
  const deliveries = found.slice(0, per_page);
  return {
    deliveries: deliveries.map(shown),
    next_cursor: found.length > per_page ? (deliveries.at(-1)?.id ?? null) : null,
  };
}

/** Delivers once more, with the same id: nothing of it counts against the endpoint. */
export async function redeliver(needs: Asks, webhook: StoredWebhook, id: string): Promise<Delivery> {
  requireActive(webhook);
  const before = store.isDeliveryId(id) ? await store.read(needs.table, placeOf(webhook), id) : undefined;
  const asked = before && (await ask(needs, webhook, before));
  if (asked) return shown(asked);
  throw new Refusal('not-found', 'This delivery does not exist any more.');
}

// Far fewer than a call has time for.
const MOST_AT_ONCE = 500;
const MOST_IN_PARALLEL = 20;

/** Of what happened in a span, delivers once more what failed. What is asked for is not found again by the next call. */
export async function redeliverFailed(
  needs: Asks,
  webhook: StoredWebhook,
  { from, to }: { from: string; to: string },
): Promise<{ redelivered: number; more: boolean }> {
  requireActive(webhook);
  const span = { from: new Date(from), to: new Date(to), most: MOST_AT_ONCE + 1 };
  const failed = await store.failedOf(needs.table, placeOf(webhook), needs.now, span);
  const some = failed.slice(0, MOST_AT_ONCE);
  await inParallel(some, MOST_IN_PARALLEL, delivery => ask(needs, webhook, delivery));
  return { redelivered: some.length, more: failed.length > some.length };
}

// Until then it is stored that it was asked for. A message that nothing is stored of does nothing.
const PAUSE = 2_000;

async function ask({ table, now, queue }: Asks, webhook: StoredWebhook, before: StoredDelivery) {
  const { id, event, member, at, source } = before;
  const redelivery = newRevision();
  const place = placeOf(webhook);
  const due = new Date(now.getTime() + PAUSE).toISOString();
  const happened = { event, member, at, source };
  await queue([queuedOf({ delivery: id, place, happened, run: { redelivery }, due }, now)]);
  return store.ask(table, place, id, redelivery);
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
