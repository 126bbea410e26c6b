import { expect, it, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { Attention, Notice } from '#shared/attention.ts';
import { FIRST_STEPS } from '#shared/first-steps.ts';
import type { Performance } from '#shared/reporting.ts';
import { DOWN, held } from '../support/components/api.ts';
import {
  attention,
  firstSteps,
  keyedList,
  list,
  organization,
  performanceOf,
  profile,
  send,
  upcoming,
} from '../support/components/examples.ts';
import {
  field,
  isGone,
  keys,
  leadsTo,
  link,
  press,
  says,
  shows,
  textsOf,
} from '../support/components/page.ts';
import { open, reload } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

const home = { 'GET /api/email-lists': [list] };

const notice: Notice = {
  kind: 'key_refused',
  id: 'l1',
  name: 'Customers',
  count: null,
  sent: null,
  since: null,
  missing: [],
};
const noticed = (...notices: Partial<Notice>[]): Attention => ({
  ...attention,
  notices: notices.map(one => ({ ...notice, ...one })),
});

const section = (name: string) => page.getByRole('heading', { name, level: 2 });

it('a part of home that could not be loaded hides no other one, and is loaded after a retry', async () => {
  const { api } = open('/', {
    'GET /api/email-lists': DOWN,
    'GET /api/first-steps': DOWN,
    'GET /api/attention': DOWN,
    'GET /api/reporting/performance': DOWN,
    'GET /api/upcoming': DOWN,
  });
  for (const part of ['the first steps', 'what needs attention', 'the last 30 days', 'what is sent next']) {
    await says(`Failed to load ${part}. Please try again.`);
  }
  const titles = ['Last 30 days', 'Coming up', 'Email lists'];
  for (const title of titles) await expect.element(section(title)).toBeVisible();
  api.answer({ 'GET /api/email-lists': Array.from({ length: 7 }, (_, at) => ({ ...list, id: `l${at}` })) });
  const retries = page.getByRole('button', { name: 'Try again' });
  await expect.poll(() => retries.elements()).toHaveLength(5);
  await retries.last().click();
  await expect.element(page.getByRole('link', { name: 'All 7 lists' })).toBeVisible();
  expect(page.getByRole('link', { name: list.name }).elements()).toHaveLength(6);
});

const report = performanceOf({
  4: { sent: 1_000, opened: 400, clicked: 100, value: 49.5 },
  29: { sent: 500, opened: 50 },
});

it('the last 30 days stand beside those before, and lead to the log; below is what is next, best and new', async () => {
  const gone = {
    ...send,
    recipient_email: 'ben@example.com',
    list_member_id: 'm2',
    unsubscribed_at: new Date().toISOString(),
  };
  open('/', {
    ...home,
    'GET /api/attention': noticed({}),
    'GET /api/reporting/performance': {
      ...report,
      previous: { ...report.previous, sent: 1_000, open_rate: '25.00%', click_rate: '8.00%' },
      best: {
        id: 't1',
        type: 'template',
        combination: 'Spring',
        subject_line: 'It is spring',
        sent: 400,
        opened: 120,
        clicked: 40,
      },
      counted_until: '2026-11-23T00:00:00Z',
    },
    'GET /api/upcoming': {
      ...upcoming,
      automations: [{ automation_id: 'a1', name: 'welcome', next_at: '2040-12-24T09:00:00.000Z', count: 12 }],
    },
    'GET /api/email-sends': ({ query }) => ({
      data: query.get('status') === 'unsubscribed' ? [gone] : [],
      meta: { current_page: 1, last_page: 1, searched_since: null, next: null },
    }),
  });
  for (const text of ['+50%, 1,000 before', '30.00%, 25.00% before', '6.67%, 8.00% before']) await says(text);
  await says('None in the 30 days before');
  for (const [text, status] of [
    ['1,500', 'sent'],
    ['450', 'opened'],
    ['100', 'clicked'],
  ] as const)
    await leadsTo(text, `/sending-log?status=${status}&from=2026-10-25&to=2026-11-23`);
  await says('Counting is behind: the newest emails are missing.');
  await leadsTo('All combinations in reporting', '/reporting');
  await says('Dec 24, 2040');
  await leadsTo('welcome', '/automations/a1');
  await leadsTo('Spring', '/reporting/combinations/t1');
  await says('10.00% clicked');
  await leadsTo('ben@example.com', '/list-members/m2');
  await says('None in the last 30 days.');
  expect(textsOf('main h2')).toEqual([
    'Needs attention',
    'Last 30 days',
    'Coming up',
    'Best email',
    'Recent bounces',
    'Recent unsubscribes',
    'Email lists',
  ]);
});

it('the last 30 days keep their height while they are loaded', async () => {
  const { answer, release } = held<Performance>();
  open('/', { ...home, 'GET /api/reporting/performance': answer });
  await expect.element(section('Email lists')).toBeVisible();
  const top = () => section('Email lists').element().getBoundingClientRect().top;
  await expect.element(section('Coming up')).toBeVisible();
  const before = top();
  release(report);
  await expect.element(page.getByRole('group', { name: /^Chart of the emails/ })).toBeVisible();
  expect(top()).toBe(before);
});

it('a home where all is well says that nothing was sent, and what to do', async () => {
  open('/', home);
  await says(/^Nothing was sent\./);
  await says('None in 7 days');
  await says(/^No active automation has anything to send\./);
  await isGone(page.getByText('0.00%'));
  expect(section('Needs attention').elements()).toEqual([]);
  await expect
    .element(page.getByRole('link', { name: 'See your automations' }).first())
    .toHaveAttribute('href', '/automations');
});

it('home says what is sent next within a day and a week, with what the safeguards hold back', async () => {
  open('/', {
    ...home,
    'GET /api/upcoming': {
      ...upcoming,
      next_24_hours: { count: 120, skipped: 5 },
      next_7_days: { count: 840, skipped: 0 },
      next_at: '2026-11-27T09:00:00Z',
    },
  });
  await says('5 more held back');
  await leadsTo('safeguards', '/safeguards');
  await says('All times are in UTC.');
  expect(textsOf('[aria-label="Coming up"] dd')).toEqual([
    '120',
    '5 more held back',
    '840',
    '',
    'Nov 27, 2026',
    '09:00',
  ]);
});

it('the numbers of what is sent next say how far an estimate may be off', async () => {
  open('/', {
    ...home,
    'GET /api/upcoming': {
      ...upcoming,
      next_7_days: { count: 9_000, skipped: 0 },
      counted_share: 0.5,
      sampled: { people: 1_000, of: 20_000, margin: 150 },
    },
    'GET /api/reporting/performance': performanceOf({ 29: { sent: 0, value: 5 } }),
  });
  await says('Not known');
  await says(/may be 150 emails more or less/);
  await says(/Only about 50% of the members/);
  // A conversion may be reported long after its email was sent.
  await leadsTo('All combinations in reporting', '/reporting');
  await isGone(page.getByText(/^Nothing was sent\./));
  await isGone(page.getByText(/^Counting is behind/));
});

it('what needs attention leads to what mends it', async () => {
  open('/', {
    ...home,
    'GET /api/attention': {
      ...noticed({ name: 'Readers' }, { kind: 'unknown', id: null, name: null, count: 2 }),
      left_out: 2,
    },
  });
  await leadsTo('Readers', '/email-lists/l1');
  await leadsTo('Replace the sending key: Readers', '/email-lists/l1?open=sending');
  await leadsTo('Look at them', '/sending-log?status=unknown&from=2026-11-17&to=2026-11-23');
  await says('2 more are not shown here: begin with these.');
  await isGone(page.getByText('Please contact an admin or owner.'));
});

it('who may not mend what needs attention is told who may', async () => {
  open('/', {
    ...home,
    'GET /api/organizations': [{ ...organization, role: 'USER' }],
    'GET /api/attention': noticed({}, { kind: 'no_list', id: 'a1', name: 'welcome' }),
  });
  await leadsTo('Connect a list: welcome', '/automations/a1/edit');
  await says('Please contact an admin or owner.');
  await isGone(link('Replace the sending key: Customers'));
  await isGone(page.getByText(/shown here: begin with these/));
});

const tested = (connection_valid: boolean | null) => ({
  ...keyedList,
  mailgun_connection_status: { last_tested_at: null, connection_valid },
});

it('the lists of home say what is missing in each, and lead to it those who may mend it', async () => {
  const lists = [
    { ...list, id: 'a', name: 'A' },
    { ...tested(false), id: 'b', name: 'B', members_count: 2 },
    { ...tested(null), id: 'c', name: 'C', members_count: 1 },
    { ...tested(true), id: 'd', name: 'D' },
    { ...tested(true), id: 'e', name: 'E', members_count: 1_204 },
    { ...tested(true), id: 'f', name: 'F', members_count: 1, active: false },
  ];
  const { api, router } = open('/', { 'GET /api/email-lists': lists });
  const shown = () => textsOf('section li').filter(text => /member/.test(text ?? ''));
  await expect
    .poll(shown)
    .toEqual([
      'B2 membersSending key refusedReplace the sending key',
      'C1 memberSending key not testedTest it',
      'A0 membersNo sending keySet the sending key',
      'D0 membersNo membersAdd member',
      'E1,204 membersReady to send',
      'F1 memberInactive',
    ]);
  await leadsTo('Set the sending key: A', '/email-lists/a?open=sending');
  await leadsTo('Add member: D', '/email-lists/d/members/new');
  await leadsTo('Create list', '/email-lists/new');
  await isGone(link(/^All \d lists/));
  api.answer({ 'GET /api/organizations': [{ ...organization, role: 'USER' }] });
  await reload(router);
  await expect.poll(() => shown()[2]).toBe('A0 membersNo sending key');
  await leadsTo('Add member: D', '/email-lists/d/members/new');
});

it('home shows its other parts after two seconds, though what needs attention is not loaded yet', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { answer, release } = held<Attention>();
  const { api } = open('/', { 'GET /api/email-lists': [], 'GET /api/attention': answer });
  await expect.poll(() => api.count('GET /api/attention')).toBe(1);
  await says(/^Welcome, /);
  expect(section('Email lists').elements()).toEqual([]);
  await vi.advanceTimersByTimeAsync(2_000);
  await expect.element(section('Email lists')).toBeVisible();
  await says('No email lists yet');
  await expect.element(section('Needs attention')).toBeVisible();
  release(attention);
  await isGone(section('Needs attention'));
});

