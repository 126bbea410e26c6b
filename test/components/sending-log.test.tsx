import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { EmailSend, EmailSendDetails } from '#shared/send.ts';
import { REASONS } from '#shared/send-status.ts';
import { today } from '#web/lib/save-file.ts';
import { type Answers, DOWN, held, refusal } from '../support/components/api.ts';
import { ada, automation, list, organization, send, sendsPage } from '../support/components/examples.ts';
import {
  answer,
  button,
  field,
  focus,
  heading,
  isGone,
  keys,
  press,
  pressInDialog,
  says,
  textsOf,
  warns,
} from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';
import { watchSavedFile } from '../support/components/saved-file.ts';
import { linesIn } from '../support/csv-cells.ts';
import { proof } from '../support/proof.ts';

const SENDS = 'GET /api/email-sends';
const SEND = 'GET /api/email-sends/{emailSend}';
const SKIPPED = 'GET /api/email-sends/skipped';
const MEMBER = 'GET /api/list-members/{listMember}';
const CONTENT = 'GET /api/email-sends/{emailSend}/content';
const RESEND = 'POST /api/email-sends/{emailSend}/resend';
const EXPLAIN = 'GET /api/list-members/{listMember}/automations/{automation}';
const view = (at = 0) => page.getByRole('link', { name: /^View the email to ada@example.com/ }).nth(at);

const base: Answers = {
  'GET /api/email-lists': [list],
  'GET /api/automations-for-templates': [{ id: automation.id, name: automation.name }],
  [SKIPPED]: { automations: [], counted_since: null },
};
const log = (sends: Partial<EmailSend>[] = [{}], answers: Answers = {}, path = '/sending-log') =>
  open(path, { ...base, [SENDS]: sendsPage(sends.map(one => ({ ...send, ...one }))), ...answers });

const cell = (name: string | RegExp) => page.getByRole('gridcell').filter({ hasText: name });
const recipient = () => button(ada.email);
const card = () => page.getByRole('dialog', { name: `About ${ada.email}` });
const NOW = Date.parse('2026-11-23T09:30:00Z');
const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();

it('a row of the sending log says what became of its email', async () => {
  // Fake timers would go on with each look of `expect.poll`.
  vi.setSystemTime(NOW);
  const rows: [Partial<EmailSend>, string][] = [
    [{}, 'Sent'],
    [{ is_opened: true, opened_at: ago(30) }, 'Opened 30 seconds ago'],
    [{ is_clicked: true, first_clicked_at: ago(7_200) }, 'Clicked 2 hours ago'],
    [{ is_opened: true, opened_at: '2024-03-01T10:00:00Z' }, 'Opened Mar 1, 2024'],
    [{ is_bounced: true, bounce_reason: '550 Denied', is_complained: true }, 'BouncedComplained550 Denied'],
    [{ status: 'failed', reason: 'refused' }, 'FailedThe mail provider did not take the email.'],
    [{ unsubscribed_at: ago(60) }, 'Unsubscribed 1 minute ago'],
    [
      { status: 'unknown', reason: 'no_answer', is_resent: true },
      `Unknown${REASONS.no_answer}. It was sent again.`,
    ],
    [{ status: 'skipped', reason: 'stale' }, 'SkippedIt was due more than 24 hours'],
  ];
  log(rows.map(([about], at) => ({ id: `s${at}`, list_member_id: null, ...about })));
  const shown = () => textsOf('td[data-label="Status"]');
  await expect.poll(shown).toEqual(rows.map(([, text]) => expect.stringContaining(text)));
  expect(shown()[0]).toBe('Sent');
  const times = textsOf('td[data-label="Sent at"]').map(text => text.startsWith('Due '));
  expect(times).toEqual(rows.map(([{ status }]) => status === 'skipped'));
});

it('emails of one day are below its heading, and their times are in UTC, which is said once', async () => {
  const times = ['2026-11-23T23:30:00Z', '2026-11-23T00:00:00Z', '2026-11-22T23:59:00Z'];
  log([...times.map((sent_at, at) => ({ id: `s${at}`, sent_at })), { id: 's4', automation_name: '' }]);
  await says(`${organization.name} · All times are in UTC.`);
  await expect
    .poll(() => [...document.querySelectorAll('tbody tr')].map(row => row.querySelector('td')?.innerText))
    .toEqual([
      'Mon, Nov 23, 2026',
      '23:30',
      '00:00',
      'Sun, Nov 22, 2026',
      '23:59',
      'Mon, Jan 5, 2026',
      '08:00',
    ]);
  await expect.element(cell('–')).toBeVisible();
  // The arrow keys pass over the headings.
  await focus(page.getByRole('row').filter({ hasText: '00:00' }));
  await keys('{ArrowDown}');
  await expect.element(page.getByRole('row').filter({ hasText: '23:59' })).toHaveFocus();
});

