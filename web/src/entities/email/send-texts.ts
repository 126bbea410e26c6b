import { DEFAULT_PROVIDER, titleOf } from '#shared/providers.ts';
import type { EmailSend } from '#shared/send.ts';
import { type LogStatus, REASONS, type SKIPPED, type Skipped } from '#shared/send-status.ts';

export const STATUS_NAMES: Record<LogStatus, string> = {
  sent: 'Sent',
  opened: 'Opened',
  machine_opened: 'Opened by a machine',
  clicked: 'Clicked',
  unsub_clicked: 'Unsubscribe page opened',
  unsubscribed: 'Unsubscribed',
  bounced: 'Bounced',
  complained: 'Complained',
  failed: 'Failed',
  unknown: 'Unknown',
  skipped: 'Skipped',
};

export const SKIP_NAMES: Record<Skipped, string> = {
  stale: 'Too late',
  superseded: 'A newer one was due',
  stopped: 'Sending was stopped',
  restored: 'May have been sent',
  organization_off: 'Organization inactive',
  automation_off: 'Automation inactive',
  guard_off: 'Paused by the guard',
  list_off: 'List inactive',
  no_key: 'No sending key',
  not_verified: 'Domain not verified',
  no_content: 'No active content',
  not_due: 'Not due any more',
  not_subscribed: 'Not subscribed any more',
  suppressed: 'Address suppressed',
  unreadable: 'Member cannot be read',
  held_out: 'Held out',
  no_first: 'First email was not sent',
  'capped:max_emails_5_minutes': 'Limit for 5 minutes',
  'capped:max_emails_1_hour': 'Limit for 1 hour',
  'capped:max_emails_24_hours': 'Limit for 24 hours',
  'capped:max_emails_1_week': 'Limit for 1 week',
  warm_up: 'Limit of the warm-up',
  dead: 'Sending failed several times',
} satisfies Record<keyof typeof SKIPPED, string>;

/** Why the email did not arrive, or may not have, and what else is unusual about it; empty if nothing is. */
export const notesOf = ({ reason, bounce_reason, is_resent, provider }: EmailSend): string =>
  [
    reason ? `${REASONS[reason] ?? 'For another reason'}.` : bounce_reason,
    is_resent && 'It was sent again.',
    provider && provider !== DEFAULT_PROVIDER && `Given to ${titleOf(provider)}.`,
  ]
    .filter(Boolean)
    .join(' ');
