import { ACCOUNT } from '../template/resolver.ts';
import { type BulkEmail, recipientOf, tagsOf } from './bulk-mailbox.ts';

/** `type`: as a destination names it. */
type Kind = { type: string; eventType: string; detailType: string; said: (to: string) => object };

const recipient = (to: string, status: string, diagnosticCode: string) => [
  { emailAddress: to, action: 'failed', status, diagnosticCode },
];

const bounce = (bounceType: string, bounceSubType: string, status: string, code: string): Kind => ({
  type: 'bounce',
  eventType: 'Bounce',
  detailType: 'Email Bounced',
  said: to => ({ bounce: { bounceType, bounceSubType, bouncedRecipients: recipient(to, status, code) } }),
});

/** https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-examples.html, as EventBridge gets them. */
export const SES_KINDS = {
  delivered: {
    type: 'delivery',
    eventType: 'Delivery',
    detailType: 'Email Delivered',
    said: to => ({ delivery: { recipients: [to], smtpResponse: '250 2.6.0 Message received' } }),
  },
  bounced: bounce('Permanent', 'General', '5.1.1', 'smtp; 550 5.1.1 user unknown'),
  bounced_soft: bounce('Transient', 'MailboxFull', '4.2.2', 'smtp; 452 4.2.2 mailbox full'),
  suppressed: bounce('Permanent', 'OnAccountSuppressionList', '', 'Amazon SES did not send the message'),
  delayed: {
    type: 'deliveryDelay',
    eventType: 'DeliveryDelay',
    detailType: 'Email Delivery Delayed',
    said: to => ({ deliveryDelay: { delayType: 'MailboxFull', delayedRecipients: [{ emailAddress: to }] } }),
  },
  complained: {
    type: 'complaint',
    eventType: 'Complaint',
    detailType: 'Email Complaint Received',
    said: to => ({
      complaint: {
        complainedRecipients: [{ emailAddress: to }],
        complaintSubType: null,
        complaintFeedbackType: 'abuse',
      },
    }),
  },
  rejected: {
    type: 'reject',
    eventType: 'Reject',
    detailType: 'Email Rejected',
    said: () => ({ reject: { reason: 'Bad content' } }),
  },
} satisfies Record<string, Kind>;
export type SesEventName = keyof typeof SES_KINDS;

export const renderingFailed = (errorMessage: string): Kind => ({
  type: 'renderingFailure',
  eventType: 'Rendering Failure',
  detailType: 'Email Rendering Failed',
  said: () => ({ failure: { errorMessage, templateName: '' } }),
});

// https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html: it takes emails, and delivers none.
const SIMULATED = /^(bounce|complaint|success)(\+[^@]*)?@simulator\.amazonses\.com$/i;
const KIND_OF = { bounce: SES_KINDS.bounced, complaint: SES_KINDS.complained, success: undefined };

/** What the mailbox simulator of SES says about an email to it. */
export const simulatedKind = (email: BulkEmail): Kind | undefined => {
  const [, name = 'success'] = SIMULATED.exec(recipientOf(email)) ?? [];
  return KIND_OF[name.toLowerCase() as keyof typeof KIND_OF];
};

/** What SES puts on the default bus about an email. */
export function eventAbout(email: BulkEmail, { eventType, detailType, said }: Kind) {
  const to = recipientOf(email);
  const tags = Object.entries({ 'ses:configuration-set': email.bulk.ConfigurationSetName, ...tagsOf(email) });
  const detail = {
    eventType,
    mail: {
      timestamp: email.at,
      source: email.bulk.FromEmailAddress,
      sendingAccountId: ACCOUNT,
      messageId: email.id,
      destination: [to],
      headersTruncated: false,
      tags: Object.fromEntries(tags.map(([name, value]) => [name, [value]])),
    },
    ...said(to),
  };
  return { source: 'aws.ses', detailType, detail };
}
