import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { EmailList } from '#shared/list.ts';
import { type Answers, DOWN, held, refusal } from '../support/components/api.ts';
import { depot, keyedList, list, noChoices, organization } from '../support/components/examples.ts';
import { fakeMembers } from '../support/components/members.ts';
import {
  answer,
  button,
  checkbox,
  dialog,
  field,
  focus,
  isGone,
  keys,
  link,
  menuItem,
  press,
  rowAction,
  says,
  shows,
} from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const ONE = 'GET /api/email-lists/{list}';
const PUT = 'PUT /api/email-lists/{list}';
const DELETE = 'DELETE /api/email-lists/{list}';
const openLists = (lists: EmailList[], answers: Answers = {}) =>
  open('/email-lists', { 'GET /api/email-lists': lists, ...answers });
const openForm = (one: EmailList = list, answers: Answers = {}) =>
  open('/email-lists/l1/edit', { [ONE]: one, 'GET /api/email-lists': [one], ...answers });
const row = (name: string) => page.getByRole('row').filter({ hasText: name });
const topOf = (text: string) => page.getByText(text).last().element().getBoundingClientRect().y;

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

it('a table without rows has neither a search nor a header', async () => {
  openLists([]);
  await says('No email lists yet');
  expect(document.querySelector('main :is(thead, input)')).toBeNull();
});

it('a row whose action is running says so, keeps the focus, and does nothing meanwhile', async () => {
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

it('nothing in a form moves when a field is left empty, or when saving fails', async () => {
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

it('somebody who leaves a form while it is saved is not taken along to what was created', async () => {
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

it('a list has a time zone of its own, or goes by that of the organization', async () => {
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

it('the logo of a list is a JPEG or PNG, and its form is not left with one that is not saved', async () => {
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
});

it('a list that is ready leads to the form of an automation that sends to it', async () => {
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

const TEST = 'POST /api/email-lists/{list}/test-mailgun-connection';
const PUT_KEY = 'PUT /api/email-lists/{list}/mailgun-key';
const key = () => field('Sending key');
const typeKey = () => key().fill('key-0123456789abcdef');

it('a test of a connection without a verdict of the provider says that it failed, and why', async () => {
  const message = 'Mailgun could not be reached.';
  openForm(keyedList, { [TEST]: { success: false, message, testedAt: null, connectionValid: null } });
  await press('Test connection');
  await says('Connection test failed. Mailgun could not be reached.');
  await says('Not Tested');
});

it('the focus follows the form of a sending key and what takes its place', async () => {
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

it('Save saves the settings of a list, and a key that was typed beside them', async () => {
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
