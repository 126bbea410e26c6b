import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { EmailList } from '#shared/list.ts';
import { formatMoment } from '#web/lib/format.ts';
import { type Answers, DOWN, held, refusal } from '../support/components/api.ts';
import { depot, keyedList, list, noChoices, organization } from '../support/components/examples.ts';
import { fakeMembers, memberImport } from '../support/components/members.ts';
import {
  answer,
  button,
  checkbox,
  dialog,
  field,
  focus,
  isGone,
  keys,
  leadsTo,
  link,
  menuItem,
  press,
  pressInDialog,
  rowAction,
  says,
  shows,
  textsOf,
} from '../support/components/page.ts';
import { open, reload } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

const ONE = 'GET /api/email-lists/{list}';
const PUT = 'PUT /api/email-lists/{list}';
const DELETE = 'DELETE /api/email-lists/{list}';
const openLists = (lists: EmailList[], answers: Answers = {}) =>
  open('/email-lists', { 'GET /api/email-lists': lists, ...answers });
const openForm = (one: EmailList = list, answers: Answers = {}) =>
  open('/email-lists/l1/edit', { [ONE]: one, 'GET /api/email-lists': [one], ...answers });
const row = (name: string) => page.getByRole('row').filter({ hasText: name });
const topOf = (text: string) =>
  page.getByText(text).last().element().getBoundingClientRect().y + window.scrollY;

async function fillIn() {
  await field('Name').fill('Customers');
  await field('Domain').fill('example.com');
  await field('Sender name').fill('The shop');
}

it('a table says what was not done when the server does not answer, and shows what is stored', async () => {
  openLists([list], { [PUT]: DOWN, [DELETE]: DOWN });
  await rowAction('Customers', 'Deactivate');
  await says('Failed to update list. Please try again');
  await shows(row('Customers').getByText('Active'));
  await rowAction('Customers', 'Delete');
  await field('Type “Customers” to confirm').fill('Customers');
  const places = () => ['Delete Customers?', 'Delete list', 'Cancel'].map(topOf);
  const before = places();
  await press('Delete list');
  await shows(dialog().getByText('Failed to delete list. Please try again'));
  expect(places()).toEqual(before);
  await answer('Cancel');
});

it('the table of lists says what is missing in each, and whether nothing is found', async () => {
  const tested = (connection_valid: boolean | null) => ({
    ...keyedList,
    mailgun_connection_status: { last_tested_at: null, connection_valid },
  });
  const { router } = openLists([
    { ...list, id: 'a', name: 'A', domain: 'z.example' },
    { ...tested(null), id: 'b', name: 'B', domain: 'y.example' },
    { ...tested(true), id: 'c', name: 'C', domain: 'x.example', members_count: 1_204, active: false },
    { ...tested(false), id: 'd', name: 'D', domain: 'w.example' },
  ]);
  const rows = () => textsOf('tbody tr').map(text => text?.replace(/Actions.*$/, ''));
  await expect
    .poll(rows)
    .toEqual([
      'Az.exampleNot Set0Active',
      'By.exampleSetNot Tested0Active',
      'Cx.exampleSetValid1,204Inactive',
      'Dw.exampleSetInvalid0Active',
    ]);
  await page.getByRole('columnheader').getByRole('button', { name: 'Members' }).click();
  await expect.poll(() => rows()[0]?.[0]).toBe('C');
  await page.getByRole('columnheader').getByRole('button', { name: 'Domain' }).click();
  await expect.poll(() => rows().map(text => text?.[0])).toEqual(['D', 'C', 'B', 'A']);
  expect(router.state.location.search).toBe('?sort=domain&direction=asc');
  await field('Search lists').fill(' shop ');
  await says('No list has “shop” in its name or domain.');
  await field('Search lists').fill('Y.EX');
  await says('1 of 4 lists matches');
});

proof('a table without rows has neither a search nor a header', async () => {
  openLists([]);
  await says('No email lists yet');
  expect(document.querySelector('main :is(thead, input)')).toBeNull();
});

