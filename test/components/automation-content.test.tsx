import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { AutomationContent } from '#shared/automation-content.ts';
import type { DryRun } from '#shared/dry-run.ts';
import { PARTS, type Part } from '#shared/email/content.ts';
import { type Answers, DOWN, refusal } from '../support/components/api.ts';
import {
  asset,
  assetRow,
  automation,
  holdoutReport,
  list,
  noContent,
  noEffect,
  noForecast,
  noResults,
  template,
  templateDetail,
} from '../support/components/examples.ts';
import {
  button,
  dialog,
  field,
  heading,
  isGone,
  keys,
  leadsTo,
  press,
  pressInDialog,
  says,
  shows,
  textsOf,
} from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

const SKIPPED = 'Emails that are due until then are skipped, and are not sent later.';
const NOTHING = 'Nothing to send: link an active template, or one active asset of each of five types.';
const around: Answers = {
  'GET /api/automations/{automation}': automation,
  'GET /api/automations/{automation}/forecast': noForecast,
};

const PART_NAMES = Object.keys(PARTS) as Part[];
const texts = (fields: Partial<Record<Part, string>>) =>
  Object.fromEntries(PART_NAMES.map(part => [part, fields[part] ?? null])) as Record<Part, string | null>;
const linkedTemplate = (id: string, fields: Partial<AutomationContent['templates'][number]> = {}) => ({
  id,
  name: `Template ${id}`,
  subject_line: `Subject ${id}`,
  language_code: 'en' as const,
  is_active: true,
  columns: [],
  warnings: [],
  texts: texts({ subject_line: `Subject ${id}`, cta_url: 'https://example.com/', footer: '{{UNSUB_LINK}}' }),
  ...fields,
});
const WARNING = "2 of 3 members have no first_name and no default is given. Write {{first_name | 'friend'}}.";
const three: AutomationContent = {
  ...noContent,
  templates: [
    linkedTemplate('one', { columns: ['first_name'], warnings: [WARNING] }),
    linkedTemplate('two'),
    linkedTemplate('off', { is_active: false }),
  ],
  active: { ...noContent.active, templates: 2 },
  combinations: 2,
};
const inInbox = () => page.getByRole('group', { name: 'In an inbox' });

it('what an automation sends is shown as emails, one after the other, with what each needs', async () => {
  open('/automations/a1', {
    ...around,
    'GET /api/automations/{automation}': {
      ...automation,
      email_eligibility: { ...automation.email_eligibility, is_eligible: true },
    },
    'GET /api/automations/{automation}/content': three,
  });
  await says('Each email is one of its 2 active templates, chosen at random.');
  await says('2 active, 1 inactive');
  await isGone(page.getByText('It is made of active email assets, one of each type.'));
  await says(`Needs first_name. ${WARNING}`);
  await says('Email 1 of 2');
  await expect.element(inInbox().getByText('Subject one')).toBeVisible();
  await press('Next email');
  await expect.element(inInbox().getByText('Subject two')).toBeVisible();
  await press('Show Template one');
  await says('Email 1 of 2');
  await expect.element(button('Shown: Template one')).toBeVisible();
  // Nobody gets it.
  await isGone(button('Show Template off'));
  // Of two, the other one is the next and the one before.
  await press('Previous email');
  await says('Email 2 of 2');
  await isGone(button('Random email'));
  const headings = page.getByRole('heading', { level: 2 });
  await expect
    .poll(() => headings.elements().map(({ textContent }) => textContent))
    .toEqual(['What it sends', 'Next sends', 'Settings', 'Changes']);
});

it('of more emails than can be listed, those that are listed are examples, and any of them is shown', async () => {
  open('/automations/a1', {
    ...around,
    'GET /api/automations/{automation}/content': {
      ...three,
      templates: ['one', 'two', 'three'].map(id => linkedTemplate(id)),
      active: { ...noContent.active, templates: 7 },
      combinations: 7,
      left_out: 4,
    },
  });
  await says('An example of 7');
  await says('4 more are linked than are listed here.');
  await expect.element(inInbox().getByText('Subject one')).toBeVisible();
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.99);
  await press('Random email');
  random.mockRestore();
  await expect.element(inInbox().getByText('Subject three')).toBeVisible();
});

