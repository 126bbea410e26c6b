import * as z from 'zod/mini';
import { DEFINED } from '#shared/list.ts';
import { headerFault, NewWebhook, type UnsubscribeWebhook } from '#shared/unsubscribe-webhook.ts';
import { WEBHOOK_EVENTS } from '#shared/webhook-events.ts';

const { name, url } = NewWebhook.shape;

/** `stored` is the key of a header whose stored value cannot be read. If the input is left empty, that value stays. */
const Row = z.object({ key: z.string(), value: z.string(), stored: z.nullable(z.string()) });
type Row = z.infer<typeof Row>;

const writtenValue = ({ key, value, stored }: Row) =>
  value === '' && stored === key.trim() ? DEFINED : value;

const VALUE_FAULT = /^Header value/;

const Rows = z.array(Row).check(
  z.check(({ value: rows, issues }) => {
    const seen = new Set<string>();
    rows.forEach((row, index) => {
      const key = row.key.trim();
      const fault = headerFault(key, writtenValue(row));
      const isTwice = key !== '' && seen.has(key.toLowerCase());
      seen.add(key.toLowerCase());
      const message = fault ?? (isTwice ? 'This header is there twice' : undefined);
      if (!message) return;
      const path = [index, VALUE_FAULT.test(message) ? 'value' : 'key'];
      issues.push({ code: 'custom', input: rows, path, message, continue: true });
    });
  }),
);

const Events = z.object({ unsubscribed: z.boolean(), bounced: z.boolean(), complained: z.boolean() }).check(
  z.refine(chosen => WEBHOOK_EVENTS.some(event => chosen[event]), {
    error: 'Choose at least one event',
    path: ['complained'],
  }),
);

/** The form of a webhook, with a row for each header and a checkbox for each event. */
export const WebhookForm = z.pipe(
  z.object({ name, url, headers: Rows, events: Events }),
  z.transform(({ name, url, headers, events }) => ({
    name,
    url,
    headers: Object.fromEntries(
      headers.filter(({ key }) => key.trim() !== '').map(row => [row.key.trim(), writtenValue(row)]),
    ),
    events: WEBHOOK_EVENTS.filter(event => events[event]),
  })),
);
export type WebhookValues = z.input<typeof WebhookForm>;

export const valuesOfWebhook = (webhook: UnsubscribeWebhook | undefined): WebhookValues => ({
  name: webhook?.name ?? '',
  url: webhook?.url ?? '',
  headers: Object.keys(webhook?.parsed_headers ?? {}).map(key => ({ key, value: '', stored: key })),
  events: {
    unsubscribed: webhook?.events.includes('unsubscribed') ?? true,
    bounced: webhook?.events.includes('bounced') ?? false,
    complained: webhook?.events.includes('complained') ?? false,
  },
});
