import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { EmailList } from '#shared/list.ts';
import { DOWN, held, refusal } from '../support/components/api.ts';
import { depot, keyedList, list, noChoices, organization } from '../support/components/examples.ts';
import { pageOf } from '../support/components/members.ts';
import {
  answer,
  button,
  dialog,
  field,
  focus,
  isGone,
  keys,
  press,
  rowAction,
  says,
} from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const png = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  character => character.charCodeAt(0),
);
const openLists = (...lists: EmailList[]) => open('/email-lists', { 'GET /api/email-lists': lists });
const row = (name: string) => page.getByRole('row').filter({ hasText: name });
const topOf = (text: string) => page.getByText(text).last().element().getBoundingClientRect().y;

async function fillIn() {
  await field('Name').fill('Customers');
  await field('Domain').fill('example.com');
  await field('Sender name').fill('The shop');
  await field('Sender email address').fill('hello@example.com');
}

it('when the server does not answer, the lists say what was not done and show what is stored', async () => {
  const { api } = openLists(list);
  api.answer({ 'PUT /api/email-lists/{list}': DOWN, 'DELETE /api/email-lists/{list}': DOWN });
  await rowAction('Customers', 'Deactivate');
  await says('Failed to update list. Please try again');
  await expect.element(row('Customers').getByText('Active')).toBeVisible();
  await rowAction('Customers', 'Delete');
  await field('Type “Customers” to confirm').fill('Customers');
  const places = () => ['Delete Customers?', 'Delete list', 'Cancel'].map(topOf);
  const before = places();
  await press('Delete list');
  await expect.element(dialog().getByText('Failed to delete list. Please try again')).toBeVisible();
  expect(places()).toEqual(before);
  await answer('Cancel');
});

it('lists that could not be loaded are loaded after a retry', async () => {
  const { api } = open('/email-lists', { 'GET /api/email-lists': DOWN });
  await says('Failed to fetch data. Please try again');
  api.answer({ 'GET /api/email-lists': [list] });
  await press('Try again');
  await expect.element(row('Customers')).toBeVisible();
});