it('an automation says when it sends, to whom, and what it lacks of templates and of assets', async () => {
  open('/automations/a1', {
    ...around,
    'GET /api/automations/{automation}': {
      ...automation,
      send_at: '09:00',
      days_off: ['saturday', 'sunday'],
      audience: { all: [{ field: '@list', op: 'on', value: 'b00000000000' }] },
    },
    'GET /api/email-lists': [{ ...list, id: 'b00000000000' }],
    'GET /api/sending-hours': { time_zone: 'Europe/Berlin', quiet_hours: [] },
    'GET /api/forecast': noForecast,
  });
  await says('09:00 in the time zone of the organization (Europe/Berlin)');
  await says('Saturdays and Sundays');
  await says('Members for whom they are on the list Customers');
  await says('This automation needs at least one active email template.');
  await says(
    'Active email assets do as well, one of each of these types: Subject Line, Pre-CTA Content, CTA Text, CTA URL, Footer.',
  );
  await leadsTo('+ New asset set', '/email-assets/new-set?automation=a1');
  await shows(page.getByRole('tabpanel').getByText(/^No email list is connected/));
  await page.getByRole('tab', { name: 'All automations' }).click();
  await says('No active automation has anything to send on these days.');
});

it('results are shown where something was sent, and what is not known of it says why', async () => {
  const results = { ...noResults, sent: 200, clicked: 10, combinations: 2, opened: 50, value: 49.9 };
  const { api } = open('/automations/a1', { ...around, 'GET /api/reporting/automations/{automation}': DOWN });
  await says('Failed to load the results. Please try again.');
  api.answer({
    'GET /api/reporting/automations/{automation}': {
      ...results,
      opened: null,
      value: null,
      counted_until: '2026-11-23T08:00:00Z',
    },
  });
  await press('Try again');
  await says('Counting is behind: the newest emails are missing.');
  await says('2 combinations');
  await says('5.00%');
  expect(page.getByText('Not known').elements()).toHaveLength(2);
  await says(/^What is not known is counted for an email as a whole, and another automation/);
  const log = page.getByRole('link', { name: 'Its emails in the sending log' });
  await expect.element(log).toHaveAttribute('href', '/sending-log?automation=a1');
});

it('what was not sent of late is said with its reason, which leads to the log and to the limits', async () => {
  const reasons = [
    { reason: 'capped:max_emails_5_minutes' as const, count: 1_000 },
    { reason: 'not_due' as const, count: 2 },
  ];
  open('/automations/a1', {
    ...around,
    'GET /api/email-sends/skipped': {
      automations: [{ automation_id: 'a1', count: 1_002, reasons }],
      counted_since: null,
    },
  });
  await shows(
    page.getByText(
      '1,002 emails were not sent in the last 7 days, 1,000 of them for this reason: the member had as many emails as the safeguards allow within 5 minutes. The limits are in the safeguards.',
    ),
  );
  const from = new Date(Date.now() - 6 * 86_400_000).toISOString().slice(0, 10);
  await leadsTo('Show in the log', `/sending-log?automation=a1&status=skipped&from=${from}`);
  await leadsTo('safeguards', '/safeguards');
  // The other reason is none by which something has to be mended.
  const notice = page.getByRole('status').filter({ hasText: 'not sent in the last 7 days' });
  expect(notice.element().querySelector('svg')?.getAttribute('stroke')).toBe('var(--warning)');
});

