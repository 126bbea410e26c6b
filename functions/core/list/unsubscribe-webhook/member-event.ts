import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { claimId, readMemberId } from '#core/recipient/recipient.key.ts';
import { eventType, type Happened, isBatched, type WebhookEvent } from '#shared/webhook-events.ts';

/** What happened. Addresses are read when it is delivered, so that none is kept of an erased person. */
export type MemberEvent = {
  event: WebhookEvent;
  at: string;
  source?: string;
  /** What it happened to: a member, an automation, or many people. */
  member?: string;
  automation?: { id: string; name: string };
  events?: Happened[];
};

/** As it is stored: compressed, as most of what a delivery costs is the size of its item. */
export type PackedEvent = Omit<MemberEvent, 'events'> & { events?: Uint8Array; count?: number };

export const packed = ({ events, ...event }: MemberEvent): PackedEvent =>
  events ? { ...event, count: events.length, events: deflateRawSync(JSON.stringify(events)) } : event;

export const eventIn = ({ event, at, source, member, automation, events }: PackedEvent): MemberEvent => ({
  event,
  at,
  ...(source !== undefined && { source }),
  ...(member !== undefined && { member }),
  ...(automation && { automation }),
  ...(events && { events: JSON.parse(inflateRawSync(events).toString()) }),
});

/** The same whenever an event comes: endpoints drop by it what they know. */
export const eventId = (event: WebhookEvent, { member, of, automation }: Happened) =>
  automation ? `${sendIdOf(member, of)}.${event}` : `${member}-${of}`;

const sendIdOf = (member: string, of: string) =>
  claimId({ hash: readMemberId(member)?.hash ?? member, seq: Number(of) });
const listIdOf = (member: string) => readMemberId(member)?.listId ?? 'example';

/** The `data` of a message. Erased people are left out of a batch. */
export function dataOf(
  { event, at, source, member = '', automation, events }: MemberEvent,
  emailOf: (member: string) => string | undefined,
): object {
  if (automation)
    return { automation_id: automation.id, automation_name: automation.name, paused_at: at, source };
  const whoOf = (list_member_id: string) => ({
    email_list_id: listIdOf(list_member_id),
    list_member_id,
    email: emailOf(list_member_id),
  });
  if (!events) return { ...whoOf(member), unsubscribed_at: at, source };
  return {
    events: events
      .filter(one => emailOf(one.member) !== undefined)
      .map(one => ({
        id: eventId(event, one),
        timestamp: one.at,
        ...whoOf(one.member),
        ...(one.automation && {
          email_send_id: sendIdOf(one.member, one.of),
          automation_id: one.automation,
          combination_id: one.combination,
        }),
      })),
  };
}

export function exampleOf(event: WebhookEvent, at: string): MemberEvent {
  const email = { automation: 'example', combination: 'example' };
  const one = { member: 'example', at, of: '1', ...(eventType(event).startsWith('email.') && email) };
  if (isBatched(event)) return { event, at, events: [one] };
  const source = 'test';
  return event === 'paused'
    ? { event, at, source, automation: { id: 'example', name: 'Example' } }
    : { event, at, source, member: 'example' };
}
