import { expect, it } from 'vitest';
import { NOTICES, type Notice } from '#shared/attention.ts';
import { FIRST_STEPS, type FirstSteps } from '#shared/first-steps.ts';
import type { EmailList } from '#shared/list.ts';
import { may, type Role } from '#shared/permissions.ts';
import { noticeText } from '#web/features/home/attention.tsx';
import { shownSteps } from '#web/features/home/first-steps.tsx';
import { nextStepOf } from '#web/features/list/list-status.tsx';
import { mostUrgentLists } from '#web/features/list/lists-overview.tsx';
import { contactLink } from '#web/features/login/login.tsx';

type Wanted = {
  name?: string;
  key?: boolean;
  valid?: boolean | null;
  members?: number;
  provider?: EmailList['provider'];
};
const list = ({
  name = 'Customers',
  key = true,
  valid = true,
  members = 1,
  provider = 'mailgun',
}: Wanted = {}) =>
  ({
    id: `id of ${name}`,
    name,
    provider,
    domain_verified: valid === true,
    mailgun_sending_key: key ? 'Defined' : null,
    mailgun_connection_status: { last_tested_at: null, connection_valid: key ? valid : null },
    members_count: members,
  }) as EmailList;

it.each([
  ['No sending key', { key: false, members: 0 }, '?open=sending', 'sending-key:edit'],
  ['Sending key not tested', { valid: null }, '?open=sending', 'sending-key:edit'],
  ['Sending key refused', { valid: false }, '?open=sending', 'sending-key:edit'],
  ['Domain not verified', { provider: 'ses', valid: false }, '?open=sending', 'sending-key:edit'],
  ['No members', { provider: 'ses', key: false, members: 0 }, '/members/new', 'list-members:edit'],
  ['No members', { members: 0 }, '/members/new', 'list-members:edit'],
] as const)('what a list needs next: %s', (short, wanted, end, action) => {
  const step = nextStepOf(list(wanted));
  expect(step).toMatchObject({ short, action });
  expect(step?.to.endsWith(end)).toBe(true);
});

it('a list that can send to somebody needs nothing next', () => {
  expect(nextStepOf(list())).toBeUndefined();
});

it('lists that need something come first, then the larger ones', () => {
  const lists = [
    list({ name: 'Small', members: 2 }),
    list({ name: 'Large', members: 30 }),
    list({ name: 'Empty', members: 0 }),
    list({ name: 'Refused', valid: false, members: 5 }),
  ];
  const names = (most: number) => mostUrgentLists(lists, most).map(({ name }) => name);
  expect(names(9)).toEqual(['Refused', 'Empty', 'Large', 'Small']);
  expect(names(2)).toEqual(['Refused', 'Empty']);
});

const notice: Notice = {
  kind: 'unknown',
  id: null,
  name: null,
  count: null,
  sent: null,
  since: null,
  missing: [],
};
const days = { start_date: '2026-03-04', end_date: '2026-03-10' };