proof('a row whose action is running says so, keeps the focus, and does nothing meanwhile', async () => {
  const { answer: saved, release } = held<EmailList>();
  const { api } = openLists([list], { [PUT]: saved });
  await rowAction('Customers', 'Deactivate');
  const menu = button('Actions for Customers');
  await expect.element(menu).toHaveAttribute('aria-busy', 'true');
  await expect.element(menu).toHaveFocus();
  await menu.click({ force: true });
  await isGone(page.getByRole('menu'));
  release({ ...list, active: false });
  await expect.element(menu).toHaveAttribute('aria-busy', 'false');
  expect(api.changes()).toHaveLength(1);
});

it('a list is deleted by what one reads of its name, also if somebody else has deleted it', async () => {
  const read = `${'long'.repeat(20)} name`;
  const { api } = openLists([{ ...list, name: `${'long'.repeat(20)}  name` }]);
  await rowAction(read, 'Delete');
  await dialog().getByRole('textbox').fill(read);
  const { scrollWidth, clientWidth } = dialog().element();
  expect(scrollWidth).toBe(clientWidth);
  api.answer({ [DELETE]: refusal(404, 'Email list not found'), 'GET /api/email-lists': [] });
  const before = api.count('GET /api/email-lists');
  await keys('{Enter}');
  await says('No email lists yet');
  expect(api.changes()).toMatchObject([{ call: 'DELETE /api/email-lists/l1' }]);
  expect(api.count('GET /api/email-lists')).toBe(before + 1);
});

proof('nothing in a form moves when a field is left empty, or when saving fails', async () => {
  open('/email-lists/new', { 'POST /api/email-lists': DOWN });
  const places = () => ['Name', 'Sender name', 'Unsubscribe text', 'Create list', 'Cancel'].map(topOf);
  await shows(button('Create list'));
  const before = places();
  await focus(field('Name'));
  await keys('{Tab}');
  await says('List name is required');
  expect(places()).toEqual(before);
  await fillIn();
  await press('Create list');
  await says('Error creating email list');
  expect(places()).toEqual(before);
});

it('a sender at the domain is proposed, until another one is typed', async () => {
  open('/email-lists/new', {});
  await field('Domain').fill('example');
  await field('Sender name').fill('The shop');
  await expect.element(field('Sender email address')).toHaveValue('');
  await field('Domain').fill('mail.example.com');
  await expect.element(field('Sender email address')).toHaveValue('hello@mail.example.com');
  await field('Domain').fill('example.com');
  await expect.element(field('Sender email address')).toHaveValue('hello@example.com');
  await field('Sender email address').fill('news@example.com');
  await field('Domain').fill('example.org');
  await says('Email domain must match the list domain (example.org)');
  await expect.element(field('Sender email address')).toHaveValue('news@example.com');
});

proof('a warm-up is proposed for a domain that no list sends from, until it is chosen', async () => {
  openLists([list]);
  await link('Create list').click();
  const warmUp = field('Warm-up');
  // The table of the page before has a column of the same name as the field.
  await shows(warmUp);
  const proposedFor = async (domain: string, value: string) => {
    await field('Domain').fill(domain);
    await expect.element(warmUp).toHaveValue(value);
  };
  await proposedFor(list.domain, 'off');
  await focus(field('Sender name'));
  await proposedFor('other.example', 'on');
  await focus(warmUp);
  await warmUp.selectOptions('Off');
  await proposedFor(list.domain, 'off');
  await proposedFor('other.example', 'off');
});

proof('somebody who leaves a form while it is saved is not taken along to what was created', async () => {
  const { answer: created, release } = held<EmailList>();
  const { api, router } = open('/email-lists/new', {
    'GET /api/organizations': [organization, depot],
    'GET /api/email-lists': [],
    'POST /api/email-lists': created,
  });
  await fillIn();
  await press('Create list');
  await press(`Active organization: ${organization.name}`);
  await menuItem('Depot').click();
  await press('Leave');
  await shows(button('Active organization: Depot'));
  release(list);
  await says('List created.');
  expect(router.state.location.pathname).toBe('/email-lists/new');
  expect(router.state.navigation.state).toBe('idle');
  expect(api.changes()).toHaveLength(1);
});