it('nothing in the form of a list moves when a field is left empty, or when saving fails', async () => {
  open('/email-lists/new', { 'POST /api/email-lists': DOWN });
  const places = () => ['Name', 'Sender name', 'Unsubscribe text', 'Create list', 'Cancel'].map(topOf);
  await expect.element(button('Create list')).toBeVisible();
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

it('the menu of a row whose action is running says so, keeps the focus, and does nothing meanwhile', async () => {
  const { answer: saved, release } = held<EmailList>();
  const { api } = openLists(list);
  api.answer({ 'PUT /api/email-lists/{list}': saved });
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

it('without any lists there is neither a search nor a header', async () => {
  openLists();
  await says('No email lists yet');
  expect(document.querySelector('main :is(thead, input)')).toBeNull();
});

it('one who leaves a form while it is saved is not taken along to what was created', async () => {
  const { answer: created, release } = held<EmailList>();
  const { api, router } = open('/email-lists/new', {
    'GET /api/organizations': [organization, depot],
    'GET /api/email-lists': [],
    'POST /api/email-lists': created,
  });
  await fillIn();
  await press('Create list');
  await press(`Active organization: ${organization.name}`);
  await page.getByRole('menuitem', { name: 'Depot' }).click();
  await press('Leave');
  await expect.element(button('Active organization: Depot')).toBeVisible();
  release(list);
  await says('List created.');
  expect(router.state.location.pathname).toBe('/email-lists/new');
  expect(router.state.navigation.state).toBe('idle');
  expect(api.changes()).toHaveLength(1);
});

it('the logo of a list is a JPEG or PNG below 500 KB, and its form is not left without being asked', async () => {
  open('/email-lists/l1/edit', { 'GET /api/email-lists/{list}': list, 'GET /api/email-lists': [list] });
  const choose = (type: string, content: BlobPart) =>
    field('Choose a logo').upload(new File([content], 'logo', { type }));
  await choose('image/gif', 'GIF89a');
  await says('Only JPEG and PNG images are allowed');
  await choose('image/png', new Uint8Array(500 * 1024));
  await says('File must be smaller than 500 KB');
  await choose('image/png', png);
  await expect.element(button('Save logo')).toBeVisible();
  await page.getByRole('link', { name: 'Back to the list' }).click();
  await answer('Keep editing');
  await expect.element(button('Save logo')).toBeVisible();
});

it('saving a list sends what was changed, and shows what somebody else changed meanwhile', async () => {
  const { api } = open('/email-lists/l1/edit', {
    'GET /api/email-lists/{list}': list,
    'GET /api/email-lists': [list],
  });
  await press('Save');
  await says('Nothing has changed.');
  expect(api.changes()).toEqual([]);
  await field('Name').first().fill('Summer customers');
  const changed = { ...list, name: 'Summer customers', active: false, sender_name: 'The other shop' };
  api.answer({ 'PUT /api/email-lists/{list}': changed, 'GET /api/email-lists/{list}': changed });
  await press('Save');
  await says('List saved.');
  expect(api.changes()).toEqual([{ call: 'PUT /api/email-lists/l1', body: { name: 'Summer customers' } }]);
  await expect.element(field('Sender name')).toHaveValue('The other shop');
  await expect.element(page.getByRole('checkbox', { name: 'Active' })).not.toBeChecked();
});

it('a list whose name is long, with spaces in a row, is deleted by what one reads', async () => {
  const read = `${'long'.repeat(20)} name`;
  const { api } = openLists({ ...list, name: `${'long'.repeat(20)}  name` });
  api.answer({
    'DELETE /api/email-lists/{list}': () => {
      api.answer({ 'GET /api/email-lists': [] });
      return undefined;
    },
  });
  await rowAction(read, 'Delete');
  await dialog().getByRole('textbox').fill(read);
  const { scrollWidth, clientWidth } = dialog().element();
  expect(scrollWidth).toBe(clientWidth);
  await keys('{Enter}');
  await says('No email lists yet');
  expect(api.changes()).toMatchObject([{ call: 'DELETE /api/email-lists/l1' }]);
});

it('lists are sorted and searched', async () => {
  openLists(
    { ...list, id: 'l1', name: 'Small', domain: 'a.example.com', members_count: 1 },
    { ...list, id: 'l2', name: 'Large', domain: 'b.example.com' },
  );
  const names = () => [...document.querySelectorAll('td.primary')].map(({ textContent }) => textContent);
  await expect.poll(names).toEqual(['Large', 'Small']);
  await press('Members');
  await expect.poll(names).toEqual(['Small', 'Large']);
  await field('Search lists').fill('B.EXAMPLE');
  await expect.poll(names).toEqual(['Large']);
  await field('Search lists').fill('nothing');
  await press('Clear search');
  await expect.poll(names).toHaveLength(2);
});

const missing = refusal(404, 'Email list not found');

it.each(['Save', 'Deactivate', 'Delete'])(
  'a list that somebody else deleted is led away from: %s',
  async action => {
    const { api, router } = open(action === 'Save' ? '/email-lists/l1/edit' : '/email-lists', {
      'GET /api/email-lists/{list}': list,
      'GET /api/email-lists': [list],
    });
    await expect.element(page.getByText(/Customers/).first()).toBeVisible();
    api.answer({
      'GET /api/email-lists': [],
      'GET /api/email-lists/{list}': missing,
      'PUT /api/email-lists/{list}': missing,
      'DELETE /api/email-lists/{list}': missing,
    });
    if (action === 'Save') {
      await field('Name').first().fill('Gone');
      await press('Save');
    } else await rowAction('Customers', action);
    if (action === 'Delete') {
      await field('Type “Customers” to confirm').fill('Customers');
      await press('Delete list');
    }
    // What was to be deleted is.
    await says(action === 'Delete' ? 'Customers was deleted.' : 'Email list not found');
    await says('No email lists yet');
    expect(router.state.location.pathname).toBe('/email-lists');
  },
);

it('a list has a time zone of its own, or goes by that of the organization', async () => {
  const { api } = open('/email-lists/l1/edit', {
    'GET /api/email-lists/{list}': list,
    'GET /api/sending-hours': { time_zone: 'Europe/Berlin', quiet_hours: [] },
    'PUT /api/email-lists/{list}': list,
  });
  const zone = (name: RegExp) => page.getByRole('button', { name });
  await zone(/^Time zone Same as the organization \(Europe\/Berlin\)$/).click();
  await page.getByPlaceholder('Search time zones').fill('tokyo');
  await keys('{Enter}');
  await expect.element(zone(/^Time zone Asia\/Tokyo \(UTC\+9\)$/)).toHaveFocus();
  await press('Save');
  await expect.poll(() => api.changes().at(-1)?.body).toEqual({ time_zone: 'Asia/Tokyo' });
  await zone(/^Time zone/).click();
  await page.getByRole('option', { name: /^Same as the organization/ }).click();
  await expect.element(zone(/^Time zone Same as the organization/)).toBeVisible();
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
    'GET /api/email-lists': [ready],
    'GET /api/email-lists/{list}': ready,
    'GET /api/email-lists/{list}/members': ({ query }) => pageOf([], query),
    'GET /api/email-lists/{list}/metadata-columns': {
      columns: [],
      searched: { members: 0, of: 0, complete: true },
    },
    'GET /api/email-lists/{list}/datetime-metadata-columns': { columns: [], stats: {} },
    ...noChoices,
  });
  await page.getByRole('link', { name: 'create an automation' }).click();
  await expect.element(page.getByRole('checkbox', { name: /^Customers/ })).toBeChecked();
});
