import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Simulation } from '#shared/simulation.ts';
import { type Answers, DOWN } from '../support/components/api.ts';
import { automation, noChoices, simulation, upcoming } from '../support/components/examples.ts';
import {
  button,
  choose,
  dialog,
  focus,
  isGone,
  keys,
  leadsTo,
  menuItem,
  press,
  pressInDialog,
  rowAction,
  says,
  shows,
  textsOf,
} from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';
import { onboarding } from '../support/components/sequences.ts';
import { proof } from '../support/proof.ts';

const days = Array.from({ length: 30 }, (_, index) => ({
  date: new Date(Date.UTC(2026, 10, 1 + index)).toISOString(),
  count: 12,
  skipped: 8,
}));
const forecast = { days, total_count: 360, next_at: null, sampled: null, counted_share: 1 };
const one: Answers = {
  'GET /api/automations/{automation}': automation,
  'GET /api/automations/{automation}/forecast': forecast,
};
const DELETE = 'DELETE /api/automations/{automation}';
const SIMULATE = 'GET /api/automations/{automation}/simulate';
const simulate = (answer: Simulation | Response, more: Partial<typeof automation> = {}) =>
  open('/automations/a1?open=simulation', {
    ...one,
    'GET /api/automations/{automation}': { ...automation, ...more },
    [SIMULATE]: answer,
  });

const [sample] = simulation.sample_emails;
const samplesWith = (fields: Partial<typeof sample>) => (sample ? [{ ...sample, ...fields }] : []);

it('a simulation has its times in one zone, and says which emails wait for quiet hours, and since when', async () => {
  const sample_emails = samplesWith({ held_since: '2026-10-31T22:30:00.000Z' });
  simulate({ ...simulation, held: 1, sample_emails });
  await says('1 of these waits for quiet hours to end.');
  await says('waits since 22:30 for the end of quiet hours');
  const row = dialog().getByRole('row').filter({ hasText: 'ada@example.com' });
  await shows(row.getByText('Oct 31, 2026, 21:30'));
  const why = row.getByRole('link', { name: 'Why?' });
  await expect
    .element(why)
    .toHaveAttribute('href', expect.stringMatching(/^\/list-members\/m1\?automation=a1/));
  await leadsTo('ada@example.com', '/list-members/m1');
  await says('1 sample email');
});

const bars = (name: string) => page.getByRole('list', { name }).getByRole('listitem');

proof('a simulation says how far it came, and can be tried again', async () => {
  const at = (hours: number) => new Date(Date.UTC(2026, 10, 1, 0, hours * 60)).toISOString();
  const hourly_summary = [602, 602, 0].map((count, hour) => ({
    hour: at(hour),
    count,
    will_send: count,
    skipped: 0,
  }));
  const large: Simulation = {
    ...simulation,
    total_count: 1_204,
    limited: true,
    hourly_summary,
    will_send: 1_204,
    first_emails: 1_204,
    sample_emails: samplesWith({ trigger_column: null }),
    counted_until: at(1.5),
    inactive_lists: ['Readers'],
  };
  const { api } = simulate(DOWN, { active: false });
  await says('Failed to simulate automation. Please try again.');
  api.answer({ [SIMULATE]: large });
  await press('Try again');
  for (const text of [
    '1,204 Emails to be Sent',
    '(Limited to 100 sample emails)',
    'This automation is inactive: nothing is sent until it is activated.',
    'Nothing is sent to Readers until this list is activated.',
    /^Counted until .* only: there are too many members/,
  ]) {
    await shows(dialog().getByText(text));
  }
  const hours = bars('Emails per hour')
    .elements()
    .map(({ textContent }) => textContent.replace(/^.*?\d: /, ''));
  expect(hours).toEqual([
    expect.stringContaining('602 emails'),
    expect.stringContaining('at least 602 emails'),
    expect.stringContaining('not counted'),
  ]);
  const table = page.getByRole('grid', { name: 'Sample emails' });
  expect(table.getByRole('columnheader', { name: 'Days Since Trigger' }).elements()).toEqual([]);
  expect(table.getByRole('gridcell', { name: 'Date added' }).elements()).toHaveLength(1);
  await keys('{Escape}');
  await isGone(dialog());
  const none = { total_count: 0, will_send: 0, limited: false, hourly_summary: [], sample_emails: [] };
  api.answer({ [SIMULATE]: { ...large, ...none } });
  await choose('More actions', 'Simulate');
  await says('No emails scheduled');
});

