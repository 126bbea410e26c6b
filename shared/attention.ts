import * as z from 'zod/mini';
import { BUDGETS } from './budgets.ts';
import { REQUIRED_PARTS } from './email/content.ts';
import type { RouteTable } from './route.ts';

/** The kinds of notices, the most urgent first. */
export const NOTICES = [
  'organization_off',
  'key_refused',
  'guard_paused',
  'behind',
  'paced',
  'guard_warned',
  'complaint_rate',
  'bounce_rate',
  'broadcast_stopped',
  'unknown',
  'no_content',
  'no_list',
  'never_sends',
  'list_off',
  'no_key',
  'not_verified',
  'domain_broken',
  'webhook_off',
  'webhook_failing',
] as const;
export type NoticeKind = (typeof NOTICES)[number];

/** The rates above which a mailbox provider begins to refuse emails, or to file them as spam. */
export const HIGHEST_RATES = { bounced: 0.02, complained: 0.001 } as const;

/** Unknown emails and rates are counted for so many days. Older ones cannot be fixed any more. */
export const ATTENTION_DAYS = 7;

/** A notice. Fields that do not apply to its kind are null. */
export const Notice = z.object({
  kind: z.enum(NOTICES),
  /** The id of the list, the automation or the broadcast; for a webhook, the id of its list. */
  id: z.nullable(z.string()),
  name: z.nullable(z.string()),
  count: z.nullable(z.int()),
  sent: z.nullable(z.int()),
  since: z.nullable(z.iso.datetime()),
  /** The parts of an email without an active asset. An active template has all parts. */
  missing: z.array(z.enum(REQUIRED_PARTS)),
});
export type Notice = z.infer<typeof Notice>;

export const Attention = z.object({
  notices: z.array(Notice),
  left_out: z.int(),
  /** Lists in use whose domain was not checked for an hour. A call for the check of each brings its notice up to date. */
  unchecked: z.array(z.string()),
  start_date: z.iso.date(),
  end_date: z.iso.date(),
});
export type Attention = z.infer<typeof Attention>;

// biome-ignore format: a table of routes
export const attentionRoutes = {
  'GET /api/attention': { id: 'getAttention', v1: true, mcp: true, permission: 'lists:read', budget: BUDGETS.home,
    answer: Attention,
    summary: 'What keeps the active organization from sending, or puts its sending at risk' },
} as const satisfies RouteTable;
