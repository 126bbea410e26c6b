import { eventType, type WebhookEvent } from '../../../../shared/webhook-events.ts';
import { memberId } from '../../recipient/recipient/recipient.ts';
import type { Event } from '../../storage/projection/projection.ts';

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

/** What ended the subscription; whatever is not here, the member or somebody for them unsubscribed. */
const BY: Record<string, WebhookEvent> = { bounce: 'bounced', complaint: 'complained' };

/**
 * The events of a changed membership. Its revision makes their id the same each time they are published. They name the member
 * without the address: an event may wait in a queue for days, in which somebody is erased.
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
