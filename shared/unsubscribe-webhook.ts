import * as z from 'zod/mini';
import { BUDGETS } from './budgets.ts';
import { DEFINED } from './list.ts';
import { whole } from './page.ts';
import type { RouteTable } from './route.ts';
import { line } from './text.ts';
import { WEBHOOK_EVENTS } from './webhook-events.ts';

export const MOST_WEBHOOKS = 10;
/** Has the place of the list's id where webhooks are those of the organization, told of all of its lists. */
export const ALL_LISTS = 'all';
export const DELIVERY_DAYS = 7;
const LONGEST_NAME = 100;
const LONGEST_URL = 2_048;
const MOST_HEADERS = 20;
const LONGEST_KEY = 64;
const LONGEST_VALUE = 1_024;
// All headers are encrypted as one text, and KMS accepts 4,096 bytes.
const LONGEST_HEADERS = 3_500;

const WRONG_URL = 'URL must be a valid HTTP or HTTPS URL';

/** URLs with a user name or a password are refused, as these can hide the host. */
function isWebUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return !username && !password;
}

// https://www.rfc-editor.org/rfc/rfc9110#name-tokens
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** The headers of the connection and of the signature. */
const RESERVED =
  /^(host|content-length|content-type|connection|transfer-encoding|keep-alive|te|trailer|upgrade|expect|proxy-.*|webhook-.*)$/i;

export function headerFault(key: string, value: string): string | undefined {
  if (key.trim() === '') return value.trim() === '' ? undefined : 'Header key is required';
  if (value.trim() === '') return 'Header value is required';
  if (key.length > LONGEST_KEY) return `Header key must be at most ${LONGEST_KEY} characters`;
  if (!TOKEN.test(key)) return 'Header key must be letters, digits and hyphens only';
  if (RESERVED.test(key)) return `The header ${key} cannot be set`;
  if (value.length > LONGEST_VALUE) return `Header value must be at most ${LONGEST_VALUE} characters`;
  // The value is sent as it is, and a line break would begin another header.
  return /^[\t\x20-\x7e]*$/.test(value) ? undefined : 'Header value must be plain characters in one line';
}

const lengthOf = (headers: Record<string, string>) => JSON.stringify(headers).length;

const Headers = z.record(z.string(), z.string({ error: 'Header value is required' })).check(
  z.check(({ value: headers, issues }) => {
    const refuse = (message: string, path: string[] = []) =>
      void issues.push({ code: 'custom', input: headers, path, message });
    const entries = Object.entries(headers);
    const seen = new Set<string>();
    for (const [key, value] of entries) {
      const fault = key === '' && value === '' ? 'Header key is required' : headerFault(key, value);
      if (fault) refuse(fault, [key]);
      if (seen.has(key.toLowerCase())) refuse('This header is there twice', [key]);
      seen.add(key.toLowerCase());
    }
    if (entries.length > MOST_HEADERS) refuse(`There can be at most ${MOST_HEADERS} headers`);
    if (lengthOf(headers) > LONGEST_HEADERS) {
      refuse(`Headers must be at most ${LONGEST_HEADERS} characters in all`);
    }
  }),
);

const CHOOSE_EVENT = 'Choose at least one event';
const fields = {
  name: line('Name is required', 'Name', LONGEST_NAME),
  url: z.pipe(
    z.pipe(
      z.string({ error: 'URL is required' }),
      z.transform(text => text.trim()),
    ),
    z
      .string()
      .check(
        z.minLength(1, { error: 'URL is required', abort: true }),
        z.maxLength(LONGEST_URL, `URL must be at most ${LONGEST_URL} characters`),
        z.refine(isWebUrl, WRONG_URL),
      ),
  ),
  headers: Headers,
  active: z.boolean({ error: 'Active must be true or false' }),
  events: z.pipe(
    z
      .array(z.enum(WEBHOOK_EVENTS, { error: `Events are ${WEBHOOK_EVENTS.join(', ')}` }), {
        error: CHOOSE_EVENT,
      })
      .check(z.minLength(1, CHOOSE_EVENT)),
    z.transform(chosen => WEBHOOK_EVENTS.filter(event => chosen.includes(event))),
  ),
};

