import { expect, it, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { Automation } from '#shared/automation.ts';
import { midnightText } from '#web/lib/format.ts';
import { type Answers, DOWN, held, refusal } from '../support/components/api.ts';
import { automation, list, noChoices, noForecast } from '../support/components/examples.ts';
import {
  answer,
  button,
  choose,
  field,
  heading,
  isGone,
  keys,
  leadsTo,
  press,
  says,
  shows,
  warns,
} from '../support/components/page.ts';
import { open, show } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

const one = { ...list, id: 'a00000000000' };
const others = ['Readers', 'Empty'].map((name, index) => ({ ...list, id: `b0000000000${index}`, name }));
const [readers] = others;
const stats: Record<string, Record<string, number>> = {
  [one.id]: { trial_ends: 2 },
  [readers?.id ?? '']: { born: 1, trial_ends: 1 },
};
const withLists: Answers = {
  ...noChoices,
  'GET /api/automations': [automation],
  'GET /api/email-lists': [one, ...others],
  'GET /api/email-lists/{list}/datetime-metadata-columns': ({ params }) => {
    const found = stats[params.list] ?? {};
    return { columns: Object.keys(found), stats: found };
  },
};

const often = (choice: string) => field('How often?').selectOptions(choice);
const start = () => field('What starts it?');
const trigger = () => field('Trigger Column');
const box = (name: string) => page.getByRole('checkbox', { name: new RegExp(`^${name}`) });
const sends = (kind: string, nth: string) =>
  page.getByRole('group', { name: new RegExp(`^${kind} send`) }).getByLabelText(nth);

it('an automation is not created until nothing is wrong with it any more', async () => {
  const { api, router } = open('/automations/new', { ...withLists, 'POST /api/automations': automation });
  await says('Only letters, numbers, and underscores allowed');
  await says('Please select at least one email list to see available trigger columns.');
  await expect.element(trigger()).toBeDisabled();
  await expect.element(field('Name')).toHaveFocus();
  await press('Save Automation');
  await says('Name is required');
  await says('Choose how often');
  await expect.element(field('Run every X days')).not.toBeInTheDocument();
  await often('Every X days');

  await box('Empty').click();
  await says(/^No datetime metadata columns found in the selected lists\. Add datetime metadata to list/);
  await expect.element(start()).toHaveDisplayValue('When they were added');
  const date = page.getByRole('option', { name: 'A date' });
  await expect.element(date).toBeDisabled();
  await box('Customers').click();
  await expect.element(date).toBeEnabled();
  const hint = 'The date of each member that the days are counted from.';
  await says(`${hint} A date without a time counts from ${midnightText()}.`);
  await box('Empty').click();
  await press('Save Automation');
  await says('Please select a trigger column');
  const refused = page.getByText('Please select a trigger column');
  await box('Readers').click();
  await isGone(refused);
  await box('Readers').click();

  await trigger().selectOptions('trial_ends (2 members, in 1 of 1 list)');
  await box('Readers').click();
  await expect.element(trigger()).toHaveValue('');
  await trigger().selectOptions('trial_ends (3 members, in 2 of 2 lists)');
  // Spaces become underscores while they are typed.
  await field('Name').fill('win back');
  await field('Run every X days').fill('7');
  await field('Start after X days').fill('3');
  await field('Stop sending after X days').fill('2');
  await says('No email is ever sent: sending stops before it starts.');
  await field('Stop sending after X days').fill('');
  const words =
    'Each person gets an email every 7 days, from 3 days after trial_ends on, without an end: about 4 a month.';
  await says(`${words} In the next 30 days: 42 emails, once it has content.`);
  await sends('Triple', '2nd').click();
  await expect.element(sends('Double', '2nd')).toBeDisabled();
  await sends('Triple', '2nd').click();
  await sends('Double', '2nd').click();
  await expect.element(sends('Triple', '2nd')).toBeDisabled();
  expect(api.changes()).toEqual([]);
  await press('Save Automation');
  await says('Automation created.');
  await expect.poll(() => router.state.location.pathname).toBe('/automations');
  // Another list is one more request.
  for (const { id } of [one, ...others])
    expect(api.count(`GET /api/email-lists/${id}/datetime-metadata-columns`)).toBe(1);
  expect(api.changes()).toMatchObject([
    {
      body: {
        name: 'win_back',
        active: true,
        repeat: 'days',
        every_x_days: 7,
        delay_days: 3,
        stop_after_days: null,
        starts_at: 'date',
        metadata_trigger: 'trial_ends',
        double_send_second: true,
        triple_send_second: false,
        email_list_ids: [one.id, readers?.id],
      },
    },
  ]);
});

it('a form that is saved before the columns of its lists have loaded says to wait for them', async () => {
  const columns = held<{ columns: string[]; stats: Record<string, number> }>();
  const { api } = open('/automations/new', {
    ...withLists,
    'GET /api/email-lists/{list}/datetime-metadata-columns': columns.answer,
  });
  await field('Name').fill('welcome');
  await often('Once');
  await box('Customers').click();
  await press('Save Automation');
  await says('The trigger columns are still loading. Please save again in a moment.');
  columns.release({ columns: ['born'], stats: { born: 1 } });
  await trigger().selectOptions('born (1 member, in 1 of 1 list)');
  await isGone(page.getByText(/still loading/));
  expect(api.changes()).toEqual([]);
});

it('an automation that mails once is asked after how many days, hours and minutes, and nothing that has no effect', async () => {
  const { api } = open('/automations/new', { ...withLists, 'POST /api/automations': automation });
  await field('Name').fill('welcome');
  await often('Every X days');
  await field('Run every X days').fill('0');
  await field('Stop sending after X days').fill('2');
  await often('Once');
  await says(/^Once per date: a date on another day starts it anew/);
  await expect.element(field('Stop sending after X days')).not.toBeInTheDocument();
  await field('Days after').fill('1');
  await field('Hours and minutes after').fill('25:00');
  await press('Save Automation');
  await says('Enter hours and minutes from 00:00 to 23:59');
  await field('Hours and minutes after').fill('2:30');
  await says('Each person gets 1 email, 1 day, 2 hours and 30 minutes after the trigger date.');
  await press('Save Automation');
  await expect
    .poll(() => api.changes().map(({ body }) => body))
    .toMatchObject([
      { repeat: 'once', every_x_days: 1, stop_after_days: null, delay_days: 1, delay_minutes: 150 },
    ]);
});

it('a yearly automation goes before or after the anniversary, at a time of day without hours and minutes', async () => {
  const dated = { starts_at: 'date' as const, metadata_trigger: 'trial_ends' };
  const stored = { ...automation, email_lists: [one], ...dated, delay_minutes: 90 };
  const { api } = open('/automations/a1/edit', {
    ...withLists,
    'GET /api/automations/{automation}': { ...stored, repeat: 'yearly', delay_days: -3 },
    'PUT /api/automations/{automation}': stored,
  });
  await expect.element(field('Days before')).toHaveValue(3);
  await expect.element(field('Hours and minutes after')).toHaveValue('01:30');
  const midnight = page.getByText(/A date without a time counts from/);
  await expect.element(midnight).toBeVisible();
  await field('Time of day').selectOptions('At a fixed time');
  await expect.element(field('Hours and minutes after')).not.toBeInTheDocument();
  await isGone(midnight);
  await field('Days before').fill('');
  await press('Save Automation');
  await says('Value must be a whole number');
  await field('Days before').fill('31');
  await says('Value cannot be below −30, or negative unless yearly');
  await field('Before or after').selectOptions('After the anniversary');
  await says(/^Each person gets an email each year, 31 days after trial_ends at 09:00/);
  await says('0 is the day itself; at most 365.');
  // The side says which it is, whatever sign is typed.
  await field('Days after').fill('-7');
  await expect.element(field('Days after')).toHaveValue(7);
  await says(/^Each person gets an email each year, 7 days after trial_ends at 09:00/);
  await often('Every X days');
  await field('Run every X days').fill('0');
  await often('Every year');
  await field('Before or after').selectOptions('Before the anniversary');
  await field('Days before').fill('5');
  await press('Save Automation');
  await expect
    .poll(() => api.changes().map(({ body }) => body))
    .toEqual([{ delay_days: -5, delay_minutes: 0, send_at: '09:00' }]);
});

it('an automation starts at an event: one that came, with when, or one with another name that may come', async () => {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000 - 1_000).toISOString();
  const { api } = open('/automations/a1/edit', {
    ...withLists,
    'GET /api/events': [
      { event: 'ordered', last_at: ago(5) },
      { event: 'paid', last_at: ago(3 * 60) },
    ],
    'GET /api/automations/{automation}': { ...automation, email_lists: [one], repeat: 'once' },
    'PUT /api/automations/{automation}': automation,
  });
  await start().selectOptions('An event');
  await says(/Within a day one person gets one email, however many events\.$/);
  await says('Each person gets 1 email, at the event.');
  await press('Save Automation');
  await says('Choose the event that starts it, or enter its name');
  await expect.element(field('Event')).toHaveFocus();
  await start().selectOptions('A date');
  await expect.element(trigger()).toBeEnabled();
  await isGone(page.getByText('Choose the event that starts it, or enter its name'));
  await start().selectOptions('An event');
  await field('Event').selectOptions('ordered · last 5 minutes ago');
  await says(/^Each person gets 1 email, at ordered\./);
  // An event is of no list, so it stays.
  await box('Readers').click();
  // The lists are sent in one order, whichever was chosen last.
  for (const isChosen of [false, true]) {
    await box('Customers').click();
    await expect.poll(() => (box('Customers').element() as HTMLInputElement).checked).toBe(isChosen);
  }
  await expect.element(field('Event')).toHaveDisplayValue('ordered · last 5 minutes ago');
  await field('Event').selectOptions('Another name…');
  await field('Name of the event').fill('paid');
  await says('It came last 3 hours ago.');
  await field('Name of the event').fill('paid twice');
  await says('No event with this name came yet; it will start with the first.');
  await press('Save Automation');
  await expect
    .poll(() => api.changes().map(({ body }) => body))
    .toEqual([{ starts_at: 'event', metadata_trigger: 'paid twice', email_list_ids: [one.id, readers?.id] }]);
});