/** A toast has a button of this name as well. */
const dismiss = () =>
  page.getByRole('main').getByRole('button', { name: 'Dismiss', exact: true }).first().click();

const steps = { 'GET /api/first-steps': firstSteps('list', 'key', 'members') };

it('the first steps of a new organization come first, and nothing that it has no use for yet', async () => {
  open('/', { ...home, ...steps });
  await says('2 of 4 done');
  expect(page.getByRole('img', { name: 'Done' }).elements()).toHaveLength(2);
  expect([section('Last 30 days'), section('Coming up')].flatMap(one => one.elements())).toEqual([]);
  await expect.element(section('Email lists')).toBeVisible();
  // What is done leads nowhere.
  expect(textsOf('main ol a')).toEqual(['Create an email template', 'Create an automation']);
  expect(textsOf('[aria-current=step]')).toEqual([expect.stringMatching(/^Write an email/)]);
  expect(textsOf('main ol li').slice(1, 3)).toEqual(['Set up a list', 'Add people']);
});

it('the profile of a new user begins with the next step', async () => {
  const { router } = open('/profile', { ...profile, ...steps });
  await page.getByRole('main').getByRole('link', { name: 'Create an email template' }).click();
  await expect.poll(() => router.state.location.pathname).toBe('/email-templates/new');
});

