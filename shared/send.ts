import * as z from 'zod/mini';
import { whole } from './page.ts';
import type { RouteTable } from './route.ts';

/** Why an email that was due was not sent. */
export const SKIPPED = {
  stale: 'It was due more than 24 hours before it could be sent',
  superseded: 'A newer email of the same automation was due by then',
  organization_off: 'The organization was not active',
  automation_off: 'The automation was not active',
  list_off: 'The list was not active',
  no_key: 'The list has no sending key',
  no_content: 'The automation has no active content',
  not_due: 'The member was not due any more: the date or the schedule was changed',
  not_subscribed: 'The member was not subscribed any more',
  suppressed: 'The address is suppressed',
  unreadable: 'What is stored of the member cannot be read',
  no_first: 'The first email of this occurrence was not sent',
  'capped:max_emails_5_minutes': 'The member had as many emails as the safeguards allow within 5 minutes',
  'capped:max_emails_1_hour': 'The member had as many emails as the safeguards allow within 1 hour',
  'capped:max_emails_24_hours': 'The member had as many emails as the safeguards allow within 24 hours',
  'capped:max_emails_1_week': 'The member had as many emails as the safeguards allow within 1 week',
  dead: 'Sending failed several times',
} as const;
export type Skipped = keyof typeof SKIPPED;

/** Why an email failed, or why nobody knows whether it was sent. */
export const UNSENT = {
  refused: 'The mail provider did not take the email',
  no_answer: 'The mail provider gave no clear answer: the email may have been sent',
} as const;
export const REASONS = { ...SKIPPED, ...UNSENT };
export type Reason = keyof typeof REASONS;

export const SEND_STATUSES = ['sent', 'failed', 'unknown', 'skipped'] as const;
export type SendStatus = (typeof SEND_STATUSES)[number];

/** Shown for a list, an automation or a recipient that is deleted. */
export const DELETED = 'Deleted';

export const EmailSend = z.object({
  id: z.string(),
  status: z.enum(SEND_STATUSES),
  /** Null where it was sent. */
  reason: z.nullable(z.enum(Object.keys(REASONS) as [Reason, ...Reason[]])),
  /** For a skipped email: when it was due. */
  sent_at: z.iso.datetime(),
  email_list_name: z.string(),
  automation_name: z.string(),
  recipient_email: z.string(),
  /** Null where they have left the list. */
  list_member_id: z.nullable(z.string()),
  is_opened: z.boolean(),
  opened_at: z.nullable(z.iso.datetime()),
  is_clicked: z.boolean(),
  first_clicked_at: z.nullable(z.iso.datetime()),
  is_bounced: z.boolean(),
  is_complained: z.boolean(),
  /** For an unknown one: whether it was sent again. */
  is_resent: z.boolean(),
});
export type EmailSend = z.infer<typeof EmailSend>;

export const SENDS_PER_PAGE = 25;
export const EmailSendsQuery = z.object({
  page: z._default(whole('page', 1_000_000_000), 1),
  per_page: z._default(whole('per_page', 100), SENDS_PER_PAGE),
  /** All that were not skipped, unless told otherwise. */
  status: z.optional(z.enum(SEND_STATUSES, { error: 'status must be sent, failed, unknown or skipped' })),
});
export type EmailSendsQuery = z.infer<typeof EmailSendsQuery>;

export const EmailSendsPage = z.object({
  data: z.array(EmailSend),
  meta: z.object({
    current_page: z.int(),
    /** One more than the current page while more exist. */
    last_page: z.int(),
    /** Only emails that were due since then were looked at; null where all were. */
    searched_since: z.nullable(z.iso.datetime()),
  }),
});
export type EmailSendsPage = z.infer<typeof EmailSendsPage>;

export const EmailSendContent = z.object({
  sender: z.object({
    name: z.string(),
    email: z.string(),
    subject: z.string(),
    list_name: z.string(),
    automation_name: z.string(),
    /** The trigger date; where the email is not exact, the member's present one. Null where there is none. */
    trigger_metadata: z.nullable(z.string()),
  }),
  html: z.string(),
  plaintext: z.string(),
  /** Whether this is what was sent; else it is written anew, and may differ. */
  is_exact: z.boolean(),
});
export type EmailSendContent = z.infer<typeof EmailSendContent>;

// biome-ignore format: a table of routes
export const emailSendRoutes = {
  'GET /api/email-sends': { id: 'listEmailSends', permission: 'sends:read',
    query: EmailSendsQuery, answer: EmailSendsPage,
    summary: 'A page of the emails of the active organization, those due last first' },
  'GET /api/email-sends/{emailSend}/content': { id: 'getEmailSendContent', permission: 'sends:read',
    answer: EmailSendContent,
    summary: 'What an email said: exactly, or as it would be written now' },
  'POST /api/email-sends/{emailSend}/resend': { id: 'resendEmail', permission: 'sends:resend',
    status: 201, answer: z.object({ id: z.string() }),
    summary: 'Send an email again of which nobody knows whether it was sent' },
} as const satisfies RouteTable;