proof(
  'where no event came yet, or the names cannot be read, a name is typed; a stored one is shown',
  async () => {
    const stored = { ...automation, starts_at: 'event' as const, metadata_trigger: 'ordered' };
    open('/automations/a1/edit', {
      ...withLists,
      'GET /api/events': DOWN,
      'GET /api/automations/{automation}': stored,
    });
    await expect.element(field('Name of the event')).toHaveValue('ordered');
    await field('Name of the event').fill('');
    await says('As your program sends it, such as ordered.');
    await press('Save Automation');
    await says('Choose the event that starts it, or enter its name');
    await expect.element(field('Name of the event')).toHaveFocus();
    await start().selectOptions('When they were added');
    await expect.element(field('Name of the event')).not.toBeInTheDocument();
  },
);

it('an event that has not come yet is shown beside those that came', async () => {
  open('/automations/a1/edit', {
    ...withLists,
    'GET /api/events': [{ event: 'paid', last_at: '2026-01-05T08:00:00Z' }],
    'GET /api/automations/{automation}': {
      ...automation,
      starts_at: 'event' as const,
      metadata_trigger: 'ordered',
    },
  });
  await expect.element(field('Event')).toHaveDisplayValue('Another name…');
  await expect.element(field('Name of the event')).toHaveValue('ordered');
  await says('No event with this name came yet; it will start with the first.');
});