it('what was skipped is shown by a switch that says how much it is, if all of it was counted', async () => {
  const asked: string[] = [];
  const counted = (count: number, counted_since: string | null) => ({
    automations: [
      { automation_id: 'a1', count: 1, reasons: [] },
      { automation_id: 'a2', count, reasons: [] },
    ],
    counted_since,
  });
  const { api, router } = log(
    [{}],
    {
      [SKIPPED]: ({ query }: { query: URLSearchParams }) => {
        asked.push(query.toString());
        return counted(37, null);
      },
    },
    '/sending-log?status=clicked&automation=a1&list=l1&from=2026-01-01',
  );
  await press('Show 38 skipped');
  expect(asked).toEqual(['automations=a1&list=l1&from=2026-01-01']);
  await expect.poll(() => router.state.location.search).toContain('status=skipped');
  await press('Hide skipped');
  await expect.poll(() => router.state.location.search).not.toContain('status');
  api.answer({ [SKIPPED]: counted(40_000, '2026-01-01T00:00:00Z') });
  await field('List').selectOptions('All lists');
  await expect.element(button('Show skipped')).toHaveAttribute('aria-pressed', 'false');
  await field('Search by recipient').fill('ada@example.com');
  await expect.element(button('Show skipped')).toBeVisible();
});

proof(
  'pages of the sending log follow each other, with the focus on the button, then on the first row that came',
  async () => {
    const asked: string[] = [];
    const next = held<ReturnType<typeof sendsPage>>();
    log([], {
      [SENDS]: ({ query }: { query: URLSearchParams }) => {
        asked.push(query.toString());
        const number = Number(query.get('page'));
        const row = (id: string) => ({
          ...send,
          id,
          recipient_email: `${id}@example.com`,
          list_member_id: null,
        });
        if (number === 1) return sendsPage([row('a'), row('b')], { last_page: 2, next: 'n1' });
        if (number === 2)
          return sendsPage([row('b'), row('c')], { current_page: 2, last_page: 3, next: 'n2' });
        return next.answer();
      },
    });
    await says('2 emails');
    await focus(button('Load More'));
    await keys('{Enter}');
    await says('1 more email loaded.');
    await says('3 emails');
    await expect.element(button('Load More')).toHaveFocus();
    await keys('{Enter}');
    const last = { ...send, id: 'd', recipient_email: 'd@example.com', list_member_id: null };
    next.release(sendsPage([last], { current_page: 3, last_page: 3 }));
    await says('4 emails');
    await isGone(button('Load More'));
    await expect.poll(() => document.activeElement?.textContent).toContain('d@example.com');
    expect(asked).toEqual([
      'page=1&per_page=25',
      'after=n1&page=2&per_page=25',
      'after=n2&page=3&per_page=25',
    ]);
  },
);

proof('the log of what is rare can be searched further than one call reads', async () => {
  const since = '2026-01-02T12:00:00Z';
  const further = [DOWN, sendsPage([], { searched_since: since, next: 'n2' }), sendsPage([send])];
  log(
    [],
    {
      [SENDS]: ({ query }: { query: URLSearchParams }) =>
        (query.get('after') && further.shift()) || sendsPage([], { searched_since: since, next: 'n1' }),
    },
    '/sending-log?status=bounced',
  );
  await says('Emails that were due since Jan 2, 2026, 12:00 were searched.');
  await press('Search further');
  await warns('An error occurred while fetching the sending log. Please try again.');
  await press('Search further');
  await says('No more emails found.');
  await isGone(page.getByRole('alert').getByText(/^An error occurred/));
  await press('Search further');
  await says('1 email');
  await isGone(button('Search further'));
  await isGone(page.getByText(/^Emails that were due since/));
});