it('a forecast is loaded after a retry, read by the keyboard, and says where it is estimated', async () => {
  const { api } = open('/automations/a1', {
    ...one,
    'GET /api/automations/{automation}/forecast': DOWN,
    'GET /api/forecast': { ...forecast, sampled: { people: 10_000, of: 45_210, margin: 120 } },
  });
  await says('Failed to load the forecast. Please try again.');
  api.answer(one);
  await press('Try again');
  await says('360 emails, 240 not sent');
  await focus(page.getByRole('list', { name: 'Emails per day' }));
  await keys('{ArrowRight}');
  const first = bars('Emails per day').first().element().textContent;
  await expect.poll(() => page.getByText(first, { exact: true }).elements()).toHaveLength(2);
  await page.getByRole('tab', { name: 'All automations' }).click();
  await expect.element(bars('Emails per day').first()).toHaveTextContent('Sun, Nov 1: 12 emails, 8 not sent');
  await says(/Estimated from 10,000 of 45,210 members/);
});

proof('a simulation says what is held back, and why nothing is sent', async () => {
  const held = {
    ...simulation,
    total_count: 60,
    will_send: 32,
    first_emails: 30,
    skipped: { 'capped:max_emails_5_minutes': 28 },
    instead_of: [{ id: 'a2', name: 'tips', count: 28 }],
    hourly_summary: [{ hour: '2026-11-01T00:00:00.000Z', count: 60, will_send: 32, skipped: 28 }],
  };
  const { api } = simulate(held, { double_send_first: true });
  await says('30 Emails to be Sent');
  await says(/^60 due · 32 sent · 28 held back .*, second and third emails included$/);
  await says('tips takes the place of what is held back.');
  expect(bars('Emails per hour').first().element().textContent).toContain('32 emails, 28 not sent');
  await keys('{Escape}');
  await isGone(dialog());
  api.answer({ [SIMULATE]: { ...held, will_send: 0, skipped: { no_key: 60 }, instead_of: [] } });
  await choose('More actions', 'Simulate');
  await says('Nothing will be sent: its lists have no sending key.');
  await isGone(page.getByText('Emails to be Sent'));
});

it('the page of an automation that stops on the first day says so, and what it has no setting for', async () => {
  simulate(simulation, { stop_after_days: 0 });
  await keys('{Escape}');
  await shows(page.getByText('0 days', { exact: true }));
  for (const text of [
    'Every 1 day',
    'None, starts immediately',
    'Everybody on its lists',
    'Not eligible to send emails',
    'No multiple sends are configured for this automation.',
    'Without a trigger column, it starts when a member was added.',
    'No email lists connected to this automation.',
  ])
    await says(text);
});

it('the page of an automation has its lists, its event and its multiple sends', async () => {
  const lists = ['Customers', 'Readers'].map((name, at) => ({ id: `l${at}`, name, domain: 'example.com' }));
  open('/automations/a1', {
    ...one,
    'GET /api/automations/{automation}': {
      ...automation,
      active: false,
      email_lists: lists,
      starts_at: 'event',
      metadata_trigger: 'ordered',
      repeat: 'once',
      triple_send_first: true,
      email_eligibility: { ...automation.email_eligibility, is_eligible: true },
    },
  });
  for (const text of ['ordered', 'Triple 1st', '2 lists', 'Eligible to send emails']) await says(text);
  // The next step comes first; all other actions are in the menu.
  await shows(page.getByRole('region', { name: 'Overview' }).getByText('Inactive', { exact: true }));
  await shows(button('Activate'));
  await press('More actions');
  await expect
    .poll(() => textsOf('[role=menuitem]'))
    .toEqual(['Simulate', 'Edit Automation', 'Delete Automation']);
  await keys('{Escape}');
  await says('Each person gets 3 emails, at ordered.');
  await leadsTo('View Readers', '/email-lists/l1');
  // What every day would have.
  for (const name of ['Frequency', 'Delay', 'Stop After', 'Trigger'])
    await isGone(page.getByText(name, { exact: true }));
  await isGone(page.getByText('No multiple sends are configured for this automation.'));
  await says(/^It is inactive: this is what it would send\. What it sends beside all other automations/);
});