export const NewWebhook = z.object({
  ...fields,
  headers: z._default(Headers, {}),
  active: z._default(fields.active, true),
  events: z._default(fields.events, ['unsubscribed']),
});
export type NewWebhook = z.infer<typeof NewWebhook>;

export const WebhookChange = z.partial(z.object(fields));
export type WebhookChange = z.infer<typeof WebhookChange>;

/** Why the product has switched a webhook off: its endpoint responded that it is gone, or failed for days. */
export const SWITCHED_OFF = ['gone', 'failing'] as const;

const instant = z.iso.datetime();
export const UnsubscribeWebhook = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  parsed_headers: z.record(z.string(), z.literal(DEFINED)),
  active: z.boolean(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  last_triggered_at: z.nullable(instant),
  failing_since: z.nullable(instant),
  switched_off: z.nullable(z.object({ at: instant, because: z.enum(SWITCHED_OFF) })),
  old_secret_until: z.nullable(instant),
  created_at: instant,
});
export type UnsubscribeWebhook = z.infer<typeof UnsubscribeWebhook>;

export const WebhookWithSecret = z.extend(UnsubscribeWebhook, { secret: z.string() });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export const WebhookTest = z.object({ success: z.boolean(), message: z.string() });
export type WebhookTest = z.infer<typeof WebhookTest>;

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;
export const Delivery = z.object({
  id: z.string(),
  event: z.enum(WEBHOOK_EVENTS),
  /** How many events it has. */
  count: z.int(),
  created_at: instant,
  state: z.enum(DELIVERY_STATES),
  attempt: z.int(),
  attempted_at: z.nullable(instant),
  status_code: z.nullable(z.int()),
  duration_ms: z.nullable(z.int()),
  error: z.nullable(z.string()),
  next_attempt_at: z.nullable(instant),
});
export type Delivery = z.infer<typeof Delivery>;

const LONGEST_CURSOR = 100;
const MOST_DELIVERIES = 100;
const Cursor = z.optional(z.string().check(z.maxLength(LONGEST_CURSOR, 'This cursor is not valid')));
const DeliveriesQuery = z.object({
  cursor: Cursor,
  per_page: z._default(whole('Per page', MOST_DELIVERIES), 25),
});
export type DeliveriesQuery = z.infer<typeof DeliveriesQuery>;
export const Deliveries = z.object({ deliveries: z.array(Delivery), next_cursor: z.nullable(z.string()) });
export type Deliveries = z.infer<typeof Deliveries>;

const Instant = (called: string) =>
  z.iso.datetime({ offset: true, error: `${called} must be a date and time` });
export const Span = z
  .object({ from: Instant('From'), to: Instant('To'), cursor: Cursor })
  .check(
    z.refine(({ from, to }) => Date.parse(from) <= Date.parse(to), {
      error: 'To must not be before from',
      path: ['to'],
    }),
  );
export type Span = z.infer<typeof Span>;
export const Redelivered = z.object({ redelivered: z.int(), next_cursor: z.nullable(z.string()) });
export type Redelivered = z.infer<typeof Redelivered>;