it('filters of the sending log are in the address, and asked for', async () => {
  const asked: string[] = [];
  const path =
    '/sending-log?status=skipped&reason=stale&list=l1&automation=a1&combination=c1&from=2026-01-01&to=2026-01-31&search=ada@example.com';
  const { router } = log(
    [],
    {
      [SENDS]: ({ query }: { query: URLSearchParams }) => {
        asked.push(
          [...query]
            .map(pair => pair.join('='))
            .sort()
            .join('&'),
        );
        return sendsPage([{ ...send, status: 'skipped', reason: 'stale', list_member_id: null }]);
      },
    },
    path,
  );
  await says('1 email');
  expect(asked).toEqual([
    'automation=a1&combination=c1&from=2026-01-01&list=l1&page=1&per_page=25&reason=stale&recipient=ada@example.com&status=skipped&to=2026-01-31',
  ]);
  await expect.element(field('Status')).toHaveValue('skipped stale');
  await expect.element(field('From, a day in UTC')).toHaveAttribute('max', '2026-01-31');
  await expect.element(field('To, a day in UTC')).toHaveAttribute('min', '2026-01-01');
  await field('Status').selectOptions('Clicked');
  await expect.poll(() => router.state.location.search).toContain('status=clicked&list=l1');
  await press('Combination c1 Remove this filter');
  await expect.poll(() => router.state.location.search).not.toContain('combination');
  await field('From, a day in UTC').fill('2026-01-02');
  await field('To, a day in UTC').fill('2026-01-03');
  await field('Automation').selectOptions('All automations');
  await field('List').selectOptions('All lists');
  await expect
    .poll(() => router.state.location.search)
    .toBe('?status=clicked&from=2026-01-02&to=2026-01-03&search=ada%40example.com');
});

proof('filters of the sending log ask for no recipient whose address is not complete', async () => {
  const { api } = log([{}], {}, '/sending-log?search=ada');
  await says('Type the whole address');
  await expect.element(button('Export to CSV')).toBeDisabled();
  expect(api.count('GET /api/email-sends')).toBe(0);
  await field('Search by recipient').fill('ada@example.com');
  await says('1 email');
  api.answer({ [SENDS]: sendsPage([]) });
  await field('Search by recipient').fill('bob@example.com');
  await says('No emails match your search');
});

const datetime = '2026-03-01T00:00:00Z';
const asArray = [
  { key: 'plan', type: 'string' as const, value: 'basic' },
  { key: 'ends', type: 'datetime' as const, value: datetime },
];

it('the card of a recipient has their metadata', async () => {
  log([{}], { [MEMBER]: { ...ada, metadata: asArray } });
  await recipient().click();
  for (const text of ['Subscribed', 'basic', 'Mar 1, 2026']) {
    await expect.element(card().getByText(text)).toBeVisible();
  }
  await expect
    .element(card().getByRole('link', { name: 'View member' }))
    .toHaveAttribute('href', '/list-members/m1');
  await keys('{Escape}');
  await isGone(card());
});

proof(
  'the card of a recipient opens 300 ms after the pointer came, and closes when it has left',
  async () => {
    log([{}], { [MEMBER]: { ...ada, is_subscribed: false } });
    await heading('Sending Log').hover();
    const begin = Date.now();
    await recipient().hover();
    await expect.element(card().getByText('Unsubscribed')).toBeVisible();
    expect(Date.now() - begin).toBeGreaterThanOrEqual(300);
    await card().getByText('Unsubscribed').hover();
    await heading('Sending Log').hover();
    await isGone(card());
  },
);

it('the card of a recipient opens by the keyboard, which leads into it', async () => {
  log([{}], { [MEMBER]: ada });
  await focus(page.getByRole('row').nth(2));
  await userEvent.tab();
  await expect.element(recipient()).toHaveFocus();
  await expect.element(card()).toBeVisible();
  await expect.element(card().getByRole('link', { name: 'View member' })).toBeVisible();
  await userEvent.tab();
  await expect.element(card().getByRole('link', { name: 'View member' })).toHaveFocus();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await keys('{Escape}');
  await isGone(card());
  await expect.element(recipient()).toHaveFocus();
  await vi.advanceTimersByTimeAsync(600);
  await isGone(card());
});

it('the card of a recipient says why it is empty', async () => {
  log([{}], { [MEMBER]: refusal(403, 'No') });
  await recipient().click();
  await says("You don't have access to view this member's details");
});

const content = {
  sender: {
    name: 'The shop',
    email: 'hello@example.com',
    subject: 'Welcome aboard',
    list_name: 'Customers',
    automation_name: 'welcome',
    trigger_metadata: '2026-03-01T00:00:00Z',
  },
  html: '<p>Hello</p>',
  plaintext: 'Welcome aboard',
};