const effect: DryRun = {
  ...noEffect,
  next_24_hours: { emails: 3, people_more: 3, people_fewer: 0 },
  next_7_days: { emails: 3, people_more: 3, people_fewer: 0 },
  first_at: new Date().toISOString(),
};
const choices: Answers = {
  'GET /api/email-templates': [template, { ...template, id: 't2', name: 'Theirs', can_edit: false }],
  'GET /api/email-templates-summary': { total: 2, found: 2, languages: ['en'] },
  'GET /api/email-assets': {
    data: [{ ...assetRow, automations: [{ id: 'a1', name: 'welcome' }] }],
    current_page: 1,
    last_page: 1,
    total: 1,
    found: 1,
  },
};
const box = (name: RegExp) => page.getByRole('checkbox', { name });

it('what is missing is linked where it is said, and asks first where mail begins to flow', async () => {
  const { api } = open('/automations/a1', {
    ...around,
    ...choices,
    'PUT /api/automations/{automation}/content/dry-run': effect,
    'PUT /api/automations/{automation}/content': three,
  });
  await says(SKIPPED);
  await page.getByRole('link', { name: 'Link content' }).click();
  await expect.element(box(/^Theirs/)).toBeDisabled();
  await box(/^Welcome/).click();
  await press('Assets');
  await expect.element(box(/^Spring/)).toBeChecked();
  await box(/^Spring/).click();
  await says('1 to link, 1 to unlink');
  await press('Save');
  await says('3 people get an email within 24 hours who would not have, the first within a minute.');
  await page.getByRole('dialog', { name: 'Send emails?' }).getByRole('button', { name: 'Cancel' }).click();
  await says('1 to link, 1 to unlink');
  expect(api.changes()).toEqual([]);
  await dialog().getByRole('button', { name: 'Save' }).click();
  api.answer({ 'GET /api/automations/{automation}/content': three });
  await press('Save and send');
  await says('Email 1 of 2');
  expect(api.changes().map(({ body }) => body)).toEqual([{ link: ['t1'], unlink: ['e1'] }]);
});

it('among many templates the server finds one, and what is linked is shown whatever is searched', async () => {
  const automations = [{ id: 'a1', name: 'welcome' }];
  const linked = { ...template, id: 't2', name: 'Own', automations };
  const { api } = open('/automations/a1', {
    ...around,
    ...choices,
    'GET /api/email-templates': ({ query }) =>
      query.has('automations')
        ? [linked]
        : query.has('search')
          ? [{ ...template, id: 't9', name: 'Autumn' }]
          : [template],
    'GET /api/email-templates-summary': { total: 40, found: 40, languages: ['en'] },
    'PUT /api/automations/{automation}/content/dry-run': noEffect,
    'PUT /api/automations/{automation}/content': three,
  });
  await page.getByRole('link', { name: 'Link content' }).click();
  await shows(button('Remove Own'));
  await field('Search email templates').fill('aut');
  await shows(page.getByRole('option', { name: /^Autumn/ }));
  await keys('{Enter}');
  await shows(button('Remove Autumn'));
  const chips = page.getByRole('button', { name: /^Remove / }).elements();
  expect(chips.map(chip => chip.textContent)).toEqual(['Own', 'Autumn']);
  // Held down as a person does: the list is still open then.
  await button('Remove Own').click({ delay: 100 });
  await says('1 to link, 1 to unlink');
  const search = field('Search email templates');
  await expect.element(search).toHaveAttribute('aria-expanded', 'true');
  // The list alone is closed.
  await keys('{Escape}');
  await expect.element(search).toHaveAttribute('aria-expanded', 'false');
  await press('Save');
  await expect.poll(() => api.changes().map(({ body }) => body)).toEqual([{ link: ['t9'], unlink: ['t2'] }]);
});