// biome-ignore format: a table of routes
export const unsubscribeWebhookRoutes = {
  'GET /api/email-lists/{list}/unsubscribe-webhooks': { id: 'listUnsubscribeWebhooks', v1: true, permission: 'lists:read',
    answer: z.array(UnsubscribeWebhook),
    summary: 'The unsubscribe webhooks of an email list' },
  'POST /api/email-lists/{list}/unsubscribe-webhooks': { id: 'createUnsubscribeWebhook', v1: true, permission: 'webhooks:edit',
    body: NewWebhook, status: 201, answer: WebhookWithSecret,
    summary: 'Create an unsubscribe webhook; its secret is answered here, and never again' },
  'PUT /api/email-lists/{list}/unsubscribe-webhooks/{webhook}': { id: 'updateUnsubscribeWebhook', v1: true, permission: 'webhooks:edit',
    body: WebhookChange, answer: UnsubscribeWebhook,
    summary: 'Change an unsubscribe webhook, activate or deactivate it' },
  'DELETE /api/email-lists/{list}/unsubscribe-webhooks/{webhook}': { id: 'deleteUnsubscribeWebhook', v1: true, permission: 'webhooks:edit',
    summary: 'Delete an unsubscribe webhook' },
  'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/test': { id: 'testUnsubscribeWebhook', v1: true, permission: 'webhooks:edit',
    budget: BUDGETS.webhookTests, answer: WebhookTest,
    summary: 'Send an example to the endpoint of a webhook' },
  'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/secret': { id: 'rotateUnsubscribeWebhookSecret', v1: true, permission: 'webhooks:edit',
    answer: WebhookWithSecret,
    summary: 'Replace the secret of a webhook; for a day, deliveries are signed with both' },
  'GET /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/deliveries': { id: 'listWebhookDeliveries', v1: true, permission: 'lists:read',
    query: DeliveriesQuery, answer: Deliveries,
    summary: 'A page of what was sent to a webhook in the last seven days, newest first' },
  'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/deliveries/{delivery}/redeliver': {
    id: 'redeliverWebhookDelivery', v1: true, permission: 'webhooks:edit', budget: BUDGETS.redeliveries, answer: Delivery,
    summary: 'Deliver again, with the same webhook-id' },
  'POST /api/email-lists/{list}/unsubscribe-webhooks/{webhook}/redeliver': { id: 'redeliverFailedDeliveries', v1: true, permission: 'webhooks:edit',
    budget: BUDGETS.redeliveries, body: Span, answer: Redelivered,
    summary: 'Deliver again what happened in a part of a span and could not be delivered; repeat it with the cursor' },

  'GET /api/organizations/{organization}/webhooks': { id: 'listOrganizationWebhooks', v1: true, permission: 'lists:read',
    answer: z.array(UnsubscribeWebhook),
    summary: 'The webhooks of an organization, which are told of all of its lists' },
  'POST /api/organizations/{organization}/webhooks': { id: 'createOrganizationWebhook', v1: true, permission: 'webhooks:edit',
    body: NewWebhook, status: 201, answer: WebhookWithSecret,
    summary: 'Create a webhook of the organization; its secret is answered here, and never again' },
  'PUT /api/organizations/{organization}/webhooks/{webhook}': { id: 'updateOrganizationWebhook', v1: true, permission: 'webhooks:edit',
    body: WebhookChange, answer: UnsubscribeWebhook,
    summary: 'Change a webhook of the organization, activate or deactivate it' },
  'DELETE /api/organizations/{organization}/webhooks/{webhook}': { id: 'deleteOrganizationWebhook', v1: true, permission: 'webhooks:edit',
    summary: 'Delete a webhook of the organization' },
  'POST /api/organizations/{organization}/webhooks/{webhook}/test': { id: 'testOrganizationWebhook', v1: true, permission: 'webhooks:edit',
    budget: BUDGETS.webhookTests, answer: WebhookTest,
    summary: 'Send an example to the endpoint of a webhook of the organization' },
  'POST /api/organizations/{organization}/webhooks/{webhook}/secret': { id: 'rotateOrganizationWebhookSecret', v1: true, permission: 'webhooks:edit',
    answer: WebhookWithSecret,
    summary: 'Replace the secret of a webhook of the organization; for a day, deliveries are signed with both' },
  'GET /api/organizations/{organization}/webhooks/{webhook}/deliveries': { id: 'listOrganizationWebhookDeliveries', v1: true, permission: 'lists:read',
    query: DeliveriesQuery, answer: Deliveries,
    summary: 'A page of what was sent to a webhook of the organization in the last seven days, newest first' },
  'POST /api/organizations/{organization}/webhooks/{webhook}/deliveries/{delivery}/redeliver': {
    id: 'redeliverOrganizationWebhookDelivery', v1: true, permission: 'webhooks:edit', budget: BUDGETS.redeliveries, answer: Delivery,
    summary: 'Deliver again to a webhook of the organization, with the same webhook-id' },
  'POST /api/organizations/{organization}/webhooks/{webhook}/redeliver': { id: 'redeliverFailedOrganizationDeliveries', v1: true, permission: 'webhooks:edit',
    budget: BUDGETS.redeliveries, body: Span, answer: Redelivered,
    summary: 'Deliver again to a webhook of the organization what could not be delivered in a part of a span; repeat it with the cursor' },
} as const satisfies RouteTable;
