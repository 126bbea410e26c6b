import { expect, it } from 'vitest';
import { readSesEvent } from '#functions/providers/ses/events.ts';

const SEND = '7-abcdefghijklmnopqrstuv-1';

const detail = (eventType: unknown, more: object = {}, tags: unknown = { send: [SEND] }) => ({
  eventType,
  mail: { timestamp: '2030-01-01T00:00:00.000Z', destination: ['ann@example.com'], tags },
  ...more,
});

const bounce = (bounceType: string, bounceSubType: string, recipient: object = {}) =>
  detail('Bounce', { bounce: { bounceType, bounceSubType, bouncedRecipients: [recipient] } });

it.each([
  ['Permanent', 'General', 'hard'],
  ['Permanent', 'NoEmail', 'hard'],
  ['Permanent', 'Suppressed', 'rejected'],
  ['Permanent', 'OnAccountSuppressionList', 'rejected'],
  ['Permanent', 'OnTenantSuppressionList', 'rejected'],
  ['Transient', 'MailboxFull', 'soft'],
  ['Undetermined', 'Undetermined', 'soft'],
])('a bounce that is %s, %s, means %s', (type, subType, meaning) => {
  expect(readSesEvent(bounce(type, subType))).toEqual({ meaning, send: SEND, provider: 'ses', reason: '' });
});

it('has the words of the mail server without an address, and its code once', () => {
  const reason = (recipient: object) => readSesEvent(bounce('Permanent', 'General', recipient))?.reason;
  expect(reason({ status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 <ann@example.com> is\r\nunknown' })).toBe(
    '550 5.1.1 <[address]> is unknown',
  );
  expect(reason({ status: '5.1.1', diagnosticCode: 'user unknown' })).toBe('5.1.1 user unknown');
  expect(reason({ status: '5.1.1' })).toBe('5.1.1');
  expect(reason({ diagnosticCode: { no: 'text' } })).toBe('');
});

it.each<[string, object, object]>([
  [
    'Complaint',
    { complaint: { complaintSubType: null, complaintFeedbackType: 'abuse' } },
    { meaning: 'complaint', reason: '' },
  ],
  [
    'Complaint',
    { complaint: { complaintSubType: 'OnAccountSuppressionList' } },
    { meaning: 'rejected', reason: '' },
  ],
  ['Reject', { reject: { reason: 'Bad content' } }, { meaning: 'rejected', reason: 'Bad content' }],
  [
    'Rendering Failure',
    { failure: { errorMessage: 'No v1', templateName: '' } },
    { meaning: 'rejected', reason: 'No v1' },
  ],
  ['Delivery', { delivery: { smtpResponse: '250 OK' } }, { meaning: 'delivered', reason: '' }],
])('%s is read', (type, more, event) => {
  expect(readSesEvent(detail(type, more))).toEqual({ ...event, send: SEND, provider: 'ses' });
});

it.each<[string, unknown]>([
  ['of another kind', detail('Open')],
  ['of no kind', detail({})],
  ['named as what every object has', detail('constructor')],
  ['about an email without our tag', detail('Delivery', {}, { other: ['x'] })],
  ['whose tag is no list', detail('Delivery', {}, { send: SEND })],
  ['whose tag is too long', detail('Delivery', {}, { send: ['x'.repeat(61)] })],
  ['that is nothing', undefined],
  ['that is a text', 'Bounce'],
  ['without an email', { eventType: 'Delivery' }],
])('one %s says nothing', (_, given) => {
  expect(readSesEvent(given)).toBeUndefined();
});