it('a list is created with all that its form has, and its page is shown in place of the form', async () => {
  const { api, router } = open('/email-lists/new', {
    ...fakeMembers([]).answers,
    'POST /api/email-lists': refusal(422, 'Invalid', { domain: ['This domain is taken'] }),
  });
  await expect.element(field('Name').first()).toHaveFocus();
  await field('Domain').fill('Example.com ');
  await field('Name').first().fill('Customers');
  await field('Sender name').fill('The shop');
  await field('Provider').selectOptions('Amazon SES');
  await field('Unsubscribe text').selectOptions('Abbestellen — German');
  await checkbox('Active').click({ force: true });
  await press('Create list');
  await expect.element(field('Domain')).toHaveAccessibleErrorMessage('This domain is taken');
  await field('Domain').fill('example.com');
  api.answer({ 'POST /api/email-lists': list });
  await press('Create list');
  await says('List created.');
  await expect.poll(() => router.state.location.pathname).toBe('/email-lists/l1');
  expect(router.state.historyAction).toBe('REPLACE');
  expect(api.changes().at(-1)?.body).toEqual({
    name: 'Customers',
    public_name: null,
    domain: 'example.com',
    sender_name: 'The shop',
    sender_address: 'hello@example.com',
    reply_to: null,
    provider: 'ses',
    second_provider: null,
    warm_up: 'on',
    unsubscribe_text: 'Abbestellen',
    time_zone: null,
    active: false,
  });
});

it('the form of a list sends what was changed, and shows what somebody else changed meanwhile', async () => {
  const { api } = openForm({ ...list, public_name: 'News' });
  await press('Save');
  await says('Nothing has changed.');
  expect(api.changes()).toEqual([]);
  await field('Name').first().fill('Summer customers');
  await field('Public name').fill('');
  const changed = { ...list, name: 'Summer customers', active: false, sender_name: 'The other shop' };
  api.answer({ [PUT]: changed, [ONE]: changed });
  await press('Save');
  await says('List saved.');
  const body = { name: 'Summer customers', public_name: null };
  expect(api.changes()).toEqual([{ call: 'PUT /api/email-lists/l1', body }]);
  await expect.element(field('Sender name')).toHaveValue('The other shop');
  await expect.element(checkbox('Active')).not.toBeChecked();
});

it('a warm-up is ended once that is confirmed', async () => {
  const { api } = openForm({ ...list, warm_up: 'on' }, { [PUT]: { ...list, warm_up: 'off' } });
  await field('Warm-up').selectOptions('Off');
  await press('Save');
  await shows(page.getByText(/^The list then sends all its emails at once/));
  expect(api.changes()).toEqual([]);
  await answer('End the warm-up');
  await says('List saved.');
  expect(api.changes().map(({ body }) => body)).toEqual([{ warm_up: 'off' }]);
});

proof('a list has a time zone of its own, or goes by that of the organization', async () => {
  const { api } = openForm(
    { ...list, time_zone: 'Asia/Tokyo' },
    { 'GET /api/sending-hours': { time_zone: 'Europe/Berlin', quiet_hours: [] }, [PUT]: list },
  );
  await page.getByRole('button', { name: /^Time zone Asia\/Tokyo \(UTC\+9\)$/ }).click();
  await page.getByRole('option', { name: /^Same as the organization/ }).click();
  await shows(button('Time zone Same as the organization (Europe/Berlin)'));
  await press('Save');
  await expect.poll(() => api.changes().at(-1)?.body).toEqual({ time_zone: null });
});

proof(
  'the logo of a list is a JPEG or PNG, and its form is not left with one that is not saved',
  async () => {
    openForm();
    const choose = (type: string, content: BlobPart) =>
      field('Choose a logo').upload(new File([content], 'logo', { type }));
    await choose('image/gif', 'GIF89a');
    await says('Only JPEG and PNG images are allowed');
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await choose(
      'image/png',
      Uint8Array.from(atob(pixel), character => character.charCodeAt(0)),
    );
    await shows(button('Save logo'));
    await link('Back to the list').click();
    await answer('Keep editing');
    await shows(button('Save logo'));
  },
);

