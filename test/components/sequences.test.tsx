import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { AutomationContent } from '#shared/automation-content.ts';
import type { Sequence, StepInput } from '#shared/sequence.ts';
import { type Answers, DOWN, refusal } from '../support/components/api.ts';
import {
  automation,
  list,
  noContent,
  noEffect,
  organization,
  template,
} from '../support/components/examples.ts';
import {
  answer,
  button,
  dialog,
  field,
  isGone,
  leadsTo,
  menuItem,
  press,
  pressInDialog,
  rowAction,
  says,
  shows,
  textsOf,
  warns,
} from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

type Step = Sequence['steps'][number];

const whole = { ...automation.email_eligibility, is_eligible: true };
const step = (automation_id: string, delay_days: number): Step => ({
  automation_id,
  name: `Onboarding_${automation_id}`,
  delay_days,
  delay_minutes: 0,
  active: true,
  email_eligibility: automation.email_eligibility,
});
const customers = { ...list, id: 'customers001' };
const onboarding: Sequence = {
  id: 's1',
  name: 'Onboarding',
  active: false,
  email_list_ids: [customers.id],
  email_lists: [{ id: customers.id, name: list.name, domain: list.domain }],
  metadata_trigger: 'signed_up',
  starts_at: 'date',
  audience: null,
  send_at: null,
  time_zone_of: 'organization',
  days_off: [],
  steps: [step('a1', 0), step('a2', 3), step('a3', 7)],
  created_at: automation.created_at,
  revision: 'first',
};

const { pre_cta_content, cta_text, cta_url, footer } = template;
const content = { pre_cta_content, cta_text, cta_url, footer, preheader: null, after_cta_content: null };
const written = (subject_line: string): AutomationContent => ({
  ...noContent,
  combinations: 1,
  active: { ...noContent.active, templates: 1 },
  templates: [
    {
      id: template.id,
      name: subject_line,
      subject_line,
      language_code: 'en',
      is_active: true,
      columns: [],
      warnings: [],
      texts: { ...content, subject_line },
    },
  ],
});

/** The API of one sequence: what is put is what is read afterwards. */
function fakeSequence(first: Partial<Sequence> = {}, emails: Record<string, string> = {}): Answers {
  let now: Sequence = { ...onboarding, ...first };
  const eligible = () => ({
    ...now,
    steps: now.steps.map(one => ({
      ...one,
      email_eligibility: emails[one.automation_id] ? whole : automation.email_eligibility,
    })),
  });
  return {
    'GET /api/sequences': () => [eligible()],
    'GET /api/sequences/{sequence}': eligible,
    'GET /api/sequences/{sequence}/people': () => ({
      steps: now.steps.map(({ automation_id }, at) => ({ automation_id, people: at * 12 })),
      sampled: null,
      counted_share: 1,
    }),
    'PUT /api/sequences/{sequence}': ({ body }) => {
      const { steps, ...fields } = body as { steps?: StepInput[] };
      const all = steps?.map(({ automation_id = 'a9', ...given }) => ({
        ...(now.steps.find(one => one.automation_id === automation_id) ?? step(automation_id, 0)),
        ...(given as Partial<Step>),
      }));
      now = { ...now, ...fields, ...(all && { steps: all }) };
      return eligible();
    },
    'GET /api/automations/{automation}/content': ({ params: { automation: id } }) =>
      emails[id] ? written(emails[id]) : noContent,
    'POST /api/email-templates': ({ body }) => {
      for (const id of body.automation_ids ?? []) emails[id] = body.subject_line;
      return Response.json(template, { status: 201 });
    },
    'GET /api/reporting/automations': { automations: [], counted_until: null },
    'GET /api/email-lists': [customers],
    'GET /api/automations': [],
  };
}
const PATH = '/automations/sequences/s1';
const delays = () => textsOf('ol h3');
const figures = { opened: 61, clicked: 12, unsubscribed: 0, value: 40, start_date: '', end_date: '' };