proof('the schedule of an automation is shown in full in a tooltip, multiple sends too', async () => {
  const once = { repeat: 'once', delay_days: 3, double_send_first: true } as const;
  const twice = {
    ...automation,
    id: 'a2',
    name: 'twice',
    ...once,
    triple_send_second: true,
    audience: { all: [{ field: 'plan', op: 'is' as const, value: 'pro' }] },
    email_eligibility: { ...automation.email_eligibility, is_eligible: true },
    email_lists: [{ id: 'l1', name: 'Customers', domain: 'example.com' }],
  };
  open('/automations?columns=schedule,lists,eligibility', { 'GET /api/automations': [automation, twice] });
  await says('Double 1st + 1');
  for (const name of ['Conditions', '1 list', 'Eligible', 'Not Eligible']) await shows(button(name));
  await says('No lists');
  const actions = ['Deactivate', 'Simulate sending volume', 'Edit', 'Delete'];
  for (const [name, items] of [
    ['twice', actions],
    ['welcome', actions.toSpliced(2, 0, 'Link content')],
  ] as const) {
    await press(`Actions for ${name}`);
    await shows(menuItem('Edit'));
    expect(textsOf('[role=menuitem]')).toEqual(items);
    await keys('{Escape}');
    await isGone(menuItem('Edit'));
  }
  await press('An email every day');
  await says(/^Each person gets an email every day, without an end[\s\S]*Multiple sends: None configured$/);
  await keys('{Escape}');
  await press('2 emails, 3 days after they were added');
  await says(/Double 1st\nTriple 2nd\nDouble sends two emails/);
});

it('the list says of each automation whether it sends, its results and the next email, in two calls for all', async () => {
  const lists = [{ id: 'l1', name: 'Customers', domain: 'example.com' }];
  const ready = {
    ...automation,
    email_lists: lists,
    email_eligibility: { ...automation.email_eligibility, is_eligible: true },
  };
  const days = { start_date: '2026-10-25', end_date: '2026-11-23', unsubscribed: 0, value: 0 };
  const { api } = open('/automations?sort=sent&direction=desc', {
    'GET /api/automations': [
      { ...automation, name: 'no_content', email_lists: lists },
      { ...ready, id: 'a2', name: 'sends' },
      { ...ready, id: 'a3', name: 'shared' },
    ],
    'GET /api/reporting/automations': {
      automations: [
        { automation_id: 'a3', sent: 1_200, opened: null, clicked: 0, conversions: 0, ...days },
        { automation_id: 'a2', sent: 200, opened: 90, clicked: 10, conversions: 0, ...days },
      ],
      counted_until: null,
    },
    'GET /api/upcoming': {
      ...upcoming,
      automations: [{ automation_id: 'a2', name: 'sends', next_at: '2040-12-24T09:00:00.000Z', count: 3 }],
    },
  });
  await shows(page.getByRole('gridcell', { name: 'Dec 24, 2040' }));
  const row = (at: number) => [...(document.querySelectorAll('tbody tr')[at]?.querySelectorAll('td') ?? [])];
  const cells = (at: number) => row(at).map(({ innerText }) => innerText);
  await expect
    .poll(() => cells(0).slice(0, 6))
    .toEqual(['shared', 'Sending', '1,200', '–', '0.00%', 'None in 7 days']);
  expect(cells(1).slice(0, 6)).toEqual(['sends', 'Sending', '200', '45.00%', '5.00%', 'Dec 24, 2040']);
  expect(cells(2).slice(0, 6)).toEqual(['no_content', 'Not ready: nothing to send', '0', '–', '–', '–']);
  for (const call of ['GET /api/reporting/automations', 'GET /api/upcoming']) expect(api.count(call)).toBe(1);
});

