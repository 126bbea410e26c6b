/** What a webhook can be told. An import adds, and a pack sends, thousands at once: these go in batches. */
const EVENTS = {
  unsubscribed: { subject: 'list_member' },
  bounced: { subject: 'list_member' },
  complained: { subject: 'list_member' },
  subscribed: { subject: 'list_member', isBatched: true },
  sent: { subject: 'email', isBatched: true },
  delivered: { subject: 'email', isBatched: true },
  opened: { subject: 'email', isBatched: true },
  clicked: { subject: 'email', isBatched: true },
  paused: { subject: 'automation' },
} as const satisfies Record<string, { subject: string; isBatched?: true }>;
export type WebhookEvent = keyof typeof EVENTS;

export const WEBHOOK_EVENTS = Object.keys(EVENTS) as [WebhookEvent, ...WebhookEvent[]];

export const isBatched = (event: WebhookEvent): boolean => 'isBatched' in EVENTS[event];

/** The name of an event on the event bus and in messages to endpoints. */
export const eventType = (event: WebhookEvent) => `${EVENTS[event].subject}.${event}`;

/** The most events that a delivery has. */
export const MOST_IN_BATCH = 100;

/** The type, on the event bus, of what goes in batches. */
export const BATCHED = 'webhooks.batch';

/** One of the events of a batch: without an address, so that none is kept of an erased person. */
export type Happened = {
  member: string;
  at: string;
  /** With the member, what it happened to: the number of the claim of an email, or the revision of a membership. */
  of: string;
  automation?: string;
  combination?: string;
};