it('a new sequence has three steps, whose emails are written one after the other', async () => {
  const { api, router } = open('/automations/sequences/new', {
    ...fakeSequence({ metadata_trigger: null }),
    'POST /api/sequences': Response.json(onboarding, { status: 201 }),
    'GET /api/email-lists/{list}/datetime-metadata-columns': { columns: [], stats: {} },
  });
  await field('Name').fill('Onboarding');
  await press('Create Sequence');
  await shows(page.getByText('No email yet').first());
  expect(router.state.location.pathname).toBe(PATH);
  expect(api.changes()[0]).toMatchObject({
    body: {
      name: 'Onboarding',
      email_list_ids: [customers.id],
      metadata_trigger: null,
      steps: [{ delay_days: 0 }, { delay_days: 3 }, { delay_days: 7 }],
    },
  });
  const write = async (subject: string, save: string) => {
    await field('Subject Line').fill(subject);
    await page.getByRole('textbox', { name: 'Pre-CTA Content' }).fill('Hello');
    await pressInDialog(save);
  };
  await press('Write email: When they are added');
  await page.getByRole('textbox', { name: 'CTA Text' }).fill('Begin');
  await page.getByRole('textbox', { name: 'CTA URL' }).fill('https://example.com/begin');
  await write('Welcome', 'Save and write the next');
  // The button of the email before is there already.
  await shows(dialog().getByText('Write email: 3 days after they were added'));
  await expect.element(field('Subject Line')).toHaveFocus();
  await write('Three things', 'Save and write the next');
  await shows(dialog().getByText('Write email: 7 days after they were added'));
  await write('How is it going?', 'Save');
  await isGone(dialog());
  await leadsTo('How is it going?', '/automations/a3');
  expect(api.changes().slice(1)).toMatchObject(
    ['Welcome', 'Three things', 'How is it going?'].map((name, at) => ({
      body: { name, cta_text: 'Begin', automation_ids: [`a${at + 1}`] },
    })),
  );
});

it('a step says what it has sent and how many people are before it', async () => {
  const { api } = open(PATH, {
    ...fakeSequence({ active: true }, { a1: 'Welcome', a2: 'Three things' }),
    'GET /api/sequences/{sequence}/people': DOWN,
    'GET /api/reporting/automations': {
      automations: [
        { automation_id: 'a1', sent: 120, ...figures },
        // Its email is gone.
        { automation_id: 'a3', ...figures, sent: 5, opened: 0, clicked: 0, value: 3 },
      ],
      counted_until: null,
    },
    'GET /api/email-sends/skipped': {
      automations: [{ automation_id: 'a2', count: 1, reasons: [{ reason: 'no_content', count: 1 }] }],
      counted_since: null,
    },
  });
  await says(/^1 email was not sent in the last 7 days: the automation has no active content\./);
  await says('1 of its 3 steps has no email yet: nobody gets it, and the others are sent.');
  await says('61 (50.83%)');
  await says('40.00');
  await says('How many people are before each step could not be counted.');
  api.answer({
    'GET /api/sequences/{sequence}/people': fakeSequence()['GET /api/sequences/{sequence}/people'],
  });
  await press('Try again');
  await says('Nobody before it');
  await says('24 people before it');
  await rowAction('7 days after signed_up', 'Remove step');
  await shows(dialog().getByText('7 days after signed_up: nobody gets this email any more.'));
  expect(api.changes()).toEqual([]);
});