proof('a list that is ready leads to the form of an automation that sends to it', async () => {
  const ready = {
    ...keyedList,
    members_count: 2,
    total_members: 2,
    subscribed_members: 2,
    mailgun_connection_status: { last_tested_at: '2026-01-05T08:00:00Z', connection_valid: true },
  };
  open('/email-lists/l1', {
    ...fakeMembers([]).answers,
    ...noChoices,
    [ONE]: ready,
    'GET /api/email-lists': [ready],
  });
  await link('create an automation').click();
  await expect.element(checkbox(/^Customers/)).toBeChecked();
});

const openParts = (one: EmailList, search: string, answers: Answers = {}) =>
  open(`/email-lists/l1${search}`, { ...fakeMembers([]).answers, [ONE]: one, ...answers });
const fact = (name: string) =>
  [...document.querySelectorAll('dl > div')]
    .find(one => one.querySelector('dt')?.textContent === name)
    ?.querySelector('dd')?.innerText;

it('the settings of a list are read on its page, and what is not set says so', async () => {
  const sending: Answers = { 'GET /api/sending-hours': { time_zone: 'Europe/Berlin', quiet_hours: [] } };
  const { api, router } = openParts(list, '?tab=settings', sending);
  const facts = (...names: string[]) => names.map(name => fact(name));
  await expect.poll(() => fact('Time zone')).toBe('Same as the organization (Europe/Berlin)');
  expect(facts('Status', 'Public name', 'Domain', 'Sending key', 'Last tested', 'Region', 'Logo')).toEqual([
    'Active',
    'The shop',
    'example.com',
    'Not Set',
    'Never',
    'US',
    'None',
  ]);
  const testedAt = '2026-01-05T08:00:00Z';
  api.answer({
    [ONE]: {
      ...keyedList,
      active: false,
      second_provider: 'ses',
      public_name: 'News',
      time_zone: 'Asia/Tokyo',
      mailgun_region: 'eu',
      unsubscribe_text: 'Quit',
      mailgun_connection_status: { last_tested_at: testedAt, connection_valid: true },
      members_count: 1,
      total_members: 3,
      subscribed_members: 1,
      unsubscribed_members: 2,
    },
  });
  await reload(router);
  await expect.poll(() => fact('Time zone')).toBe('Asia/Tokyo');
  expect(
    facts(
      'Status',
      'Public name',
      'Provider',
      'Domain at Amazon SES',
      'Sending key',
      'Region',
      'Unsubscribe text',
    ),
  ).toEqual([
    'Inactive',
    'News',
    'Mailgun, then Amazon SES',
    'Not verified',
    'Set\nValid',
    'EU',
    'Quit (another language)',
  ]);
  expect(fact('Last tested')).toBe(formatMoment(testedAt));
  await says('3 members · 1 subscribed · 2 unsubscribed');
  await says('This list is ready, but inactive: nothing is sent to it.');
});

proof(
  'the date columns of a list are counted, or it is said that there are none, or that they are not known',
  async () => {
    const DATES = 'GET /api/email-lists/{list}/datetime-metadata-columns';
    const { api, router } = openParts(list, '?tab=date-columns', { [DATES]: DOWN });
    await says('The date columns could not be loaded.');
    api.answer({ [DATES]: { columns: [], stats: {} } });
    await reload(router);
    await says(/^No date columns yet\. A date in the metadata of a member/);
    api.answer({ [DATES]: { columns: ['born', 'ordered'], stats: { ordered: 1_204, born: 1 } } });
    await reload(router);
    await says(/^Automations can start from these dates/);
    await expect
      .poll(() => textsOf('[role=tabpanel]:not([hidden]) li'))
      .toEqual(['born1 member', 'ordered1,204 members']);
  },
);

proof.each([
  ['OWNER', 'Enter it as the webhook signing key of this list.'],
  ['USER', 'An admin or owner enters it here.'],
] as const)(
  'how Mailgun reports to a list is said to an %s: whether it is trusted, and who sees to that',
  async (role, who) => {
    const as = { 'GET /api/organizations': [{ ...organization, role }] };
    const { api, router } = openParts(list, '?tab=mailgun-events', as);
    await says('Signing key not set');
    await says(list.provider_events_url);
    await page.getByText('How to set it up').click();
    const step = () => textsOf('details li').at(-1);
    expect(step()).toBe(`Copy the HTTP webhook signing key of your Mailgun account. ${who}`);
    if (role === 'OWNER') await leadsTo('webhook signing key', '/email-lists/l1/edit');
    api.answer({ [ONE]: keyedList });
    await reload(router);
    await says('Signing key set');
  },
);

