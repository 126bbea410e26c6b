import * as z from 'zod/mini';
import { Address } from './address.ts';
import { faultOfEvent, isDay, readDatetime } from './metadata.ts';
import { MetadataChange } from './metadata-shapes.ts';
import type { RouteTable } from './route.ts';
import { rowsOf } from './text.ts';

/** In a call. */
export const MOST_EVENTS = 100;
/** Names that an organization keeps, with when each came last. */
export const MOST_EVENT_NAMES = 200;
const LONGEST_IDEMPOTENCY_KEY = 200;

export const EventRows = z.object({ events: rowsOf('event', MOST_EVENTS) });

const INSTANT = 'at must be a date with a time, such as 2026-01-31T12:00:00Z';

/** The instant of a date in ISO 8601, with its milliseconds. Without an offset it is UTC. */
export function instantIn(text: string): Date | undefined {
  const second = readDatetime(text);
  if (!(second instanceof Date)) return undefined;
  const [, fraction = ''] = /[.,](\d+)/.exec(text) ?? [];
  return new Date(second.getTime() + Number(fraction.slice(0, 3).padEnd(3, '0')));
}

const Instant = z.pipe(
  z.string({ error: INSTANT }),
  z.transform((text, context): Date => {
    const instant = isDay(text) ? undefined : instantIn(text);
    if (instant) return instant;
    context.issues.push({ code: 'custom', input: text, message: INSTANT });
    return z.NEVER;
  }),
);

const Name = z.string({ error: 'Enter the name of the event' }).check(
  z.check<string>(({ value, issues }) => {
    const message = faultOfEvent(value);
    if (message) issues.push({ code: 'custom', input: value, message });
  }),
);

const KEY = `idempotency_key must be text of 1 to ${LONGEST_IDEMPOTENCY_KEY} characters`;

export const EventRow = z.object(
  {
    event: Name,
    email: Address,
    email_list_id: z.optional(z.string({ error: 'email_list_id must be the id of an email list' })),
    at: z.optional(Instant),
    properties: z._default(MetadataChange, {}),
    idempotency_key: z.optional(
      z.string({ error: KEY }).check(z.minLength(1, KEY), z.maxLength(LONGEST_IDEMPOTENCY_KEY, KEY)),
    ),
    create: z._default(z.boolean({ error: 'create must be true or false' }), false),
  },
  { error: 'An event must be an object with the name of the event and an email' },
);
export type EventRow = z.infer<typeof EventRow>;

const Texts = z.optional(z.record(z.string(), z.array(z.string())));

export const EventResult = z.object({
  index: z.int(),
  status: z.enum(['stored', 'unchanged', 'unknown', 'rejected']),
  errors: Texts,
  /** About properties that were stored in another way than the caller may expect, and an instant that comes late; absent if there are none. */
  warnings: Texts,
});
export type EventResult = z.infer<typeof EventResult>;
export const EventResults = z.object({ results: z.array(EventResult) });

/** An event, and when it came last, to the minute. */
export const NamedEvent = z.object({ event: z.string(), last_at: z.iso.datetime() });
export type NamedEvent = z.infer<typeof NamedEvent>;

// biome-ignore format: a table of routes
export const eventRoutes = {
  'GET /api/events': { id: 'listEvents', v1: true, permission: 'automations:read', answer: z.array(NamedEvent),
    summary: 'The events that came for members of the active organization, the newest first' },
} as const satisfies RouteTable;
