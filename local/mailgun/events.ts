import { createHmac, randomBytes } from 'node:crypto';
import { type Delivery, messageOf, userVariablesOf } from './mailbox.ts';

export const EVENTS = [
  'delivered',
  'bounced',
  'bounced_soft',
  'delayed',
  'complained',
  'unsubscribed',
] as const;
export type EventName = (typeof EVENTS)[number];

type Kind = { webhook: string; data: Record<string, unknown> };

// https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhook-payloads
const KINDS: Record<EventName, Kind> = {
  delivered: {
    webhook: 'delivered',
    data: {
      event: 'delivered',
      'log-level': 'info',
      'delivery-status': { code: 250, 'attempt-no': 1, message: 'OK', description: '', tls: true },
    },
  },
  bounced: {
    webhook: 'permanent_fail',
    data: {
      event: 'failed',
      severity: 'permanent',
      reason: 'bounce',
      'log-level': 'error',
      'delivery-status': {
        code: 550,
        'attempt-no': 1,
        message: '5.1.1 The email account that you tried to reach does not exist',
        description: '',
        'bounce-type': 'hard',
      },
    },
  },
  // Mailgun has retried for hours, and gives up.
  bounced_soft: {
    webhook: 'permanent_fail',
    data: {
      event: 'failed',
      severity: 'permanent',
      reason: 'old',
      'log-level': 'error',
      'delivery-status': {
        code: 602,
        'attempt-no': 8,
        message: '',
        description: 'Too old',
        'bounce-type': 'soft',
      },
    },
  },
  // Mailgun will retry.
  delayed: {
    webhook: 'temporary_fail',
    data: {
      event: 'failed',
      severity: 'temporary',
      reason: 'generic',
      'log-level': 'warn',
      'delivery-status': {
        code: 452,
        'attempt-no': 1,
        message: '4.2.2 The mailbox is full',
        description: '',
        'bounce-type': 'soft',
        'retry-seconds': 600,
      },
    },
  },
  complained: { webhook: 'complained', data: { event: 'complained', 'log-level': 'warn' } },
  unsubscribed: { webhook: 'unsubscribed', data: { event: 'unsubscribed', 'log-level': 'info' } },
};

export const webhookOf = (event: EventName) => KINDS[event].webhook;

/** The event that Mailgun posts about an email: signed, and with the user variables of the email. */
export function payloadOf(event: EventName, delivery: Delivery, key: string, now: number): object {
  const { post, recipient } = delivery;
  const { subject, headers } = messageOf(delivery);
  const [, recipientDomain] = /@([^@]*)$/.exec(recipient.email) ?? [];
  return {
    signature: sign(key, now),
    'event-data': {
      ...KINDS[event].data,
      id: randomBytes(16).toString('base64url'),
      timestamp: now / 1000,
      recipient: recipient.email,
      'recipient-domain': recipientDomain,
      domain: { name: post.domain },
      flags: {
        'is-routed': false,
        'is-authenticated': true,
        'is-system-test': false,
        'is-test-mode': post.testMode,
      },
      message: { headers: { to: headers.To, from: post.from, subject, 'message-id': post.id } },
      tags: [],
      'user-variables': userVariablesOf(delivery),
    },
  };
}

// https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks
function sign(key: string, now: number) {
  const timestamp = String(Math.floor(now / 1000));
  const token = randomBytes(25).toString('hex');
  return {
    timestamp,
    token,
    signature: createHmac('sha256', key)
      .update(timestamp + token)
      .digest('hex'),
  };
}