proof('an import of a list that has stopped is continued from its page, by who may', async () => {
  const IMPORTS = 'GET /api/email-lists/{list}/imports';
  const imports = [
    { ...memberImport, id: 'i2', state: 'done' as const },
    { ...memberImport, total_rows: 2_400, done_rows: 1_200 },
  ];
  const { api, router } = openParts(list, '', { [IMPORTS]: imports });
  await says('1,200 of 2,400 rows of people.csv are imported.');
  await leadsTo('Continue the import', '/email-lists/l1/import');
  api.answer({ 'GET /api/organizations': [{ ...organization, role: 'VIEWER' }] });
  const again = await reload(router);
  await says('1,200 of 2,400 rows of people.csv are imported.');
  await isGone(link('Continue the import'));
  api.answer({ [IMPORTS]: imports.slice(0, 1) });
  const asked = api.count('GET /api/email-lists/l1/imports');
  await reload(again);
  await expect.poll(() => api.count('GET /api/email-lists/l1/imports')).toBe(asked + 1);
  await says('No members yet');
  await isGone(page.getByText(/of people\.csv are imported/));
});

it('a list is deleted on its page, which is left for the table', async () => {
  const { api, router } = openParts(list, '', { 'GET /api/email-lists': [list], [DELETE]: DOWN });
  await press('More actions');
  await menuItem('Delete').click();
  await field('Type “Customers” to confirm').fill('Customers');
  await pressInDialog('Delete list');
  await shows(dialog().getByText('Failed to delete list. Please try again'));
  api.answer({ [DELETE]: undefined, 'GET /api/email-lists': [] });
  await answer('Delete list');
  await says('Customers was deleted.');
  expect(router.state.location.pathname).toBe('/email-lists');
  await says('No email lists yet');
});

const TEST = 'POST /api/email-lists/{list}/test-mailgun-connection';
const PUT_KEY = 'PUT /api/email-lists/{list}/mailgun-key';
const key = () => field('Sending key');
const typeKey = () => key().fill('key-0123456789abcdef');

proof('a test of a connection without a verdict of the provider says that it failed, and why', async () => {
  const message = 'Mailgun could not be reached.';
  openForm(keyedList, { [TEST]: { success: false, message, testedAt: null, connectionValid: null } });
  await press('Test connection');
  await says('Connection test failed. Mailgun could not be reached.');
  await says('Not Tested');
});

proof('the focus follows the form of a sending key and what takes its place', async () => {
  let stored: EmailList = list;
  openForm(list, {
    [ONE]: () => stored,
    [TEST]: DOWN,
    [PUT_KEY]: ({ body }) => {
      stored = body.mailgun_sending_key ? keyedList : list;
      return { success: true, hasKey: stored === keyedList };
    },
  });
  await typeKey();
  await keys('{Enter}');
  await expect.element(button('Test connection')).toHaveFocus();
  await press('Replace key');
  await expect.element(key()).toHaveFocus();
  await button('Cancel').last().click();
  await expect.element(button('Test connection')).toHaveFocus();
  await press('Remove key');
  await answer('Remove key');
  await expect.element(key()).toHaveFocus();
  await says('Sending key removed.');
});

it('a sending key is tested as soon as it is saved, and the result stands in its place', async () => {
  let stored: EmailList = list;
  const testedAt = '2026-01-05T09:00:00Z';
  const { api } = openForm(list, {
    [ONE]: () => stored,
    [PUT_KEY]: () => {
      stored = { ...keyedList, mailgun_region: 'eu' };
      return { success: true, hasKey: true };
    },
    [TEST]: () => {
      const status = { last_tested_at: testedAt, connection_valid: false };
      stored = { ...stored, mailgun_connection_status: status };
      return { success: true, message: 'Mailgun refuses this key.', testedAt, connectionValid: false };
    },
  });
  await field('Region').selectOptions('EU');
  await typeKey();
  await press('Save key');
  await says('Mailgun refuses this key.');
  await says('Invalid');
  const toasts = page.getByRole('region', { name: /Notifications/ });
  expect(toasts.getByText(/key/i).elements()).toEqual([]);
  expect(api.changes().map(({ call }) => call)).toEqual([
    'PUT /api/email-lists/l1/mailgun-key',
    'POST /api/email-lists/l1/test-mailgun-connection',
  ]);
});