proof(
  'what an automation sends already is the first that is listed, and stays there while it is unchosen',
  async () => {
    const automations = [{ id: 'a1', name: 'welcome' }];
    open('/automations/a1', {
      ...around,
      ...choices,
      'GET /api/email-templates': [template, { ...template, id: 't2', name: 'Own', automations }],
    });
    await page.getByRole('link', { name: 'Link content' }).click();
    await box(/^Own/).click();
    await says('1 to unlink');
    const names = textsOf('[aria-label=Content] label:has(input[type=checkbox])');
    expect(names.filter(name => /^(Own|Welcome)/.test(name)).map(name => name.slice(0, 3))).toEqual([
      'Own',
      'Wel',
    ]);
  },
);

it('a template that another automation sends too says, before it is linked, what is counted together', async () => {
  const automations = [{ id: 'a2', name: 'reorder' }];
  open('/automations/a1', {
    ...around,
    ...choices,
    'GET /api/email-templates': [
      { ...template, automations },
      { ...template, id: 't2', name: 'Own' },
    ],
  });
  const note = page.getByText(/^Opens and value are counted for a template as a whole/);
  await page.getByRole('link', { name: 'Link content' }).click();
  await box(/^Own/).click();
  await says('1 to link');
  await isGone(note);
  await box(/^Welcome/).click();
  await shows(note);
  await box(/^Welcome/).click();
  await isGone(note);
});

it('the form of a second template begins with the texts of the first one, or empty', async () => {
  const { preheader: _, after_cta_content: __, ...parts } = templateDetail.emailTemplate;
  open('/email-templates/new?automation=a1b2c3d4e5f6', {
    ...around,
    'GET /api/automations-for-templates': [{ id: 'a1b2c3d4e5f6', name: 'welcome' }],
    'POST /api/email-templates-check': { errors: {}, warnings: {} },
    'GET /api/automations/{automation}/content': {
      ...noContent,
      templates: [
        linkedTemplate('off', { is_active: false }),
        linkedTemplate('one', {
          name: 'Welcome',
          language_code: 'he',
          texts: { ...texts(parts), preheader: null, after_cta_content: null },
        }),
      ],
    },
  });
  await says(/^This form is filled in as a variant of Welcome\. Change what should be different/);
  await expect.element(field('Template Name')).toHaveValue('Welcome (copy)');
  await expect.element(field('Subject Line')).toHaveValue('Welcome aboard');
  await expect.element(field('Language')).toHaveValue('he');
  await expect.element(box(/^welcome/)).toBeChecked();
  await page.getByRole('link', { name: 'Begin empty' }).click();
  await expect.element(field('Subject Line')).toHaveValue('');
  await expect.element(box(/^welcome/)).toBeChecked();
  await isGone(page.getByText(/^This form is filled in/));
});

const linking = () => page.getByRole('dialog', { name: 'Link content: welcome' });

const newOne: Answers = {
  ...choices,
  'GET /api/automations': [],
  'GET /api/email-lists': [list],
  'GET /api/email-lists/{list}/datetime-metadata-columns': { columns: [], stats: {} },
  'POST /api/automations': automation,
  'PUT /api/automations/{automation}/content': three,
};

it('a new automation is linked to what was chosen; where that fails, it stays, and can be linked again', async () => {
  const { api, router } = open('/automations/new', {
    ...newOne,
    ...around,
    'PUT /api/automations/{automation}/content': refusal(422, 'No'),
  });
  await field('Name').fill('welcome');
  await field('How often?').selectOptions('Once');
  const nothing = page.getByText(`${NOTHING} ${SKIPPED}`);
  for (const isChosen of [true, false, true]) {
    await box(/^Welcome/).click();
    if (isChosen) await isGone(nothing);
    else await shows(nothing);
  }
  await press('Save Automation');
  await says('Automation created, but its content was not linked.');
  await expect.poll(() => router.state.location.pathname).toBe('/automations/a1');
  await expect.element(linking()).toBeVisible();
  expect(api.changes().map(({ body }) => body)).toMatchObject([{ name: 'welcome' }, { link: ['t1'] }]);
});

