import { expect, it } from 'vitest';
import type { EmailSend, EmailSendsPage } from '#shared/send.ts';
import { REASONS } from '#shared/send-status.ts';
import { allSends, rowsOfSends } from '#web/features/email-send/send-csv.ts';
import { MOST_EXPORTED } from '#web/lib/save-file.ts';

it.each([
  ['of the log', true, null],
  ['of a log with more', false, 'older'],
])('the file of the most emails %s: complete is %s', async (_, isComplete, next) => {
  const data = Array.from({ length: MOST_EXPORTED }, (_, n) => ({ id: String(n) }) as EmailSend);
  const page = { data, meta: { next } } as EmailSendsPage;
  const found = await allSends(
    async () => page,
    () => {},
  );
  expect([found.sends.length, found.isComplete]).toEqual([MOST_EXPORTED, isComplete]);
});

it('the file of the log has what became of an email, and nothing in place of what did not', () => {
  const at = (minute: number) => `2026-01-05T08:0${minute}:00Z`;
  const send: EmailSend = {
    id: 's1',
    status: 'failed',
    reason: 'refused',
    sent_at: at(0),
    email_list_id: 'l1',
    email_list_name: 'Customers',
    automation_id: 'a1',
    automation_name: 'welcome',
    combination_id: 'c1',
    subject: 'Welcome, Ann',
    recipient_email: 'ada@example.com',
    list_member_id: 'm1',
    is_opened: true,
    opened_at: at(1),
    is_clicked: true,
    first_clicked_at: at(2),
    unsubscribed_at: at(3),
    is_bounced: true,
    bounce_reason: '550 Denied',
    is_complained: true,
    is_resent: false,
    provider: 'mailgun',
  };
  const [, all, unexplained, none] = rowsOfSends([
    send,
    { ...send, bounce_reason: null },
    { ...send, is_bounced: false, is_complained: false, reason: null, unsubscribed_at: null },
  ]);
  expect(all?.slice(3)).toEqual([
    'Welcome, Ann',
    'ada@example.com',
    'Failed',
    REASONS.refused,
    'Mailgun',
    at(1),
    at(2),
    at(3),
    '550 Denied',
    'Yes',
    'c1',
    's1',
  ]);
  expect(unexplained?.[11]).toBe('Yes');
  expect([none?.[6], ...(none?.slice(10, 13) ?? [])]).toEqual(['', '', '', '']);
});