const steps: EmailSendDetails['steps'] = [
  { step: 'due', at: '2026-01-05T08:00:00Z' },
  { step: 'answered', at: '2026-01-05T08:01:00Z' },
  { step: 'opened', at: '2026-01-05T09:30:00Z' },
  { step: 'bounced', at: '2026-01-06T10:00:00Z' },
];
const opened = (is_exact = true): Answers => ({
  [SEND]: { ...send, steps },
  [CONTENT]: { ...content, is_exact },
});
const drawer = () => page.getByRole('dialog', { name: 'Email Preview' });
const lines = () => textsOf('[role=dialog] ol[aria-label="What happened"] li');

it.each([
  [true, 'This is the email as it was sent.'],
  [false, 'This preview is built on demand from current assets. It may differ from what was sent.'],
])(
  'a row opens its email beside the log: what happened, and what it said (exact: %s)',
  async (is_exact, text) => {
    log([{}], opened(is_exact));
    await cell('Welcome, Ada').click();
    await expect.element(drawer()).toBeVisible();
    await says(text);
    await expect
      .poll(lines)
      .toEqual([
        'DueJan 5, 2026, 08:00',
        'Sent through MailgunJan 5, 2026, 08:01',
        'OpenedJan 5, 2026, 09:30',
        'BouncedJan 6, 2026, 10:00',
      ]);
    const names = [...document.querySelectorAll('[role=dialog] dt')].map(one => one.textContent);
    expect(names).toEqual(['From', 'To', 'Subject', 'List', 'Automation', 'Trigger']);
    const values = textsOf('[role=dialog] dl[aria-label=Email] dd');
    expect(values).toEqual([
      'The shop <hello@example.com>',
      'ada@example.com',
      'Welcome aboard',
      'Customers',
      'welcome',
      'Mar 1, 2026, 00:00',
    ]);
  },
);

proof(
  'an email has an address of its own: Back and Escape close it, and the focus returns to its row',
  async () => {
    const { router } = log([{}, { id: 's2' }], opened());
    await cell('Welcome, Ada').first().click();
    await expect.element(drawer()).toBeVisible();
    expect(router.state.location.search).toBe('?email=s1');
    await expect.poll(() => drawer().element().contains(document.activeElement)).toBe(true);
    await keys('{Escape}{Escape}');
    await isGone(drawer());
    await expect.element(page.getByRole('row').nth(2)).toHaveFocus();
    expect(router.state.location.search).toBe('');
    await view(1).click();
    await expect.element(drawer()).toBeVisible();
    await router.navigate(-1);
    await isGone(drawer());
    expect(router.state.location).toMatchObject({ pathname: '/sending-log', search: '' });
  },
);

proof(
  'a link to an email opens it over the log, whose filters stay, and which no longer has it',
  async () => {
    const { router } = log([], { ...opened(), [EXPLAIN]: DOWN }, '/sending-log?status=clicked&email=s9');
    await says('This is the email as it was sent.');
    await press('Why?');
    await says('This could not be loaded.');
    await drawer().getByRole('button', { name: 'Close' }).click();
    await isGone(drawer());
    expect(router.state.location.search).toBe('?status=clicked');
    await expect.element(heading('Sending Log')).toHaveFocus();
  },
);

it('an email that failed says so in words; one of a deleted member has no explanation', async () => {
  const rejected = { step: 'rejected', at: '2026-01-05T08:02:00Z' } as const;
  const failed = { ...send, status: 'failed', reason: 'refused', list_member_id: null } as const;
  const { api } = log([failed, { ...failed, id: 's2' }], {
    ...opened(),
    [SEND]: { ...failed, steps: [...steps.slice(1, 2), rejected] },
  });
  await view().click();
  const words = () => lines().map(line => line.replace(/Jan .*/, ''));
  await expect.poll(words).toEqual(['Sent through Mailgun', 'Rejected by the mail provider']);
  await expect.element(drawer().getByText(`${REASONS.refused}.`)).toBeVisible();
  await isGone(button('Why?'));
  await keys('{Escape}');
  api.answer({ [SEND]: { ...failed, steps: steps.slice(0, 2) } });
  await view(1).click();
  await expect.poll(words).toEqual(['Due', 'Failed']);
});

it('a skipped email says why at once, and asks for no content', async () => {
  const { api } = log([{ status: 'skipped', reason: 'stale' }], { [EXPLAIN]: DOWN });
  await view().click();
  await expect.poll(lines).toEqual(['Due, and skippedJan 5, 2026, 08:00']);
  await says('This could not be loaded.');
  expect(api.count('GET /api/email-sends/s1')).toBe(0);
});