proof(
  'a new automation with content is activated when that is linked; declined, it stays inactive',
  async () => {
    const { api, router } = open('/automations/new', {
      ...newOne,
      ...around,
      'PUT /api/automations/{automation}/dry-run': { ...noEffect, existing: 3 },
    });
    await field('Name').fill('welcome');
    await field('How often?').selectOptions('Once');
    await box(/^Welcome/).click();
    await press('Save Automation');
    await says('Also 3 people whose first email would have been due already');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await says('Automation created, but it is not active.');
    await expect.poll(() => router.state.location.pathname).toBe('/automations/a1');
    expect(api.changes().map(({ body }) => body)).toMatchObject([{ active: false }, { link: ['t1'] }]);
  },
);

proof(
  'from the form of an automation one goes on to content that is linked to it, and comes back',
  async () => {
    const id = 'a1b2c3d4e5f6';
    const created = { ...automation, id };
    const { api, router } = open('/automations/new', {
      ...newOne,
      ...around,
      'POST /api/automations': created,
      'GET /api/automations/{automation}': created,
      'GET /api/automations-for-assets': [{ id, name: 'welcome' }],
      'POST /api/email-asset-sets': Response.json({ created: [asset], existing: [] }, { status: 201 }),
      'PUT /api/automations/{automation}': created,
      'PUT /api/automations/{automation}/dry-run': { ...noEffect, existing: 3 },
    });
    await says(`${NOTHING} ${SKIPPED}`);
    await field('Name').fill('welcome');
    await field('How often?').selectOptions('Once');
    await press('Save and create asset set');
    await expect.element(heading('Create asset set')).toBeVisible();
    await says('The automation is inactive. It is activated once this is created.');
    await expect.element(box(/^welcome/)).toBeChecked();
    await field('Subject Line').fill('Spring is here');
    await field('Pre-CTA Content').fill('Hello');
    await field('CTA Text').fill('Look around');
    await field('CTA URL').fill('https://example.com/');
    await press('Create asset set');
    await says('Also 3 people whose first email would have been due already');
    await pressInDialog('Activate');
    await expect.poll(() => router.state.location.pathname).toBe(`/automations/${id}`);
    expect(api.changes().map(({ body }) => body)).toMatchObject([
      { active: false },
      { automation_ids: [id] },
      { active: true },
    ]);
  },
);

proof(
  'a new automation is saved active, and without going on, though going on to content was refused before',
  async () => {
    const { api, router } = open('/automations/new', { ...newOne, ...around });
    await field('How often?').selectOptions('Once');
    await press('Save and create asset set');
    await says('Name is required');
    await field('Name').fill('welcome');
    await press('Save Automation');
    await expect.poll(() => router.state.location.pathname).toBe('/automations');
    expect(api.changes().map(({ body }) => body)).toMatchObject([{ name: 'welcome', active: true }]);
  },
);

proof('content that is created for a new automation is kept where its activation is declined', async () => {
  const { api, router } = open('/email-assets/new-set?automation=a1b2c3d4e5f6&activates=1', {
    ...around,
    ...choices,
    'GET /api/automations-for-assets': [{ id: 'a1b2c3d4e5f6', name: 'welcome' }],
    'POST /api/email-asset-sets': Response.json({ created: [asset], existing: [] }, { status: 201 }),
    'PUT /api/automations/{automation}/dry-run': effect,
  });
  for (const [label, text] of Object.entries({
    'Subject Line': 'Spring is here',
    'Pre-CTA Content': 'Hello',
    'CTA Text': 'Look around',
    'CTA URL': 'https://example.com/',
  }))
    await field(label).fill(text);
  await press('Create asset set');
  await says('3 people get an email within 24 hours who would not have, the first within a minute.');
  await pressInDialog('Cancel');
  await says('1 email asset created. The automation is not active.');
  await expect.poll(() => router.state.location.pathname).toBe('/automations/a1b2c3d4e5f6');
  expect(api.changes()).toHaveLength(1);
});