proof('the first steps show the first email that goes out meanwhile, and what came of it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const done = FIRST_STEPS.filter(step => !['sent', 'opened'].includes(step));
  const { api } = open('/', { ...home, 'GET /api/first-steps': firstSteps(...done) });
  await says(/^The first email is sent by itself/);
  api.answer({
    'GET /api/first-steps': firstSteps(...done, 'sent'),
    'GET /api/reporting/performance': performanceOf({ 29: { sent: 47 } }),
  });
  await vi.advanceTimersByTimeAsync(15_000);
  await says(/^The first email is sent\. Its opens/);
  await shows(link('47'));
  const asked = api.count('GET /api/first-steps');
  await vi.advanceTimersByTimeAsync(30_000);
  expect(api.count('GET /api/first-steps')).toBe(asked);
});

const DONE = 'All of the first steps are done.';

proof(
  'the first steps are dismissed for the organization, and come back by Undo, or by the command palette',
  async () => {
    const palette = { 'GET /api/automations': [], 'GET /api/email-templates': [] };
    const { api } = open('/', { ...home, ...palette, ...steps, 'PUT /api/first-steps': undefined });
    await says('2 of 4 done');
    const PUT = 'PUT /api/first-steps';
    api.answer({ [PUT]: DOWN });
    await dismiss();
    await says('Failed to dismiss the first steps. Please try again.');
    await says('2 of 4 done');
    const dismissed = { ...firstSteps(), is_shown: false, is_dismissed: true, steps: [] };
    api.answer({ [PUT]: undefined, 'GET /api/first-steps': dismissed });
    await dismiss();
    await expect.element(section('First steps')).not.toBeInTheDocument();
    api.answer(steps);
    await press('Undo');
    await says('2 of 4 done');
    api.answer({ 'GET /api/first-steps': dismissed });
    await dismiss();
    await expect.element(section('First steps')).not.toBeInTheDocument();
    for (const [answers, text] of [
      [{ [PUT]: DOWN }, 'Failed to show the first steps. Please try again.'],
      [{ [PUT]: undefined, 'GET /api/first-steps': { ...dismissed, is_dismissed: false } }, DONE],
    ] as const) {
      api.answer(answers);
      await keys('{Control>}k{/Control}');
      await field('Search pages and commands').fill('first steps');
      await page.getByRole('option', { name: 'Show first steps' }).click();
      await says(text);
    }
    expect(api.changes().map(({ body }) => body)).toEqual(
      [true, true, false, true, false, false].map(one => ({ dismissed: one })),
    );
    await keys('{Control>}k{/Control}');
    await field('Search pages and commands').fill('first steps');
    await isGone(page.getByRole('option', { name: 'Show first steps' }));
  },
);
