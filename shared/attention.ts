import * as z from 'zod/mini';
import { REQUIRED_PARTS } from './email/content.ts';
import { MOST_HOME_CALLS } from './limits.ts';
import type { RouteTable } from './route.ts';

/** What may need attention, the most urgent first. */
export const NOTICES = [
  'organization_off',
  'key_refused',
  'behind',
  'complaint_rate',
  'bounce_rate',
  'unknown',
  'no_content',
  'no_list',
  'never_sends',
  'list_off',
  'no_key',
  'webhook_off',
  'webhook_failing',
] as const;
export type NoticeKind = (typeof NOTICES)[number];

/** The rates above which a mailbox provider begins to refuse emails, or to file them as spam. */
export const HIGHEST_RATES = { bounced: 0.02, complained: 0.001 } as const;

/** Unknown emails and rates are those of so many days: what is older cannot be mended any more. */
export const ATTENTION_DAYS = 7;

/** A field is null where it says nothing about this kind. */
export const Notice = z.object({
  kind: z.enum(NOTICES),
  /** Of the list or the automation that it is about; of a webhook, its list. */
  id: z.nullable(z.string()),
  /** Of the list, the automation or the webhook. */
  name: z.nullable(z.string()),
  /** How many emails. */
  count: z.nullable(z.int()),
  /** How many were sent in all. */
  sent: z.nullable(z.int()),
  since: z.nullable(z.iso.datetime()),
  /** The parts of an email that there is no active asset of; a template would have all of them. */
  missing: z.array(z.enum(REQUIRED_PARTS)),
});
export type Notice = z.infer<typeof Notice>;

export const Attention = z.object({
  notices: z.array(Notice),
  /** How many more there are than the answer has. */
  left_out: z.int(),
  /** The UTC days of which unknown emails and rates are counted. */
  start_date: z.iso.date(),
  end_date: z.iso.date(),
});
export type Attention = z.infer<typeof Attention>;

// biome-ignore format: a table of routes
export const attentionRoutes = {
  'GET /api/attention': { id: 'getAttention', permission: 'lists:read', mostPerMinute: MOST_HOME_CALLS,
    answer: Attention,
    summary: 'What keeps the active organization from sending, or puts its sending at risk' },
} as const satisfies RouteTable;
