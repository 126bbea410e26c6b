import { memberId } from '#core/recipient/recipient.key.ts';
import type { Event } from '#core/storage/projection.ts';
import { eventType, type WebhookEvent } from '#shared/webhook-events.ts';

type Membership = {
  status: string;
  updated_at: string;
  revision: string;
  by?: string | undefined;
};
type Change = {
  organization_id: number;
  list_id: string;
  hash: string;
  before: Membership | undefined;
  after: Membership | undefined;
};

/**
 * The events by what ended the subscription. For any other cause the member unsubscribed, or was unsubscribed by a user or
 * a program.
 */
const BY: Record<string, WebhookEvent> = { bounce: 'bounced', complaint: 'complained' };

/**
 * The events of a changed membership. Their ids are made of its revision, so a repeated publication has the same ids. They
 * have the member's id and not the address: an event may wait in a queue for days, and the person may be erased meanwhile.
 */
export function listMemberEvents({ organization_id, list_id, hash, before, after }: Change): Event[] {
  if (before?.status !== 'subscribed' || after?.status !== 'unsubscribed') return [];
  const list_member_id = memberId(list_id, hash);
  const detail = {
    id: `${list_member_id}-${after.revision}`,
    organization_id,
    email_list_id: list_id,
    list_member_id,
    unsubscribed_at: after.updated_at,
    source: after.by,
  };
  return [{ type: eventType(BY[after.by ?? ''] ?? 'unsubscribed'), detail }];
}
