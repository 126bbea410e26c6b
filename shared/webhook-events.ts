/** What a webhook may be told of the members of its list. */
export const WEBHOOK_EVENTS = ['unsubscribed', 'bounced', 'complained'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** As the events are called on the event bus, and in what an endpoint gets. */
export const eventType = (event: WebhookEvent) => `list_member.${event}` as const;
