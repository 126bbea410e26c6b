// Apart from the schemas, so that pages do not load these.

export const SKIPPED = {
  stale: 'It was due more than 24 hours before it could be sent',
  superseded: 'A newer email of the same automation was due by then',
  stopped: 'Sending was stopped by the operator of this service',
  restored: 'It may have been sent before the data was restored from a backup',
  organization_off: 'The organization was not active',
  automation_off: 'The automation was not active',
  guard_off: 'The automation was paused, as too many of its emails bounced or were complained about',
  list_off: 'The list was not active',
  no_key: 'The list has no sending key',
  not_verified: 'The domain of the list was not verified',
  no_content: 'The automation has no active content',
  not_due: 'The member was not due any more: the date or the schedule was changed',
  not_subscribed: 'The member was not subscribed any more',
  suppressed: 'The address is suppressed',
  unreadable: 'What is stored of the member cannot be read',
  held_out: 'The member is held out: a share of people gets no emails, to show what these do',
  no_first: 'The first email of this occurrence was not sent',
  'capped:max_emails_5_minutes': 'The member had as many emails as the safeguards allow within 5 minutes',
  'capped:max_emails_1_hour': 'The member had as many emails as the safeguards allow within 1 hour',
  'capped:max_emails_24_hours': 'The member had as many emails as the safeguards allow within 24 hours',
  'capped:max_emails_1_week': 'The member had as many emails as the safeguards allow within 1 week',
  warm_up: 'The list is in warm-up, and had sent as many emails as on this day it may',
  dead: 'Sending failed several times',
} as const;
export type Skipped = keyof typeof SKIPPED;

/** Why a prediction leaves out an email. */
export const NOT_SENT = {
  ...SKIPPED,
  key_refused: 'The mail provider does not take the sending key of the list',
} as const;
export type NotSent = Skipped | 'key_refused';

export const UNSENT = {
  refused: 'The mail provider did not take the email',
  no_answer: 'The mail provider gave no clear answer: the email may have been sent',
} as const;
export const REASONS = { ...SKIPPED, ...UNSENT };
export type Reason = keyof typeof REASONS;

export const SEND_STATUSES = ['sent', 'failed', 'unknown', 'skipped'] as const;
export type SendStatus = (typeof SEND_STATUSES)[number];

/** What happened to a sent email. The log can be filtered by these. */
export const HAPPENED = [
  'opened',
  'machine_opened',
  'clicked',
  'unsub_clicked',
  'unsubscribed',
  'bounced',
  'complained',
] as const;
export type Happened = (typeof HAPPENED)[number];

export type LogStatus = SendStatus | Happened;
export const LOG_STATUSES: readonly [LogStatus, ...LogStatus[]] = [
  'sent',
  ...HAPPENED,
  'failed',
  'unknown',
  'skipped',
];

export const SENDS_PER_PAGE = 25;
/** Shown instead of a deleted list, automation or recipient. */
export const DELETED = 'Deleted';

/** What became of emails for the guard, as its letter and the page of the automation say it. */
export const GUARDED_WORDS = { bounced: 'bounced for good', complained: 'were complained about' } as const;

const PERCENT = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 2 });
export const guardShare = ({ events, sent }: { events: number; sent: number }) =>
  PERCENT.format(events / sent);

export const guardWindow = (hours: number) =>
  hours === 1 ? 'within one hour' : hours <= 24 ? 'within 24 hours' : `within ${Math.ceil(hours / 24)} days`;
