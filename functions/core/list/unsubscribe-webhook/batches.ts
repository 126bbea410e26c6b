import { chunksOf } from '#core/parallel.ts';
import { readMemberId } from '#core/recipient/recipient.key.ts';
import type { Event } from '#core/storage/projection.ts';
import { memoryOf, type Table } from '#core/storage/table.store.ts';
import { MINUTE } from '#shared/time.ts';
import { ALL_LISTS } from '#shared/unsubscribe-webhook.ts';
import {
  BATCHED,
  type Happened,
  isBatched,
  MOST_IN_BATCH,
  type WebhookEvent,
} from '#shared/webhook-events.ts';
import { type Delivers, firstDelivery } from './delivery.ts';
import { eventId } from './member-event.ts';
import * as store from './unsubscribe-webhook.store.ts';

type Detail = {
  id: string;
  organization_id: number;
  email_list_id: string;
  event: WebhookEvent;
  /** Of one person; else `sent` is a batch of emails. */
  happened?: Happened;
  sent?: string;
};
/** A message of the event bus. `sent`: all emails that were sent of this batch. */
export type Batch = { organization_id: number; event: WebhookEvent; happened: Happened[]; sent?: string };

type Reads = { table: Table; now: Date };

// A process reads once a minute what webhooks want, so that nothing is read for each email.
const KNOWN_FOR = MINUTE;
const wantedIn = memoryOf<{ until: number; events: Promise<WebhookEvent[]> }>(10_000);

/** What webhooks of a list, or of the organization, want in batches; as it was up to a minute ago. */
export async function wantedOf({ table, now }: Reads, organization: number, list: string) {
  const memory = wantedIn(table);
  const wantedBy = (owner: string): Promise<WebhookEvent[]> => {
    const key = `${organization}#${owner}`;
    const found = memory.get(key);
    if (found && found.until > now.getTime()) return found.events;
    const events = store
      .readAll(table, organization, owner, false)
      .then(all => all.filter(({ active }) => active).flatMap(webhook => webhook.events.filter(isBatched)));
    const wanted = { until: now.getTime() + KNOWN_FOR, events };
    memory.add(key, wanted);
    events.catch(() => {
      wanted.until = 0;
    });
    return events;
  };
  return new Set((await Promise.all([ALL_LISTS, list].map(wantedBy))).flat());
}

// Ten of them are less than a request to the event bus may have.
const MOST_TOGETHER = 100;

/** The messages of the event bus about what webhooks want of these events. */
export async function batchesOf(needs: Reads, events: Event[]): Promise<Batch[]> {
  const details = events.filter(({ type }) => type === BATCHED).map(({ detail }) => detail as Detail);
  const batches: Batch[] = [];
  for (const ofList of Map.groupBy(details, of => `${of.organization_id}#${of.email_list_id}`).values()) {
    const { organization_id = 0, email_list_id = '' } = ofList[0] ?? {};
    const wanted = await wantedOf(needs, organization_id, email_list_id);
    for (const [event, some] of Map.groupBy(ofList, of => of.event)) {
      if (!wanted.has(event)) continue;
      for (const { sent } of some) if (sent) batches.push({ organization_id, event, happened: [], sent });
      const happened = some.flatMap(of => of.happened ?? []);
      for (const part of chunksOf(happened, MOST_TOGETHER))
        batches.push({ organization_id, event, happened: part });
    }
  }
  return batches;
}

const listOf = ({ member }: Happened) => readMemberId(member)?.listId ?? '';

/**
 * Queues for each webhook a delivery of up to 100 events. What comes twice may be in another delivery the second time, with the
 * same id of the event.
 */
export async function queueBatches(
  { table, now, queue }: Pick<Delivers, 'table' | 'now' | 'queue'>,
  batches: Batch[],
): Promise<void> {
  for (const [organization, of] of Map.groupBy(batches, batch => batch.organization_id)) {
    const lists = new Set(of.flatMap(({ happened }) => happened.map(listOf)));
    for (const webhook of await store.readActive(table, organization, lists)) {
      for (const [event, some] of Map.groupBy(of, batch => batch.event)) {
        if (!webhook.events.includes(event)) continue;
        const own = some
          .flatMap(({ happened }) => happened)
          .filter(one => webhook.list_id === ALL_LISTS || webhook.list_id === listOf(one));
        const byId = new Map(own.map(one => [eventId(event, one), one]));
        const parts = chunksOf([...byId], MOST_IN_BATCH).map(part => {
          const events = part.map(([, one]) => one);
          const at =
            events
              .map(one => one.at)
              .sort()
              .at(-1) ?? now().toISOString();
          return firstDelivery(webhook, part.map(([id]) => id).join(), { event, at, events }, now());
        });
        await queue(parts);
      }
    }
  }
}