const SHARES = [
  ['2030-02-28', true, 0.6],
  ['2030-03-01', false, 0.5],
  ['2030-03-02', true, 0.7],
  ['2030-03-03', true, 0.81],
] as const;
const shares = {
  days: SHARES.map(([date, by_results, one]) => ({
    date,
    by_results,
    parts: { template: { one, two: 1 - one } },
  })),
  gain: { estimate: 0.142, from: 0.061, to: 0.231 },
};

it('an automation that sends more of what works says what, since when and what that gains, and stops at once', async () => {
  let stored = { ...automation, allocation: 'clicks' as 'clicks' | 'equal' };
  open('/automations/a1', {
    ...around,
    'GET /api/automations/{automation}': () => stored,
    'GET /api/automations/{automation}/content': three,
    'GET /api/reporting/automations/{automation}': noResults,
    'GET /api/reporting/automations/{automation}/shares': shares,
    'PUT /api/automations/{automation}': ({ body }) => {
      stored = { ...stored, ...(body as object) };
      return stored;
    },
  });
  await says(
    'Since Mar 2 it sends more of what is clicked: Template “Template one” is in 78% of emails today.',
  );
  await says('Its emails got 14% more clicks than at equal shares (6% to 23%, with a confidence of 95%).');
  await press('Send all equally');
  await says('All content is sent equally often again.');
  await isGone(heading('More of what works'));
  expect(stored.allocation).toBe('equal');
});

it.each([
  [
    'before the first day with shares, when they begin',
    { days: shares.days.slice(1, 2), gain: null },
    'All content is sent equally often today. From the next day (UTC) on, it sends more of what leads to conversions.',
  ],
  [
    'where no gain shows, that none does',
    { ...shares, gain: { estimate: 0.02, from: -0.03, to: 0.09 } },
    'No gain shows yet: between −3% and 9% more conversions than at equal shares.',
  ],
])('an automation that sends more of what works says, %s', async (_, report, text) => {
  open('/automations/a1', {
    ...around,
    'GET /api/automations/{automation}': { ...automation, allocation: 'conversions' },
    'GET /api/automations/{automation}/content': three,
    'GET /api/reporting/automations/{automation}': noResults,
    'GET /api/reporting/automations/{automation}/shares': report,
  });
  await says(text);
});

it('an automation with a holdout says what its people do who get nothing, and no more than the ranges show', async () => {
  open('/automations/a1', {
    ...around,
    'GET /api/automations/{automation}': { ...automation, holdout_percent: 10 },
    'GET /api/automations/{automation}/content': three,
    'GET /api/reporting/automations/{automation}': noResults,
    'GET /api/reporting/automations/{automation}/holdout': {
      ...holdoutReport,
      clicks: {
        held_out: 51,
        others: 449,
        held_out_per_person: 0.05,
        others_per_person: 0.0494,
        lift: { estimate: -0.01, from: -0.12, to: 0.1 },
        people_needed: null,
      },
      unsubscribes: { ...holdoutReport.value, held_out: 0, others: 0, people_needed: null },
    },
  });
  await shows(heading('Holdout'));
  await says('10% of people get nothing of it: 1,020 of 10,100 people on its lists.');
  const facts = page.getByLabelText('What people do who get it').getByRole('definition');
  const texts = () => facts.elements().map(one => (one as HTMLElement).innerText.split(/\n+/));
  await expect
    .poll(texts)
    .toEqual([
      ['22% more (4% to 43%)', '3.11 per 100 people, 2.55 per 100 of those held out'],
      ['Not enough is known yet', 'It takes more time, or about 5,200 more people'],
      ['No difference shows yet (−12% to 10%)', '4.94 per 100 people, 5 per 100 of those held out'],
      ['None yet'],
    ]);
  await says(/Amounts above 180\.00 count as 180\.00\./);
  await expect
    .element(page.getByRole('link', { name: 'how to report them' }))
    .toHaveAttribute('href', '/help#value');
});