proof(
  'a stored date is shown where no member of its list has one any more, and is given up with the list',
  async () => {
    const { api } = open('/automations/a1/edit', {
      ...withLists,
      'GET /api/email-lists/{list}/datetime-metadata-columns': { columns: [], stats: {} },
      'GET /api/automations/{automation}': {
        ...automation,
        email_lists: [one],
        starts_at: 'date',
        metadata_trigger: 'born',
      },
      'PUT /api/automations/{automation}': automation,
    });
    await says(/^No datetime metadata columns found in the selected lists\./);
    await expect.element(start()).toHaveDisplayValue('A date');
    await expect.element(trigger()).toHaveValue('born');
    await box('Customers').click();
    await box('Empty').click();
    await expect.element(start()).toHaveDisplayValue('When they were added');
    await press('Save Automation');
    await expect
      .poll(() => api.changes().map(({ body }) => body))
      .toEqual([{ email_list_ids: [others[1]?.id], metadata_trigger: null }]);
  },
);

proof('dates that could not be asked for are asked for again with those of the next list', async () => {
  const { api } = open('/automations/new', {
    ...withLists,
    'GET /api/email-lists/{list}/datetime-metadata-columns': DOWN,
  });
  await box('Customers').click();
  await warns('Failed to fetch datetime columns. Please try again.');
  api.answer(withLists);
  await box('Readers').click();
  await trigger().selectOptions('trial_ends (3 members, in 2 of 2 lists)');
});

