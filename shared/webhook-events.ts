export const WEBHOOK_EVENTS = ['unsubscribed', 'bounced', 'complained'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** The name of an event on the event bus and in messages to endpoints. */
export const eventType = (event: WebhookEvent) => `list_member.${event}` as const;