it('a step is added, moved past another one with Undo, and removed; an email is not lost without a question', async () => {
  const { api } = open(PATH, fakeSequence({}, { a1: 'Welcome' }));
  await press('+ Add step');
  await expect.element(field('Days after')).toHaveValue(10);
  await field('Days after').fill('7');
  await pressInDialog('Add step');
  await says('Another step goes at this time: choose another one');
  await field('Days after').fill('9');
  await answer('Add step');
  await expect.poll(delays).toHaveLength(4);
  await says('36 people before it');
  await press('Change delay: 3 days after signed_up');
  await field('Days after').fill('8');
  await answer('Save');
  const after = (...days: number[]) => ['At signed_up', ...days.map(day => `${day} days after signed_up`)];
  await expect.poll(delays).toEqual(after(7, 8, 9));
  expect(api.changes().at(-1)?.body).toMatchObject({
    revision: 'first',
    steps: ['a1', 'a3', 'a2', 'a9'].map(automation_id => ({ automation_id })),
  });
  await press('Undo');
  await expect.poll(delays).toEqual(after(3, 7, 9));
  const before = api.changes().length;
  await press('Change delay: 3 days after signed_up');
  await answer('Save');
  expect(api.changes()).toHaveLength(before);
  await rowAction('9 days after signed_up', 'Remove step');
  await expect.poll(delays).toEqual(after(3, 7));
  await rowAction('At signed_up', 'Remove step');
  await shows(dialog().getByText('At signed_up: nobody gets this email any more.'));
  await answer('Remove step');
  await expect.poll(delays).toEqual(after(3, 7).slice(1));
});

it('a step that is removed comes back by Undo as it was', async () => {
  const last = { ...step('a3', 7), name: 'Last_call', delay_minutes: 120, active: false };
  const { api } = open(
    PATH,
    fakeSequence({ steps: [step('a1', 0), { ...step('a2', 3), active: false }, last] }),
  );
  const before = ['At signed_up', '3 days after signed_up', '7 days and 2 hours after signed_up'];
  await rowAction(before[2] ?? '', 'Remove step');
  await expect.poll(delays).toEqual(before.slice(0, 2));
  await press('Undo');
  await expect.poll(delays).toEqual(before);
  // Whether the others are on is not said, so that it stays.
  expect(api.changes().at(-1)?.body).toEqual({
    revision: 'first',
    steps: [
      { automation_id: 'a1', delay_days: 0, delay_minutes: 0 },
      { automation_id: 'a2', delay_days: 3, delay_minutes: 0 },
      { name: 'Last_call', delay_days: 7, delay_minutes: 120, active: false },
    ],
  });
});

it('an edited email takes the place of the one before in one change', async () => {
  const { api } = open(PATH, {
    ...fakeSequence({ active: true }, { a1: 'Welcome', a2: 'Three things', a3: 'How is it going?' }),
    'POST /api/email-templates': Response.json({ ...template, id: 't9' }, { status: 201 }),
    'PUT /api/automations/{automation}/content': refusal(
      409,
      'Another change is under way. Please try again.',
    ),
  });
  await press('Edit email: 3 days after signed_up');
  await expect.element(field('Subject Line')).toHaveValue('Three things');
  await field('Subject Line').fill('Three tricks');
  await pressInDialog('Save');
  await warns('Another change is under way. Please try again.');
  api.answer({ 'PUT /api/automations/{automation}/content': written('Three tricks') });
  await pressInDialog('Save');
  await isGone(dialog());
  // The template is there already when it is saved again, and nothing else links it meanwhile.
  const [created, ...linked] = api.changes();
  const body = { ...content, subject_line: 'Three tricks', name: 'Three tricks', language_code: 'en' };
  expect(created).toMatchObject({ body });
  expect(created?.body).not.toHaveProperty('automation_ids');
  const links = { link: ['t9'], unlink: [template.id] };
  expect(linked).toMatchObject([{ body: links }, { body: links }]);
});