proof('an email is loaded after a retry', async () => {
  const { api } = log([{}], { ...opened(), [CONTENT]: DOWN });
  await view().click();
  await warns('The email could not be loaded. Please try again.');
  api.answer({
    [CONTENT]: { ...content, sender: { ...content.sender, trigger_metadata: null }, is_exact: true },
  });
  await press('Try again');
  await says('This is the email as it was sent.');
  await isGone(page.getByText('Trigger', { exact: true }));
});

const unknown = { status: 'unknown', reason: 'no_answer' } as const;
const RESEND_IT = /^Resend the email to ada@example.com/;

it('a dialog before sending again says first what may happen, and is offered once', async () => {
  const { api } = log([unknown], { [RESEND]: DOWN });
  await page.getByRole('button', { name: RESEND_IT }).click();
  await says(/If it did arrive, they get it twice\./);
  await pressInDialog('Resend');
  await warns('Failed to resend the email. Please try again.');
  await isGone(page.getByText(/It was sent again\./));
  api.answer({ [RESEND]: { id: 's1' } });
  await answer('Resend');
  await says(/It was sent again\./);
  await says('The email to ada@example.com is sent again within a few minutes.');
  await isGone(page.getByRole('button', { name: RESEND_IT }));
  const call = 'POST /api/email-sends/s1/resend';
  expect(api.changes().map(one => one.call)).toEqual([call, call]);
});

const saved = watchSavedFile();

it('the file of the sending log has all pages of what is asked for', async () => {
  log(
    [],
    {
      [SENDS]: ({ query }: { query: URLSearchParams }) => {
        if (query.get('per_page') === '25') return sendsPage([send], { last_page: 2, next: 'n1' });
        return query.get('after')
          ? sendsPage([{ ...send, id: 's2', email_list_name: '=1+1' }], { current_page: 2 })
          : sendsPage([send], { last_page: 2, next: 'n1' });
      },
    },
    '/sending-log?status=sent',
  );
  await press('Export to CSV');
  await expect.poll(saved).toBeDefined();
  expect(saved()?.name).toBe(`sending-log_${today()}.csv`);
  const rows = linesIn(await saved()?.content.text());
  expect(rows.shift()).toMatch(/^\ufeff?Sent at,List,Automation,Subject,Recipient,Status,/);
  expect(rows).toEqual([
    '2026-01-05T08:00:00Z,Customers,welcome,Welcome, Ada,ada@example.com,Sent,,Mailgun,,,,,,c1,s1',
    "2026-01-05T08:00:00Z,'=1+1,welcome,Welcome, Ada,ada@example.com,Sent,,Mailgun,,,,,,c1,s2",
  ]);
});

proof('the file of the sending log stops when it is told to', async () => {
  const all = held<Response>();
  const { api } = log([], {
    [SENDS]: ({ query }: { query: URLSearchParams }) =>
      query.get('per_page') === '25' ? sendsPage([send]) : all.answer(),
  });
  await press('Export to CSV');
  await press('Stop (0 so far)');
  await expect.element(button('Export to CSV')).toBeVisible();
  await isGone(page.getByText(/^Failed to export/));
  api.answer({ [SENDS]: DOWN });
  await press('Export to CSV');
  await says('Failed to export the sending log. Please try again.');
  await expect.element(button('Export to CSV')).toBeVisible();
  expect(saved()).toBeUndefined();
});

it('emails that were found before are not shown as those of a filter that failed', async () => {
  const { api } = log([{}]);
  await expect.element(recipient()).toBeVisible();
  api.answer({ [SENDS]: DOWN });
  await field('Status').selectOptions('Bounced');
  await warns('An error occurred while fetching the sending log. Please try again.');
  await expect.element(page.getByRole('grid')).toHaveAttribute('aria-busy', 'true');
});

it('an empty sending log says that nothing was sent, and what to do', async () => {
  log([]);
  await says('No emails have been sent yet.');
  await expect.element(page.getByRole('link', { name: 'Go to Automations' })).toBeVisible();
  await isGone(field('Status'));
  await isGone(button('Export to CSV'));
});

it.each([
  [refusal(422, 'Page 4,002 is too far.'), 'Page 4,002 is too far.'],
  [
    Response.json({ data: {}, meta: {} }),
    'An error occurred while fetching the sending log. Please try again.',
  ],
])('a sending log says that it could not be loaded (%#)', async (response, text) => {
  const { api } = log([], { [SENDS]: response });
  await warns(text);
  api.answer({ [SENDS]: sendsPage([send]) });
  await press('Try again');
  await says('1 email');
});