proof('days before an anniversary are days after the date where an automation mails once', async () => {
  const { api } = open('/automations/a1/edit', {
    ...withLists,
    'GET /api/automations/{automation}': { ...automation, repeat: 'yearly', delay_days: -3 },
    'PUT /api/automations/{automation}': automation,
  });
  await expect.element(field('Days before')).toHaveValue(3);
  await often('Once');
  await expect.element(field('Days after')).toHaveValue(3);
  await press('Save Automation');
  await expect.poll(() => api.changes().map(({ body }) => body)).toEqual([{ repeat: 'once', delay_days: 3 }]);
  // It is on no list, so nobody would get it.
  expect(api.count('POST /api/automations/forecast')).toBe(0);
});

proof('without lists one is offered to be created', async () => {
  open('/automations/new', { ...noChoices, 'GET /api/email-lists': [] });
  await page.getByRole('link', { name: 'Create list' }).click();
  await expect.element(heading('Create list')).toBeVisible();
});

proof('lists say whether they are inactive, and that they are more than can be connected', async () => {
  const many = Array.from({ length: 51 }, (_, at) => ({
    ...list,
    id: String(100_000_000_000 + at),
    name: `List ${at}`,
    active: at > 0,
  }));
  open('/automations/new', { ...withLists, 'GET /api/email-lists': many });
  await press('Select All');
  await warns('At most 50 email lists can be connected');
  await field('Search email lists').fill(' 0');
  await shows(page.getByRole('option', { name: `List 0 ${list.domain}, inactive` }));
  await keys('{Enter}');
  await says('50 email list(s) selected');
  await isGone(page.getByText('At most 50 email lists can be connected'));
});

it('an automation is edited: what is stored is shown, and what has changed is sent', async () => {
  const { answer: saved, release } = held<Automation>();
  const stored = { ...automation, email_lists: [one], stop_after_days: 30 };
  const { api } = open('/automations/a1/edit', {
    ...withLists,
    'GET /api/automations/{automation}': stored,
    'PUT /api/automations/{automation}': saved,
    'POST /api/automations/forecast': ({ query }) => ({
      days: [],
      // In place of what is stored, not beside it.
      total_count: query.get('automation') === 'a1' ? 7 : 0,
      next_at: null,
      sampled: { people: 10_000, of: 45_210, margin: 2 },
      counted_share: 1,
    }),
  });
  await says(/ In the next 30 days: about 7 emails, once it has content\.$/);
  const skipped = page.getByText(/Emails that are due until then are skipped/);
  await expect.element(skipped).toBeVisible();
  await leadsTo('+ New asset set', '/email-assets/new-set?automation=a1');
  await leadsTo('Back to Automations', '/automations');
  await expect.element(heading('Edit Automation')).toBeVisible();
  await expect.element(start()).toHaveDisplayValue('When they were added');
  await expect.element(field('Stop sending after X days')).toHaveValue(30);
  await start().selectOptions('A date');
  await trigger().selectOptions('trial_ends (2 members, in 1 of 1 list)');
  await field('Stop sending after X days').fill('');
  await box('Active').click();
  await expect.element(skipped).not.toBeInTheDocument();
  await page.getByRole('link', { name: 'Back to Automations' }).click();
  await answer('Keep editing');
  await press('Save Automation');
  await expect.element(button('Saving...')).toBeVisible();
  await expect
    .poll(() => api.changes().map(({ body }) => body))
    .toEqual([{ active: false, stop_after_days: null, starts_at: 'date', metadata_trigger: 'trial_ends' }]);
  release({ ...stored, active: false });
  await says('Automation saved.');
  await expect.element(heading('Automations')).toBeVisible();
});

proof(
  'an edited automation that has content is left by Cancel to where one came from; none is asked for',
  async () => {
    const email_eligibility = { ...automation.email_eligibility, is_eligible: true };
    const { router } = open('/automations/a1', {
      ...withLists,
      'GET /api/automations/{automation}': { ...automation, email_lists: [one], email_eligibility },
      'GET /api/automations/{automation}/forecast': noForecast,
      'POST /api/automations/forecast': { ...noForecast, total_count: 1, counted_share: 0.5 },
    });
    await choose('More actions', 'Edit Automation');
    await says(/ In the next 30 days: at least 1 email\.$/);
    await leadsTo('+ New Email Asset', '/email-assets/new?automation=a1');
    await leadsTo('+ New Email Template', '/email-templates/new?automation=a1');
    await expect.element(page.getByText(/^Nothing to send/)).not.toBeInTheDocument();
    await press('Cancel');
    await expect.poll(() => router.state.location.pathname).toBe('/automations/a1');
    show('/automations/a1/edit');
    await press('Cancel');
    await expect.element(heading('Automations')).toBeVisible();
  },
);