proof(
  'the automations of all pages are listed once, with sequences, which are both loaded after a retry',
  async () => {
    const rows = Array.from({ length: 101 }, (_, at) => ({ ...automation, id: `n${at}`, name: `no_${at}` }));
    const { api } = open('/automations', {
      // One more was created meanwhile, so that the last row of the first page is on the second one too.
      'GET /api/automations': ({ query }) =>
        query.get('page') === '1' ? rows.slice(0, 100) : rows.slice(99),
      'GET /api/sequences': DOWN,
      [SIMULATE]: simulation,
    });
    await says('Failed to fetch automations. Please try again.');
    await expect.poll(() => api.count('GET /api/automations')).toBe(2);
    api.answer({ 'GET /api/sequences': [] });
    await press('Try again');
    await says('101 automations');
    await expect.poll(() => api.count('GET /api/automations')).toBe(4);
    await rowAction('no_100', 'Simulate sending volume');
    await shows(page.getByRole('dialog', { name: 'Simulation Results: no_100' }));
  },
);

proof(
  'the palette opens, switches and simulates an automation, finds a sequence by its steps, and begins a new one',
  async () => {
    const { api } = open('/automations/a1', {
      ...noChoices,
      ...one,
      'GET /api/automations': [
        automation,
        { ...automation, id: 'a2', name: 'birthday' },
        ...onboarding.steps.map(({ automation_id: id, name }) => ({
          ...automation,
          id: `step ${id}`,
          name,
          sequence_id: onboarding.id,
        })),
      ],
      'GET /api/sequences': [onboarding],
      'GET /api/email-lists': [],
      'PUT /api/automations/{automation}': { ...automation, active: false },
      [SIMULATE]: simulation,
    });
    const command = async (name: string) => {
      await keys('{Control>}k{/Control}');
      await page.getByRole('option', { name }).click();
    };
    for (const [name, title] of [
      ['Simulate sending volume', 'Simulation Results: welcome'],
      ['Link content', 'Link content: welcome'],
    ] as const) {
      await command(name);
      await shows(page.getByRole('dialog', { name: title }));
      await keys('{Escape}');
      await isGone(dialog());
    }
    await command('Deactivate automation');
    await says('welcome is inactive: it sends nothing.');
    expect(api.changes()).toEqual([{ call: 'PUT /api/automations/a1', body: { active: false } }]);
    for (const [name, title] of [
      ['Edit automation', 'Edit Automation'],
      ['New automation', 'Create Automation'],
      ['New sequence', 'Create sequence'],
      ['birthday', 'welcome'],
    ] as const) {
      await command(name);
      await shows(page.getByRole('heading', { name: title }));
    }
    expect(api.count('GET /api/automations/a2')).toBe(1);
    await keys('{Control>}k{/Control}');
    await page.getByRole('combobox').fill('onboarding a2');
    await expect.poll(() => textsOf('[role=option]')).toEqual(['Onboarding']);
  },
);

it('an automation is deleted on its page after a question', async () => {
  const { api, router } = open('/automations/a1', { ...one, 'GET /api/automations': [], [DELETE]: DOWN });
  await choose('More actions', 'Delete Automation');
  await pressInDialog('Delete Automation');
  await shows(dialog().getByText('Failed to delete automation. Please try again.'));
  api.answer({ [DELETE]: undefined });
  await pressInDialog('Delete Automation');
  await says('welcome was deleted.');
  expect(router.state.location.pathname).toBe('/automations');
});

proof(
  'of automations there are none yet, or none that is searched for; one is deleted after a question',
  async () => {
    const { api, router } = open('/automations', {
      ...noChoices,
      ...one,
      'GET /api/automations': [automation],
      'GET /api/email-lists': [],
      [DELETE]: undefined,
    });
    const search = page.getByRole('searchbox', { name: 'Search by name or list' });
    await search.fill('birthday');
    await says('No automation has “birthday” in its name or in that of a list.');
    await search.fill('');
    await leadsTo('welcome', '/automations/a1');
    await rowAction('welcome', 'Edit');
    await shows(page.getByRole('heading', { name: 'Edit Automation' }));
    await router.navigate('/automations');
    await rowAction('welcome', 'Delete');
    api.answer({ 'GET /api/automations': [] });
    await pressInDialog('Delete Automation');
    await says("You don't have any automations yet.");
    expect(api.changes()).toMatchObject([{ call: 'DELETE /api/automations/a1' }]);
  },
);
