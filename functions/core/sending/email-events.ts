import { eventId } from '#core/list/unsubscribe-webhook/member-event.ts';
import { memberId } from '#core/recipient/recipient.key.ts';
import type { Event } from '#core/storage/projection.ts';
import type { Table } from '#core/storage/table.store.ts';
import { BATCHED, eventType, type Happened, type WebhookEvent } from '#shared/webhook-events.ts';
import { parseBatchId, readBatch } from './batch/batch.store.ts';
import { outcomeOf } from './batch/outcome.ts';
import type { BatchChange, ClaimChange, CountedClaim } from './sending.counters.ts';

/** What webhooks are told of an email is what reports count: by people, once for each email. */
const TOLD = {
  delivered: 'received_at',
  opened: 'opened_at',
  clicked: 'first_clicked_at',
} as const satisfies Partial<Record<WebhookEvent, keyof NonNullable<CountedClaim['times']>>>;

/** An email whose outcome was unknown is sent once an event of the provider has settled that. */
export function claimEvents({ organization_id, before, after }: ClaimChange): Event[] {
  if (!before || !after || after.released) return [];
  const { hash, seq, at, batch, combination, outcome, times = {} } = after;
  const { list, automation } = parseBatchId(batch);
  const eventOf = (event: WebhookEvent, at: string): Event => {
    const happened: Happened = { member: memberId(list, hash), at, of: String(seq), automation, combination };
    const detail = { id: eventId(event, happened), organization_id, email_list_id: list, event, happened };
    return { type: BATCHED, detail };
  };
  const marked = Object.entries(TOLD).flatMap(([event, mark]) => {
    const first = times[mark];
    return first && !before.times?.[mark] ? [eventOf(event as WebhookEvent, first)] : [];
  });
  return outcome === 'sent' && before.outcome !== 'sent' ? [eventOf('sent', at), ...marked] : marked;
}

/** The emails are in the manifest of the batch, which is read only where a webhook wants them. */
export function batchEvents({ organization_id, batch, before, after }: BatchChange): Event[] {
  if (before || !after || Object.keys(after).length === 0) return [];
  const { list } = parseBatchId(batch);
  const detail = { id: batch, organization_id, email_list_id: list, event: 'sent', sent: batch };
  return [{ type: BATCHED, detail }];
}

export async function sentOf(
  { table, now }: { table: Table; now: Date },
  organization: number,
  batch: string,
): Promise<Happened[]> {
  const found = await readBatch(table, organization, batch);
  if (!found) return [];
  const { at, list_id, automation_id } = found.head;
  return found.sends
    .filter(send => outcomeOf(found, send, now)?.status === 'sent')
    .map(({ hash, seq, combination }) => ({
      member: memberId(list_id, hash),
      at,
      of: String(seq),
      automation: automation_id,
      combination,
    }));
}

export type AutomationChange = {
  organization_id: number;
  automation_id: string;
  name: string;
  email_list_ids: string[];
  revision: string;
  at: string;
  wasActive: boolean;
  isActive: boolean;
  by: 'guard' | 'product' | 'user';
};

/** Of a sequence, each of its steps is an automation. */
export const automationEvents = ({
  wasActive,
  isActive,
  revision,
  by,
  ...automation
}: AutomationChange): Event[] =>
  wasActive && !isActive
    ? [
        {
          type: eventType('paused'),
          detail: { ...automation, id: `${automation.automation_id}-${revision}`, source: by },
        },
      ]
    : [];