it.each(NOTICES)('what needs attention says what is wrong, and where it is mended: %s', kind => {
  const about = { ...notice, kind, id: 'a1', name: 'welcome', count: 3, sent: 1000 };
  const { subject, text, mend } = noticeText(about, days);
  expect(text).toMatch(/^[A-Z0-9].*\.$/);
  expect(text).not.toMatch(/undefined|null|NaN/);
  expect(mend.label).toMatch(/^[A-Z]/);
  for (const to of [mend.to, ...(subject ? [subject.to] : [])]) expect(to).toMatch(/^\//);
});

it('what needs attention leads to where it is mended, by those who may', () => {
  const mended = NOTICES.map(kind => {
    const { mend, action } = noticeText({ ...notice, kind, id: 'x1', name: 'welcome' }, days);
    return [kind, mend.to.split('?')[0], ...(action ? [action] : [])].join(' ');
  });
  expect(mended.toSorted()).toEqual([
    'behind /sending-log',
    'bounce_rate /sending-log',
    'broadcast_stopped /broadcasts/x1',
    'complaint_rate /sending-log',
    'domain_broken /email-lists/x1',
    'guard_paused /automations/x1',
    'guard_warned /automations/x1',
    'key_refused /email-lists/x1 sending-key:edit',
    'list_off /automations/x1',
    'never_sends /automations/x1/edit automations:edit',
    'no_content /automations/x1 content:edit',
    'no_key /email-lists/x1 sending-key:edit',
    'no_list /automations/x1/edit automations:edit',
    'not_verified /email-lists/x1 sending-key:edit',
    'organization_off /access-control organization:edit',
    'paced /sending-log',
    'unknown /sending-log',
    'webhook_failing /email-lists/x1',
    'webhook_off /email-lists/x1 webhooks:edit',
  ]);
});

it.each([
  ['behind', 'Sending is behind since ', 'Sending is behind. It catches up'],
  ['broadcast_stopped', 'This broadcast was stopped on ', 'This broadcast was stopped: not everybody'],
  ['webhook_off', 'It was deactivated since ', 'It was deactivated, as'],
  ['webhook_failing', 'Its endpoint fails since ', 'Its endpoint fails. Deliveries'],
] as const)('what needs attention says since when, where that is known: %s', (kind, dated, undated) => {
  const text = (since: string | null) => noticeText({ ...notice, kind, since }, days).text;
  expect(text('2026-03-04T12:00:00Z')).toMatch(new RegExp(`^${dated}Mar 4, 2026`));
  expect(text(null).startsWith(undated)).toBe(true);
});

it('what needs attention says a rate with what it is made of, and leads to those emails', () => {
  const { text, mend } = noticeText({ ...notice, kind: 'bounce_rate', count: 30, sent: 1_200 }, days);
  expect(text).toBe(
    '30 of 1,200 emails of the last 7 days bounced: 2.50%. Above 2%, mailbox providers begin to refuse what you send.',
  );
  expect(mend.to).toBe('/sending-log?status=bounced&from=2026-03-04&to=2026-03-10');
  const complained = noticeText({ ...notice, kind: 'complaint_rate', count: 2, sent: 1_000 }, days);
  expect(complained.text).toContain('complained: 0.20%. Above 0.1%,');
});

it('what needs attention says how much bounced or was complained about, and what the guard did or will do', () => {
  const text = (kind: 'guard_paused' | 'guard_warned', since: string | null = null) =>
    noticeText({ ...notice, kind, since, count: 30, sent: 1_200 }, days).text;
  const counted = 'of 1,200 emails, 30 bounced or were complained about.';
  expect(text('guard_paused')).toBe(`Letterflow paused it: ${counted}`);
  expect(text('guard_paused', '2026-03-04T12:00:00Z')).toMatch(
    new RegExp(`^Letterflow paused it on Mar 4, 2026.*: ${counted}$`),
  );
  expect(text('guard_warned')).toBe(
    'Of 1,200 emails, 30 bounced or were complained about. If that goes on, Letterflow pauses it.',
  );
});

it('what needs attention names the parts that an automation lacks', () => {
  const { text } = noticeText({ ...notice, kind: 'no_content', missing: ['subject_line', 'footer'] }, days);
  expect(text).toBe('Nothing to send: no active asset of the type Subject Line and Footer.');
});

const given = (changed: Partial<FirstSteps> = {}): FirstSteps => ({
  is_shown: true,
  is_dismissed: false,
  list_id: null,
  automation_id: null,
  steps: FIRST_STEPS.map(step => ({ step, is_done: false })),
  ...changed,
});
const shown = (role: Role, changed: Partial<FirstSteps> = {}) =>
  shownSteps(given(changed), action => may(role, action));

const done = (...names: string[]) => ({
  steps: FIRST_STEPS.map(step => ({ step, is_done: names.includes(step) })),
});
const linksOf = (role: Role, changed: Partial<FirstSteps>) =>
  shown(role, changed).map(({ label, isDone, to }) => (isDone ? 'done' : `${label}: ${to}`));

it('the first steps lead to the first part of each that is left, and nowhere before what they need is there', () => {
  expect(linksOf('OWNER', {})).toEqual([
    'Create an email template: /email-templates/new',
    'Create list: /email-lists/new',
    'Import members: undefined',
    'Create an automation: /automations/new',
  ]);
  const ids = { list_id: 'l1', automation_id: 'a1' };
  expect(linksOf('OWNER', { ...ids, ...done('content', 'list', 'automation') })).toEqual([
    'done',
    'Set the sending key: /email-lists/l1?open=sending',
    'Import members: /email-lists/l1/import',
    'Simulate it: /automations/a1?open=simulation',
  ]);
});

it('a list is set up for those who may not give it a key, and a sent email waits to be opened', () => {
  expect(linksOf('USER', done('list'))[1]).toBe('done');
  const sent = done(...FIRST_STEPS.filter(step => step !== 'opened'));
  expect(linksOf('ADMIN', sent)).toEqual(['done', 'done', 'done', 'Sending log: /sending-log']);
});

it('the link for access writes to the domain of the stage', () => {
  expect(contactLink('mail.example.com')).toBe(
    'mailto:access@mail.example.com?subject=Access%20to%20Letterflow',
  );
  expect(contactLink('127.0.0.1')).toMatch(/^mailto:access@localhost/);
});