it('a key that is tested well leads on: to an import, or with members to an automation', async () => {
  const testedAt = '2026-01-05T09:00:00Z';
  const status = { last_tested_at: testedAt, connection_valid: true };
  let stored: EmailList = { ...keyedList, mailgun_webhook_signing_key: null };
  const { api } = openForm(keyedList, {
    [ONE]: () => stored,
    [TEST]: () => {
      stored = { ...stored, mailgun_connection_status: status };
      return { success: true, message: 'Mailgun accepts this key.', testedAt, connectionValid: true };
    },
    [PUT_KEY]: { success: true, hasKey: true },
  });
  await expect.poll(() => fact('Webhook signing key')).toBe('Not Set');
  expect(button('Remove webhook signing key').query()).toBeNull();
  await press('Test connection');
  await says('Mailgun accepts this key.');
  await leadsTo('Import members', '/email-lists/l1/import');
  await expect.poll(() => fact('Last tested')).toBe(formatMoment(testedAt));
  stored = { ...stored, members_count: 2 };
  await press('Replace key');
  await expect.element(key()).toHaveAttribute('placeholder', 'Leave empty to keep the one that is set');
  expect(field('Webhook signing key (optional)').element().hasAttribute('placeholder')).toBe(false);
  await field('Region').selectOptions('EU');
  await press('Save key');
  await leadsTo('Create an automation', '/automations/new?list=l1');
  const body = { mailgun_region: 'eu' };
  expect(api.changes()[1]).toEqual({ call: 'PUT /api/email-lists/l1/mailgun-key', body });
});

it('keys are removed after a question that says what follows, the signing key alone or with the other', async () => {
  let stored: EmailList = keyedList;
  const { api } = openForm(keyedList, { [ONE]: () => stored, [PUT_KEY]: DOWN });
  await press('Remove webhook signing key');
  await shows(dialog().getByText(/^What Mailgun reports about bounces and complaints of Customers is not/));
  await pressInDialog('Remove webhook signing key');
  await shows(dialog().getByText('Error removing webhook signing key'));
  await answer('Cancel');
  await press('Remove key');
  await shows(dialog().getByText(/ Its webhook signing key is removed as well\.$/));
  await pressInDialog('Remove key');
  await shows(dialog().getByText('Error removing Mailgun sending key'));
  await answer('Cancel');
  api.answer({
    [PUT_KEY]: ({ body }) => {
      stored = { ...stored, ...body } as EmailList;
      return { success: true, hasKey: true };
    },
  });
  await press('Remove webhook signing key');
  await answer('Remove webhook signing key');
  await says('Webhook signing key removed.');
  await isGone(button('Remove webhook signing key'));
  await press('Remove key');
  await shows(dialog().getByText('Customers cannot send until another key is set.'));
  await answer('Remove key');
  const [one, both] = [
    { mailgun_webhook_signing_key: null },
    { mailgun_sending_key: null, mailgun_webhook_signing_key: null },
  ];
  expect(api.changes().map(({ body }) => body)).toEqual([one, both, one, both]);
});

it('a user is told whom to ask about the sending key', async () => {
  openForm(keyedList, { 'GET /api/organizations': [{ ...organization, role: 'USER' }] });
  await says('To set, replace or test the sending key, please contact an admin or owner.');
  for (const name of ['Test connection', 'Replace key', 'Remove key']) await isGone(button(name));
});

proof('Save saves the settings of a list, and a key that was typed beside them', async () => {
  const { api } = openForm(list, { [PUT_KEY]: DOWN, [PUT]: list });
  await typeKey();
  await press('Save');
  await says('Failed to update Mailgun sending key');
  expect(page.getByText('Nothing has changed.').elements()).toEqual([]);
  await field('Name').fill('Readers');
  await press('Save');
  await says('List saved.');
  await expect.poll(() => api.changes()).toHaveLength(3);
});
