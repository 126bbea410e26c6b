import * as z from 'zod/mini';
import { Address } from './address.ts';
import { AutomationsInQuery } from './automation-link.ts';
import { BUDGETS } from './budgets.ts';
import { whole } from './page.ts';
import { PROVIDERS } from './providers.ts';
import type { RouteTable } from './route.ts';
import {
  LOG_STATUSES,
  REASONS,
  type Reason,
  SEND_STATUSES,
  SENDS_PER_PAGE,
  SKIPPED,
  type Skipped,
} from './send-status.ts';

const keysOf = <Key extends string>(table: Record<Key, unknown>) => Object.keys(table) as [Key, ...Key[]];

export const EmailSend = z.object({
  id: z.string(),
  status: z.enum(SEND_STATUSES),
  reason: z.nullable(z.enum(keysOf<Reason>(REASONS))),
  sent_at: z.iso.datetime(),
  /** What took it; null if it was skipped, or sent before this was noted. */
  provider: z.nullable(z.enum(PROVIDERS)),
  email_list_id: z.string(),
  email_list_name: z.string(),
  automation_id: z.string(),
  automation_name: z.string(),
  /** Null if it was skipped, as no combination was chosen for it. */
  combination_id: z.nullable(z.string()),
  /** Null if it was skipped, or its content is deleted. */
  subject: z.nullable(z.string()),
  recipient_email: z.string(),
  list_member_id: z.nullable(z.string()),
  is_opened: z.boolean(),
  opened_at: z.nullable(z.iso.datetime()),
  is_clicked: z.boolean(),
  first_clicked_at: z.nullable(z.iso.datetime()),
  unsubscribed_at: z.nullable(z.iso.datetime()),
  is_bounced: z.boolean(),
  /** The message of the mail server, with its code and without addresses; null if there was none. */
  bounce_reason: z.nullable(z.string()),
  is_complained: z.boolean(),
  is_resent: z.boolean(),
});
export type EmailSend = z.infer<typeof EmailSend>;

/** Most are marks of the journal, each of which has the instant when it happened for the first time. */
export const STEPS = [
  'due',
  'claimed',
  'answered',
  'delivered',
  'rejected',
  'opened',
  'machine_opened',
  'clicked',
  'machine_clicked',
  'unsub_clicked',
  'unsubscribed',
  'resubscribed',
  'bounced',
  'complained',
] as const;
export type Step = (typeof STEPS)[number];

export const EmailSendDetails = z.extend(EmailSend, {
  /** What happened to it, oldest first. `answered`: the provider answered, or did not, as the status says. */
  steps: z.array(z.object({ step: z.enum(STEPS), at: z.iso.datetime() })),
});
export type EmailSendDetails = z.infer<typeof EmailSendDetails>;

const id = (called: string) =>
  z.optional(z.string().check(z.regex(/^[a-z0-9B]{1,32}$/, `${called} must be an id`)));

const Day = (called: string) =>
  z.optional(z.iso.date({ error: `${called} must be a day, as in 2030-01-31` }));

type Days = { from?: string | undefined; to?: string | undefined };

const inOrder = z.refine<Days>(({ from, to }) => !from || !to || from <= to, {
  error: 'from must not be after to',
  path: ['from'],
});

export const EmailSendsQuery = z
  .object({
    page: z._default(whole('page', 1_000_000_000), 1),
    per_page: z._default(whole('per_page', 100), SENDS_PER_PAGE),
    after: z.optional(z.string().check(z.regex(/^[\w-]{1,400}$/, 'after must be the next of another page'))),
    /** If omitted, all emails that were not skipped. */
    status: z.optional(z.enum(LOG_STATUSES, { error: `status must be one of ${LOG_STATUSES.join(', ')}` })),
    reason: z.optional(
      z.enum(keysOf<Skipped>(SKIPPED), { error: `reason must be one of ${Object.keys(SKIPPED).join(', ')}` }),
    ),
    list: id('list'),
    automation: id('automation'),
    combination: id('combination'),
    recipient: z.optional(Address),
    /** UTC days, both inclusive: the days on which emails count in reports. */
    from: Day('from'),
    to: Day('to'),
  })
  .check(
    inOrder,
    z.refine(({ status, reason }) => !reason || status === 'skipped', {
      error: 'reason is only for status skipped',
      path: ['reason'],
    }),
  );
export type EmailSendsQuery = z.infer<typeof EmailSendsQuery>;

export const EmailSendsPage = z.object({
  data: z.array(EmailSend),
  meta: z.object({
    current_page: z.int(),
    /** The current page plus one while more exist. */
    last_page: z.int(),
    /** Only emails that were due since then were read; null if all were. */
    searched_since: z.nullable(z.iso.datetime()),
    next: z.nullable(z.string()),
  }),
});
export type EmailSendsPage = z.infer<typeof EmailSendsPage>;

export const SkippedQuery = z
  .object({
    /** If omitted, all of them. */
    automations: z.optional(AutomationsInQuery),
    list: id('list'),
    from: Day('from'),
    to: Day('to'),
  })
  .check(inOrder);
export type SkippedQuery = z.infer<typeof SkippedQuery>;

export const SkippedEmails = z.object({
  /** Those that skipped any. */
  automations: z.array(
    z.object({
      automation_id: z.string(),
      count: z.int(),
      /** The most emails first. */
      reasons: z.array(z.object({ reason: z.enum(keysOf<Skipped>(SKIPPED)), count: z.int() })),
    }),
  ),
  /** Only emails that were due since then were counted; null if all were. */
  counted_since: z.nullable(z.iso.datetime()),
});
export type SkippedEmails = z.infer<typeof SkippedEmails>;

export const EmailSendContent = z.object({
  sender: z.object({
    name: z.string(),
    email: z.string(),
    subject: z.string(),
    list_name: z.string(),
    automation_name: z.string(),
    /** The trigger date. If the email is not exact, it is the one that the member has now. Null if there is none. */
    trigger_metadata: z.nullable(z.string()),
  }),
  html: z.string(),
  plaintext: z.string(),
  /** Whether this is exactly what was sent. Otherwise it is rendered again, and may differ. */
  is_exact: z.boolean(),
});
export type EmailSendContent = z.infer<typeof EmailSendContent>;

// biome-ignore format: a table of routes
export const emailSendRoutes = {
  'GET /api/email-sends': { id: 'listEmailSends', v1: true, mcp: true, permission: 'sends:read',
    query: EmailSendsQuery, answer: EmailSendsPage,
    summary: 'A page of the emails of the active organization, those due last first' },
  'GET /api/email-sends/skipped': { id: 'countSkippedEmails', v1: true, permission: 'sends:read',
    budget: BUDGETS.reports, query: SkippedQuery, answer: SkippedEmails,
    summary: 'How many emails of all or some automations and broadcasts were not sent, and why' },
  'GET /api/email-sends/{emailSend}': { id: 'getEmailSend', v1: true, permission: 'sends:read',
    answer: EmailSendDetails,
    summary: 'An email, and what happened to it' },
  'GET /api/email-sends/{emailSend}/content': { id: 'getEmailSendContent', v1: true, permission: 'sends:read',
    answer: EmailSendContent,
    summary: 'What an email said: exactly, or as it would be written now' },
  'POST /api/email-sends/{emailSend}/resend': { id: 'resendEmail', v1: true, permission: 'sends:resend',
    status: 201, answer: z.object({ id: z.string() }),
    summary: 'Send an email again of which nobody knows whether it was sent' },
} as const satisfies RouteTable;
