import { createHmac, randomBytes } from 'node:crypto';

export function signed(key: string, at: Date, token = randomBytes(25).toString('hex')) {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = createHmac('sha256', key).update(`${timestamp}${token}`).digest('hex');
  return { timestamp, token, signature };
}

/** The `event-data` about an email, reduced to the fields that matter. A test can add more. */
export const EVENTS = {
  delivered: { event: 'delivered' },
  hard: {
    event: 'failed',
    severity: 'permanent',
    reason: 'bounce',
    'delivery-status': { code: 550, message: '5.1.1 No such user' },
  },
  soft: { event: 'failed', severity: 'permanent', reason: 'old', 'delivery-status': { code: 602 } },
  delayed: { event: 'failed', severity: 'temporary', reason: 'generic' },
  complained: { event: 'complained' },
  unsubscribed: { event: 'unsubscribed' },
  rejected: { event: 'rejected' },
} as const;
export type EventName = keyof typeof EVENTS;

export const eventAbout = (send: string, name: EventName, more: object = {}) => ({
  ...EVENTS[name],
  'user-variables': { send },
  ...more,
});