it('what others have changed meanwhile stays, and a refused change is explained', async () => {
  const { api } = open(PATH, fakeSequence());
  await press('Change delay: 7 days after signed_up');
  // Another user adds a step on day 5.
  api.answer(fakeSequence({ steps: [...onboarding.steps.slice(0, 2), step('a5', 5), step('a3', 7)] }));
  await field('Days after').fill('6');
  await answer('Save');
  await expect.poll(delays).toHaveLength(4);
  await press('Change delay: 6 days after signed_up');
  api.answer({
    'PUT /api/sequences/{sequence}': refusal(409, 'Another change is under way. Please try again.'),
  });
  await field('Days after').fill('9');
  await pressInDialog('Save');
  await warns('Another change is under way. Please try again.');
  api.answer(fakeSequence({ steps: onboarding.steps.slice(0, 2) }));
  await pressInDialog('Save');
  await warns('Somebody else has removed this step meanwhile. The steps that are left are shown now.');
});

it('a sequence is one row of the table, which opens, and its steps have no switch there', async () => {
  const steps = onboarding.steps.map(({ automation_id, name, delay_days }) => ({
    ...automation,
    id: automation_id,
    name,
    delay_days,
    sequence_id: 's1',
    metadata_trigger: 'signed_up',
  }));
  open('/automations', {
    ...fakeSequence({}, { a1: 'Welcome' }),
    'GET /api/automations': [...steps, { ...automation, id: 'a4', name: 'birthday' }],
  });
  const rows = page.getByRole('row');
  await expect.poll(() => rows.elements()).toHaveLength(3);
  await says('3 emails, the last 7 days after signed_up');
  await shows(button('1 of 3 steps'));
  await press('3 steps of Onboarding');
  await expect.poll(() => rows.elements()).toHaveLength(6);
  await leadsTo('Step 2 of Onboarding', '/automations/a2');
  await press('Actions for Onboarding_a2');
  await shows(menuItem('Go to its sequence'));
  expect(textsOf('[role=menuitem]')).toEqual(['Link content', 'Go to its sequence']);
});

it('a sequence without steps is not called eligible', async () => {
  open('/automations', fakeSequence({ steps: [] }));
  await says('No steps yet');
  await shows(button('0 of 0 steps'));
});

it('the page of a step leads to its sequence, which switches, changes and deletes it', async () => {
  open('/automations/a2/edit', {
    ...fakeSequence(),
    'GET /api/automations/{automation}': { ...automation, id: 'a2', name: 'Onboarding_2', sequence_id: 's1' },
    'GET /api/automations/{automation}/forecast': {
      days: [],
      total_count: 0,
      sampled: null,
      counted_share: 1,
    },
  });
  await shows(page.getByRole('heading', { name: 'Onboarding' }));
  await rowAction('3 days after signed_up', 'Open its details');
  await says('This is a step of the sequence Onboarding: its lists, its schedule and its switch are there.');
  await leadsTo('Go to its sequence', PATH);
  for (const name of ['Delete Automation', 'Deactivate', 'Edit Automation']) await isGone(button(name));
});

it('a sequence is switched, and deleted after a question', async () => {
  const { api, router } = open(PATH, { ...fakeSequence(), 'DELETE /api/sequences/{sequence}': undefined });
  api.answer({ 'PUT /api/sequences/{sequence}/dry-run': { ...noEffect, existing: 12 } });
  await press('Activate');
  await dialog().getByText('Also 12 people whose first email would have been due already').click();
  await answer('Activate and send');
  await says('Onboarding is active.');
  expect(api.changes().at(-1)?.body).toEqual({ active: true, include_existing: true });
  await press('Delete Sequence');
  await shows(dialog().getByText(/Its 3 steps are deleted with it/));
  await pressInDialog('Delete Sequence');
  await says('Onboarding was deleted.');
  expect(router.state.location.pathname).toBe('/automations');
});

it('a viewer sees a sequence and changes nothing', async () => {
  open(PATH, { ...fakeSequence(), 'GET /api/organizations': [{ ...organization, role: 'VIEWER' }] });
  await says('7 days after signed_up');
  for (const name of ['Activate', '+ Add step', 'Delete Sequence']) await isGone(button(name));
  expect(textsOf('main button').filter(text => /Write|Change/.test(text))).toEqual([]);
});