it('what fails is said where it failed, and nothing that was entered is lost', async () => {
  const { api, router } = open('/automations/a1/edit', {
    ...noChoices,
    'GET /api/email-lists': DOWN,
    'GET /api/email-lists/{list}/datetime-metadata-columns': DOWN,
    'GET /api/automations/{automation}': {
      ...automation,
      ...(readers && { email_lists: [readers] }),
      starts_at: 'date',
      metadata_trigger: 'born',
    },
    'PUT /api/automations/{automation}': DOWN,
  });
  await warns('Failed to fetch email lists. Please try again.');
  await warns('Failed to fetch datetime columns. Please try again.');
  await expect.element(trigger()).toHaveValue('born');
  api.answer(withLists);
  await button('Try again').last().click();
  await expect.element(trigger()).toHaveDisplayValue('born (1 member, in 1 of 1 list)');
  await expect.element(trigger()).toHaveFocus();
  await press('Try again');
  // The one that it has is the first.
  await expect
    .poll(() => page.getByRole('group', { name: 'Email Lists' }).element().textContent)
    .toMatch(/Readers.*Customers.*Empty/);
  await field('Name').fill('renamed');
  await press('Save Automation');
  await warns('Failed to save automation. Please try again.');
  api.answer({ 'PUT /api/automations/{automation}': refusal(422, 'This is not possible now.') });
  await press('Save Automation');
  await warns('This is not possible now.');
  const errors = { name: ['The name is taken', 'Another text'], triple_send_second: ['Not both'] };
  api.answer({ 'PUT /api/automations/{automation}': refusal(422, 'Invalid', errors) });
  await press('Save Automation');
  await warns('The name is taken');
  await expect.element(sends('Triple', '2nd')).toHaveAccessibleDescription('Not both');
  await expect.element(field('Name')).toHaveValue('renamed');
  expect(router.state.location.pathname).toBe('/automations/a1/edit');
  const gone = refusal(404, 'Automation not found');
  api.answer({ 'GET /api/automations/{automation}': gone, 'PUT /api/automations/{automation}': gone });
  await press('Save Automation');
  await leadsTo('Back to Automations', '/automations');
  await isGone(field('Name'));
});

proof('a list that was deleted meanwhile is no longer chosen', async () => {
  const { api } = open('/automations/new', {
    ...withLists,
    'GET /api/email-lists/{list}/datetime-metadata-columns': refusal(404, 'Not found'),
  });
  await field('Name').fill('too_late');
  await often('Once');
  await box('Empty').click();
  await says(/^No datetime metadata columns found in the selected lists\./);
  const message = 'One of the email lists does not exist any more';
  api.answer({
    'GET /api/email-lists': [one],
    'POST /api/automations': refusal(422, 'Invalid', { email_list_ids: [message] }),
  });
  await press('Save Automation');
  await warns(message);
  await says('0 email list(s) selected');
  api.answer({ 'POST /api/automations': automation });
  await press('Save Automation');
  await expect.element(heading('Automations')).toBeVisible();
  expect(api.changes().at(-1)?.body).toMatchObject({ email_list_ids: [] });
});

proof('a list that was created just now is chosen, though what home has loaded before lacks it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { api, router } = open('/', { ...withLists, 'GET /api/email-lists': [] });
  await says('No email lists yet');
  // Before, SWR takes the answer for a new one.
  await vi.advanceTimersByTimeAsync(2_000);
  vi.useRealTimers();
  api.answer({ 'GET /api/email-lists': [one] });
  await router.navigate(`/automations/new?list=${one.id}`);
  await expect.element(box('Customers')).toBeChecked();
  await says('1 email list(s) selected');
  await expect.element(trigger()).toBeEnabled();
});

async function saveRefused(errors: Record<string, string[]>) {
  open('/automations/new', {
    ...noChoices,
    'GET /api/email-lists': [one],
    'GET /api/email-lists/{list}/datetime-metadata-columns': { columns: [], stats: {} },
    'POST /api/automations': refusal(422, 'Invalid', errors),
  });
  await field('Name').fill('welcome');
  await often('Once');
  await field('Customers example.com').click();
  await says(/^No datetime metadata columns found in the selected lists\./);
  await press('Save Automation');
}

proof('an error at the lists describes them, and the focus goes to the first one', async () => {
  await saveRefused({ email_list_ids: ['One of the email lists does not exist any more'] });
  await expect
    .element(page.getByRole('group', { name: 'Email Lists' }))
    .toHaveAccessibleDescription('One of the email lists does not exist any more');
  await expect.element(field('Customers example.com')).toHaveFocus();
});
