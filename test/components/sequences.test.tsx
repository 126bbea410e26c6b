import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Sequence } from '#shared/sequence.ts';
import { DOWN, held, refusal, unreachable } from '../support/components/api.ts';
import {
  automation,
  noChoices,
  noContent,
  noEffect,
  organization,
  template,
} from '../support/components/examples.ts';
import {
  answer,
  button,
  choose,
  dialog,
  field,
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
  warns,
} from '../support/components/page.ts';
import { open, reload } from '../support/components/render.tsx';
import { customers, fakeSequence, onboarding, PATH, step, written } from '../support/components/sequences.ts';
import { proof } from '../support/proof.ts';

const delays = () => textsOf('ol h3');
/** Without an email, a step is removed at once; while that is not known, its removal is asked about. */
const haveNoEmail = (steps: number) =>
  expect.poll(() => page.getByText('No email yet').elements()).toHaveLength(steps);
const figures = {
  opened: 61,
  clicked: 12,
  conversions: 0,
  unsubscribed: 0,
  value: 40,
  start_date: '',
  end_date: '',
};

it('a new sequence has three steps, whose emails are written one after the other', async () => {
  const { api, router } = open('/automations/sequences/new', {
    ...fakeSequence({ metadata_trigger: null }),
    'POST /api/sequences': Response.json(onboarding, { status: 201 }),
    'GET /api/email-lists/{list}/datetime-metadata-columns': { columns: [], stats: {} },
  });
  await expect.element(field('Name')).toHaveFocus();
  await says(/^It begins with three steps: at once, after 3 days and after 7 days\./);
  await field('Name').fill('Onboarding');
  await press('Create sequence');
  await says('Sequence created: now write its emails.');
  await shows(page.getByText('No email yet').first());
  await says('When a member is added');
  expect(router.state.location.pathname).toBe(PATH);
  expect(api.changes()[0]).toMatchObject({
    body: {
      name: 'Onboarding',
      email_list_ids: [customers.id],
      starts_at: 'added',
      metadata_trigger: null,
      audience: null,
      send_at: null,
      time_zone_of: 'organization',
      days_off: [],
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

proof(
  'the next email is that of a step without one, while the sequence still loads with those before',
  async () => {
    const { api } = open(PATH, fakeSequence());
    await press('Write email: At signed_up');
    api.answer({ 'GET /api/sequences/{sequence}': held<Sequence>().answer });
    await page.getByRole('textbox', { name: 'CTA Text' }).fill('Begin');
    await page.getByRole('textbox', { name: 'CTA URL' }).fill('https://example.com/begin');
    for (const next of ['3 days', '7 days']) {
      await page.getByRole('textbox', { name: 'Subject Line' }).fill(`Before ${next}`);
      await page.getByRole('textbox', { name: 'Pre-CTA Content' }).fill('Hello');
      await pressInDialog('Save and write the next');
      await shows(dialog().getByText(`Write email: ${next} after signed_up`));
    }
    await isGone(button('Save and write the next'));
  },
);

proof('an email that could not be saved before the next one is then saved alone', async () => {
  const answers = fakeSequence();
  const { api } = open(PATH, { ...answers, 'POST /api/email-templates': DOWN });
  await press('Write email: At signed_up');
  for (const [name, text] of [
    ['Subject Line', 'Welcome'],
    ['Pre-CTA Content', 'Hello'],
    ['CTA Text', 'Begin'],
    ['CTA URL', 'https://example.com/begin'],
  ] as const)
    await page.getByRole('textbox', { name }).fill(text);
  await pressInDialog('Save and write the next');
  await warns('Failed to save the email. Please try again.');
  api.answer(answers);
  await dialog().getByRole('button', { name: 'Save', exact: true }).click();
  await leadsTo('Welcome', '/automations/a1');
  await isGone(dialog());
});

it('a step says what it has sent and how many people are before it', async () => {
  const { api } = open(PATH, {
    ...fakeSequence({ active: true }, { a1: 'Welcome', a2: 'Three things' }),
    'GET /api/sequences/{sequence}/people': DOWN,
    'GET /api/reporting/automations': {
      automations: [
        { automation_id: 'a1', sent: 120, ...figures },
        { automation_id: 'a2', ...figures, sent: 0, opened: 0, clicked: 0, value: 0 },
        // Its email is gone.
        { automation_id: 'a3', ...figures, sent: 5, opened: null, clicked: 2, value: null },
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
  await says('12 (10.00%)');
  await says('40.00');
  // Nothing is sent of the second one.
  expect(textsOf('ol dl')).toEqual([
    expect.stringContaining('Sent120'),
    expect.stringMatching(/Sent5.*Not known.*2 \(40\.00%\).*Not known/),
  ]);
  await says(/^What is not known is counted for an email as a whole/);
  await says('How many people are before each step could not be counted.');
  api.answer({
    'GET /api/sequences/{sequence}/people': fakeSequence()['GET /api/sequences/{sequence}/people'],
  });
  await press('Try again');
  await says('Nobody before it');
  await says('24 people before it');
  await isGone(page.getByText('How many people are before each step could not be counted.'));
  await press('Write email: 7 days after signed_up');
  await expect.element(page.getByRole('textbox', { name: 'CTA URL' })).toHaveValue(template.cta_url ?? '');
  await expect.element(page.getByRole('textbox', { name: 'CTA Text' })).toHaveValue(template.cta_text ?? '');
  await isGone(button('Save and write the next'));
  await pressInDialog('Cancel');
  await rowAction('7 days after signed_up', 'Remove step');
  await shows(dialog().getByText('7 days after signed_up: nobody gets this email any more.'));
  expect(api.changes()).toEqual([]);
});

it.each([
  ['About', { sampled: { people: 10_000, of: 45_210, margin: 120 } }],
  ['At least', { counted_share: 0.5 }],
])('where not all members were counted, "%s" is said, and nothing of none', async (word, precision) => {
  open(PATH, {
    ...fakeSequence(),
    'GET /api/sequences/{sequence}/people': {
      steps: [0, 1, 1_200].map((people, at) => ({ automation_id: `a${at + 1}`, people })),
      sampled: null,
      counted_share: 1,
      ...precision,
    },
  });
  await says(`${word} 1 person before it`);
  await says(`${word} 1,200 people before it`);
  await isGone(page.getByText('Nobody before it'));
  const note = page.getByText('Estimated from 10,000 of 45,210 members: a number may be 120 more or less.');
  expect(note.elements()).toHaveLength('sampled' in precision ? 1 : 0);
});

proof(
  'what a step would send is said: one of several, none that is active, or what could not be loaded',
  async () => {
    const several = written('Welcome');
    const [first] = several.templates;
    const off = { ...noContent, templates: first ? [{ ...first, is_active: false }] : [] };
    open(PATH, {
      ...fakeSequence({}, { a1: 'Welcome', a3: 'Last call' }),
      ...noChoices,
      'GET /api/automations/{automation}/preview': refusal(422, 'Nobody is on its lists'),
      'GET /api/automations/{automation}/content': ({ params: { automation: id } }) =>
        id === 'a1'
          ? { ...several, combinations: 2, active: { ...several.active, templates: 2 } }
          : id === 'a2'
            ? off
            : DOWN,
    });
    await says('One of 2 emails, chosen for each person');
    await says('No active email');
    await says('Its email could not be loaded.');
    await isGone(page.getByText('No email yet'));
    // Of several it is not known which one to edit.
    expect(textsOf('ol button').filter(text => /Write|Edit/.test(text))).toEqual(['Write email']);
    await press('Preview email: At signed_up');
    await shows(page.getByRole('dialog', { name: 'Email Preview: At signed_up' }));
    await keys('{Escape}');
    await isGone(dialog());
    for (const when of ['3 days after signed_up', '7 days after signed_up']) {
      await rowAction(when, 'Remove step');
      await shows(dialog().getByText(`${when}: nobody gets this email any more.`));
      await pressInDialog('Cancel');
      await isGone(dialog());
    }
    await rowAction('3 days after signed_up', 'Link content');
    await shows(page.getByRole('dialog', { name: 'Link content: 3 days after signed_up' }));
  },
);

proof('a step that was added though the answer was lost is shown, and not added again', async () => {
  const answers = fakeSequence();
  const store = answers['PUT /api/sequences/{sequence}'] as (asked: object) => unknown;
  open(PATH, {
    ...answers,
    'PUT /api/sequences/{sequence}': asked => {
      store(asked);
      return unreachable();
    },
  });
  await press('+ Add step');
  await pressInDialog('Add step');
  await warns('Failed to add a step. Please try again.');
  await expect.poll(delays).toHaveLength(4);
  await pressInDialog('Add step');
  await says('Another step goes at this time: choose another one');
});

it('a step is added, moved past another one with Undo, and removed; an email is not lost without a question', async () => {
  const { api } = open(PATH, fakeSequence({}, { a1: 'Welcome' }));
  await press('+ Add step');
  await expect.element(field('Days after')).toHaveValue(10);
  await says('Counted from signed_up.');
  for (const [days, error] of [
    ['', 'Value must be a whole number'],
    ['1.5', 'Value must be a whole number'],
    ['-1', 'Value cannot be negative'],
    ['3651', 'Value must be at most 3,650'],
  ] as const) {
    await field('Days after').fill(days);
    await pressInDialog('Add step');
    await says(error);
  }
  await field('Days after').fill('7');
  await pressInDialog('Add step');
  await says('Another step goes at this time: choose another one');
  await field('Days after').fill('9');
  api.answer({ 'PUT /api/sequences/{sequence}': DOWN });
  await pressInDialog('Add step');
  await warns('Failed to add a step. Please try again.');
  api.answer(fakeSequence({}, { a1: 'Welcome' }));
  await answer('Add step');
  await expect.poll(delays).toHaveLength(4);
  await says('36 people before it');
  await press('Change delay: 3 days after signed_up');
  await field('Days after').fill('8');
  await answer('Save');
  const after = (...days: number[]) => ['At signed_up', ...days.map(day => `${day} days after signed_up`)];
  await expect.poll(delays).toEqual(after(7, 8, 9));
  await says('8 days after signed_up: that is when it goes now.');
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
  await haveNoEmail(3);
  await rowAction('9 days after signed_up', 'Remove step');
  await expect.poll(delays).toEqual(after(3, 7));
  await rowAction('At signed_up', 'Remove step');
  await shows(dialog().getByText('At signed_up: nobody gets this email any more.'));
  await answer('Remove step');
  await expect.poll(delays).toEqual(after(3, 7).slice(1));
});

proof(
  'a step is moved from the time at which it goes, and comes back by Undo as it was when it is removed',
  async () => {
    const last = { ...step('a3', 7), name: 'Last_call', delay_minutes: 120, active: false };
    const { api } = open(
      PATH,
      fakeSequence({ steps: [step('a1', 0), { ...step('a2', 3), active: false }, last] }),
    );
    const before = ['At signed_up', '3 days after signed_up', '7 days and 2 hours after signed_up'];
    const inactive = page.getByRole('list', { name: 'Steps' }).getByText('Inactive');
    await expect.poll(() => inactive.elements()).toHaveLength(2);
    await press(`Change delay: ${before[2]}`);
    await expect.element(field('Days after')).toHaveValue(7);
    await expect.element(field('Hours and minutes after')).toHaveValue('02:00');
    await pressInDialog('Cancel');
    await press(`Actions for ${before[2]}`);
    await shows(menuItem('Remove step'));
    const items = ['Change delay', 'Link content', 'Open its details', 'Remove step'];
    expect(textsOf('[role=menuitem]')).toEqual(items);
    await haveNoEmail(3);
    await menuItem('Remove step').click();
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
  },
);

proof(
  'a step is neither removed nor brought back where that fails or sends emails that nobody confirms',
  async () => {
    const { api } = open(PATH, fakeSequence({ active: true }));
    const at = ['At signed_up', '3 days after signed_up', '7 days after signed_up'];
    await haveNoEmail(3);
    api.answer({ 'PUT /api/sequences/{sequence}': refusal(409, 'Another change is under way.') });
    await rowAction(at[2] ?? '', 'Remove step');
    await warns('Another change is under way.');
    expect(delays()).toEqual(at);
    api.answer(fakeSequence({ active: true }));
    await rowAction(at[2] ?? '', 'Remove step');
    await expect.poll(delays).toEqual(at.slice(0, 2));
    const asks = { ...noEffect, existing: 12 };
    api.answer({ 'PUT /api/sequences/{sequence}/dry-run': asks });
    await press('Undo');
    await answer('Cancel');
    await rowAction(at[1] ?? '', 'Remove step');
    await answer('Cancel');
    await press(`Change delay: ${at[1]}`);
    await field('Days after').fill('4');
    await pressInDialog('Save');
    await page.getByRole('dialog', { name: 'Send emails?' }).getByRole('button', { name: 'Cancel' }).click();
    await expect.element(field('Days after')).toHaveValue(4);
    await isGone(page.getByText('Something went wrong. Please try again.'));
    expect(delays()).toEqual(at.slice(0, 2));
    api.answer({ 'PUT /api/sequences/{sequence}/dry-run': noEffect });
    await answer('Save');
    await expect.poll(delays).toEqual([at[0], '4 days after signed_up']);
    api.answer({ 'PUT /api/sequences/{sequence}': refusal(422, 'This is not possible now.') });
    await press('Undo');
    await warns('This is not possible now.');
  },
);

proof('a sequence of 20 steps is full; the next step after a late one is as late as can be', async () => {
  const steps = Array.from({ length: 20 }, (_, day) => step(`a${day + 1}`, day));
  const { api, router } = open(PATH, fakeSequence({ steps }));
  await says('A sequence has at most 20 steps.');
  await expect.element(button('+ Add step')).toBeDisabled();
  api.answer(fakeSequence({ steps: [step('a1', 3_649)], send_at: '09:00', metadata_trigger: null }));
  await reload(router);
  await press('+ Add step');
  await expect.element(field('Days after')).toHaveValue(3_650);
  await says('Counted from when they were added.');
  // The time of day is that of the sequence.
  await isGone(field('Hours and minutes after'));
});

it('the email of a step gets another wording, as a version of its template, and leads back to the sequence', async () => {
  open(PATH, fakeSequence({ active: true }, { a1: 'Welcome', a2: 'Three things', a3: 'How is it going?' }));
  await leadsTo(
    'Edit wording: 3 days after signed_up',
    `/email-templates/${template.id}/wording?sequence=${onboarding.id}`,
  );
});

proof('what others have changed meanwhile stays, and a refused change is explained', async () => {
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
  api.answer({
    ...fakeSequence({ steps: [...onboarding.steps, step('a4', 8)] }),
    'PUT /api/sequences/{sequence}': refusal(409, 'Somebody else has changed it meanwhile.'),
  });
  await pressInDialog('Save');
  await warns('Somebody else has changed it meanwhile.');
  await expect.poll(delays).toContain('8 days after signed_up');
  api.answer(fakeSequence({ steps: onboarding.steps.slice(0, 2) }));
  await pressInDialog('Save');
  await warns('Somebody else has removed this step meanwhile. The steps that are left are shown now.');
  await expect.poll(delays).toEqual(['At signed_up', '3 days after signed_up']);
  api.answer({ 'PUT /api/sequences/{sequence}': DOWN });
  await pressInDialog('Cancel');
  await press('Change delay: 3 days after signed_up');
  await field('Days after').fill('0');
  await field('Hours and minutes after').fill('02:00');
  await pressInDialog('Save');
  await warns('Failed to move the step. Please try again.');
});

it('the page of a sequence says what starts it, who gets it, when, and what keeps it from sending', async () => {
  const { api } = open(
    PATH,
    fakeSequence({
      active: true,
      mails_existing: true,
      starts_at: 'event',
      metadata_trigger: 'ordered',
      email_lists: [],
      audience: { all: [{ field: 'plan', op: 'is', value: 'pro' }] },
      send_at: '09:00',
      days_off: ['sunday'],
      steps: [step('a1', 1)],
    }),
  );
  await says('At the event ordered');
  await says('None');
  expect(textsOf('dd').slice(-1)).toEqual(['Members for whom plan is pro']);
  await says('09:00 in the time zone of the organization (UTC)');
  await says('Sundays');
  await says('Members for whom plan is pro');
  await says(/^The people who were there already are being mailed\./);
  await says('No email list is connected: nothing is sent until there is one.');
  await leadsTo('Connect a list', `${PATH}/edit`);
  await says('Nothing to send: none of its steps has an email yet.');
  await choose('More actions', 'Delete sequence');
  await shows(dialog().getByText(/^Its 1 step is deleted with it/));
  await answer('Cancel');
  expect(api.changes()).toEqual([]);
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
  const { router } = open('/automations?columns=schedule,eligibility', {
    ...fakeSequence({}, { a1: 'Welcome' }),
    'GET /api/automations': [...steps, { ...automation, id: 'a4', name: 'birthday' }],
  });
  const rows = page.getByRole('row');
  await expect.poll(() => rows.elements()).toHaveLength(3);
  await says('3 emails, the last 7 days after signed_up');
  await shows(button('1 of 3 steps'));
  const steps3 = button('3 steps of Onboarding');
  for (const [isOpen, shown] of [
    [true, 6],
    [false, 3],
    [true, 6],
  ] as const) {
    await steps3.click();
    await expect.poll(() => rows.elements()).toHaveLength(shown);
    await expect.element(steps3).toHaveAttribute('aria-expanded', String(isOpen));
  }
  await leadsTo('Onboarding', PATH);
  await leadsTo('Step 2 of Onboarding', '/automations/a2');
  await press('Actions for Onboarding_a2');
  await shows(menuItem('Go to its sequence'));
  expect(textsOf('[role=menuitem]')).toEqual([
    'Simulate sending volume',
    'Link content',
    'Go to its sequence',
  ]);
  await menuItem('Go to its sequence').click();
  await shows(page.getByRole('heading', { name: 'Onboarding' }));
  expect(router.state.location.pathname).toBe(PATH);
});

proof(
  'of a sequence in the table the form opens, and it is deleted after a question that counts its steps',
  async () => {
    const { api, router } = open('/automations', {
      ...fakeSequence({ steps: [step('a1', 0)] }),
      'GET /api/email-lists/{list}/datetime-metadata-columns': { columns: [], stats: {} },
      'DELETE /api/sequences/{sequence}': undefined,
    });
    await says('1 email, at signed_up');
    await rowAction('Onboarding', 'Delete');
    await shows(dialog().getByText(/^Its 1 step is deleted with it/));
    await answer('Cancel');
    await rowAction('Onboarding', 'Edit');
    await shows(page.getByRole('heading', { name: 'Edit sequence' }));
    expect(router.state.location.pathname).toBe(`${PATH}/edit`);
    await router.navigate('/automations');
    await rowAction('Onboarding', 'Delete');
    api.answer({ 'GET /api/sequences': [] });
    await answer('Delete sequence');
    await says("You don't have any automations yet.");
    expect(api.changes().map(({ call }) => call)).toEqual(['DELETE /api/sequences/s1']);
  },
);

proof('a sequence without steps is not called eligible, and its first step goes at once', async () => {
  const { api, router } = open('/automations', fakeSequence({ steps: [] }));
  await shows(page.getByRole('gridcell', { name: 'Not ready: nothing to send' }));
  await router.navigate(PATH);
  await says(/^Each step is an email, a number of days after the sequence has started for a person\.$/);
  await press('+ Add step');
  await expect.element(field('Days after')).toHaveValue(0);
  expect(api.count('GET /api/sequences/s1/people')).toBe(0);
});

proof('the page of a step leads to its sequence, which switches, changes and deletes it', async () => {
  open('/automations/a2/edit', {
    ...fakeSequence(),
    'GET /api/automations/{automation}': { ...automation, id: 'a2', name: 'Onboarding_2', sequence_id: 's1' },
    'GET /api/automations/{automation}/forecast': {
      days: [],
      total_count: 0,
      next_at: null,
      sampled: null,
      counted_share: 1,
    },
  });
  await shows(page.getByRole('heading', { name: 'Onboarding' }));
  await rowAction('3 days after signed_up', 'Open its details');
  await says('This is a step of the sequence Onboarding: its lists, its schedule and its switch are there.');
  await leadsTo('Open the sequence', PATH);
  await press('More actions');
  await expect.poll(() => textsOf('[role=menuitem]')).toEqual(['Simulate', 'Go to its sequence']);
});

it('a sequence is switched, and deleted after a question', async () => {
  const { api, router } = open(PATH, { ...fakeSequence(), 'DELETE /api/sequences/{sequence}': undefined });
  api.answer({ 'PUT /api/sequences/{sequence}/dry-run': { ...noEffect, existing: 12 } });
  await press('Activate');
  await dialog().getByText('Also 12 people whose first email would have been due already').click();
  await answer('Activate and send');
  await says('Onboarding is active.');
  expect(api.changes().at(-1)?.body).toEqual({ active: true, include_existing: true });
  await says('Not ready: nothing to send');
  const settings = ['At signed_up', 'Customers'];
  await expect.poll(() => textsOf('dd').slice(0, 2)).toEqual(settings);
  api.answer({ 'PUT /api/sequences/{sequence}/dry-run': noEffect });
  await press('Deactivate');
  await says('Onboarding is inactive: it sends nothing.');
  await choose('More actions', 'Delete sequence');
  await shows(dialog().getByText(/Its 3 steps are deleted with it/));
  await pressInDialog('Delete sequence');
  await says('Onboarding was deleted.');
  expect(api.changes().at(-1)?.call).toBe('DELETE /api/sequences/s1');
  expect(router.state.location.pathname).toBe('/automations');
});

it('a viewer sees a sequence and changes nothing', async () => {
  open(PATH, { ...fakeSequence(), 'GET /api/organizations': [{ ...organization, role: 'VIEWER' }] });
  await says('7 days after signed_up');
  for (const name of ['Activate', '+ Add step', 'More actions']) await isGone(button(name));
  expect(textsOf('main button').filter(text => /Write|Change/.test(text))).toEqual([]);
  await press('Actions for 7 days after signed_up');
  await expect.poll(() => textsOf('[role=menuitem]')).toEqual(['Open its details']);
});
