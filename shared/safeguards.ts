import * as z from 'zod/mini';
import { PAUSE_AT_PERCENT } from './guard.ts';
import type { RouteTable } from './route.ts';
import { HOUR, MINUTE } from './time.ts';

/** How many emails a recipient may get within each rolling window, in milliseconds. */
export const WINDOWS = [
  { field: 'max_emails_5_minutes', length: 5 * MINUTE, label: '5 minutes', initial: 1 },
  { field: 'max_emails_1_hour', length: HOUR, label: '1 hour', initial: 2 },
  { field: 'max_emails_24_hours', length: 24 * HOUR, label: '24 hours', initial: 3 },
  { field: 'max_emails_1_week', length: 7 * 24 * HOUR, label: '1 week', initial: 7 },
] as const;

export const MOST_EMAILS = 100_000;
const WHOLE = 'Value must be a whole number';
const Limit = z
  .number({ error: WHOLE })
  .check(
    z.refine(Number.isInteger, { error: WHOLE, abort: true }),
    z.gte(1, 'Value must be at least 1'),
    z.lte(MOST_EMAILS, `Value must be at most ${MOST_EMAILS.toLocaleString('en')}`),
  );

const LEAST_PERCENT = 0.01;
const Percent = (most: number) =>
  z
    .number({ error: 'Value must be a number' })
    .check(
      z.gte(LEAST_PERCENT, `Value must be at least ${LEAST_PERCENT}`),
      z.lte(most, `Value must be at most ${most}: the guard can be stricter, not looser`),
    );

/** Which of several emails to one person comes first, if they are due in the same minute: limits may leave room for one alone. */
export const ORDERS = ['least_recent', 'value'] as const;
const ORDER = `Order must be ${ORDERS.join(' or ')}`;

export const Safeguards = z.object({
  enabled: z.boolean({ error: 'Enabled must be true or false' }),
  max_emails_5_minutes: Limit,
  max_emails_1_hour: Limit,
  max_emails_24_hours: Limit,
  max_emails_1_week: Limit,
  order: z.enum(ORDERS, { error: ORDER }),
  /** Of the emails of a day, which the guard pauses an automation at. Only the owner may change them. */
  pause_at_percent: z.object({
    complained: Percent(PAUSE_AT_PERCENT.complained),
    bounced: Percent(PAUSE_AT_PERCENT.bounced),
  }),
});
export type Safeguards = z.infer<typeof Safeguards>;

export const SafeguardsChange = z.partial(Safeguards);
export type SafeguardsChange = z.infer<typeof SafeguardsChange>;

export const INITIAL_SAFEGUARDS: Safeguards = {
  enabled: true,
  ...(Object.fromEntries(WINDOWS.map(({ field, initial }) => [field, initial])) as Record<
    (typeof WINDOWS)[number]['field'],
    number
  >),
  order: 'least_recent',
  pause_at_percent: PAUSE_AT_PERCENT,
};

// biome-ignore format: a table of routes
export const safeguardsRoutes = {
  'GET /api/safeguards': { id: 'getSafeguards', v1: true, mcp: true, permission: 'safeguards:read', answer: Safeguards,
    summary: 'How many emails a recipient of the active organization may get' },
  'PUT /api/safeguards': { id: 'updateSafeguards', v1: true, permission: 'safeguards:edit',
    body: SafeguardsChange, answer: Safeguards,
    summary: 'Change how many emails a recipient may get; enable or disable these limits' },
} as const satisfies RouteTable;
