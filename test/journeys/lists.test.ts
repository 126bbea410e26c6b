import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { freshBrowser } from '../support/browser.ts';
import { addMembers, newList } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';
import { freshStack } from '../support/stack.ts';

const stack = freshStack();
const { visit, allow } = freshBrowser(stack.url);

const KEY = 'key-0123456789abcdef';
const listsOf = async ({ token, home }: Person) =>
  (await stack.call('GET /api/email-lists', { token, organization: home.id })).body;
const row = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Email lists' }).getByRole('row').filter({ hasText: name });
const told = (page: Page, message: string) => page.getByText(message, { exact: true }).waitFor();
const fact = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .getByRole('definition');

it('a list is created, gets its sending key, is edited, switched off and on, and deleted', async () => {
  stack.mustNotBeLogged(KEY);
  const owner = await newMember(stack, 'lists@example.com');
  const page = await visit('/email-lists', { token: owner.token });
  await told(page, 'No email lists yet');
  await page.getByRole('link', { name: 'Create a list' }).click();

  const create = page.getByRole('button', { name: 'Create list' });
  await create.click();
  for (const fault of [
    'List name is required',
    'Domain is required',
    'Sender name is required',
    'Sender email address is required',
  ]) {
    await told(page, fault);
  }
  expect(await create.isDisabled()).toBe(true);
  await page.getByLabel('Name', { exact: true }).fill('Spring customers');
  await page.getByLabel('Domain').fill('Mail.EXAMPLE.com');
  await page.getByLabel('Sender name').fill('The shop');
  await page.getByLabel('Sender email address').fill('hello@example.org');
  await told(page, 'Email domain must match the list domain (mail.example.com)');
  expect(await create.isDisabled()).toBe(true);
  await page.getByLabel('Sender email address').fill('hello@mail.example.com');
  const words = await page.getByLabel('Unsubscribe text').locator('option').allTextContents();
  expect(words).toHaveLength(21);
  await page.getByLabel('Unsubscribe text').selectOption('Abbestellen — German');
  await create.click();

  await page.getByRole('heading', { name: 'Spring customers', level: 1 }).waitFor();
  await told(page, 'List created.');
  expect(await listsOf(owner)).toMatchObject([
    {
      name: 'Spring customers',
      domain: 'mail.example.com',
      sender_address: 'hello@mail.example.com',
      unsubscribe_text: 'Abbestellen',
      active: true,
    },
  ]);
  await told(page, 'No members yet');
  await told(page, 'This list cannot send yet: it has no sending key.');
  expect(await fact(page, 'Unsubscribe text').textContent()).toBe('Abbestellen (German)');

  await page.getByRole('link', { name: 'Set the sending key' }).click();
  await page.getByRole('button', { name: 'Save key' }).click();
  await told(page, 'Sending key is required');
  await page.getByLabel('Sending key', { exact: true }).fill('wrong');
  expect(await page.getByLabel('Sending key', { exact: true }).getAttribute('type')).toBe('password');
  await page.getByRole('button', { name: 'Show sending key' }).click();
  expect(await page.getByLabel('Sending key', { exact: true }).getAttribute('type')).toBe('text');
  await page.getByLabel('Region').selectOption('EU');
  await page.getByRole('button', { name: 'Save key' }).click();
  await told(page, 'Not Tested');
  expect(await fact(page, 'Last tested').textContent()).toBe('Never');
  await page.getByRole('button', { name: 'Test connection' }).click();
  await told(page, 'Invalid');

  await page.getByRole('button', { name: 'Replace key' }).click();
  expect(await page.getByLabel('Sending key', { exact: true }).inputValue()).toBe('');
  await page.getByLabel('Sending key', { exact: true }).fill(KEY);
  await page.getByLabel('Webhook signing key (optional)', { exact: true }).fill(KEY);
  await page.getByRole('button', { name: 'Save key' }).click();
  await told(page, 'Not Tested');
  await page.getByRole('button', { name: 'Test connection' }).click();
  await told(page, 'Valid');
  expect(await fact(page, 'Last tested').textContent()).not.toBe('Never');
  expect(await fact(page, 'Region').textContent()).toBe('EU');
  expect(await page.content()).not.toContain(KEY);

  await page.getByRole('button', { name: 'Remove webhook signing key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove webhook' }).click();
  await expect.poll(() => fact(page, 'Webhook signing key').textContent()).toBe('Not Set');
  await told(page, 'Valid');

  const [{ id }] = await listsOf(owner);
  const elsewhere = (body: object) =>
    stack.call('PUT /api/email-lists/{list}', {
      token: owner.token,
      organization: owner.home.id,
      params: { list: id },
      body,
    });
  await elsewhere({ active: false, sender_name: 'The other shop' });
  await page.getByLabel('Name', { exact: true }).fill('Summer customers');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await told(page, 'List saved.');
  await expect.poll(() => page.getByLabel('Sender name').inputValue()).toBe('The other shop');
  expect(await listsOf(owner)).toMatchObject([
    { name: 'Summer customers', sender_name: 'The other shop', active: false },
  ]);
  expect(await page.getByRole('checkbox', { name: 'Active' }).isChecked()).toBe(false);
  await page.getByRole('checkbox', { name: 'Active' }).check();
  await page.getByLabel('Domain').fill('other.example.com');
  await page.getByLabel('Sender email address').fill('hello@other.example.com');
  await page.getByText(/^Mailgun accepts this/).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await told(page, 'Not Tested');
  expect(await page.getByText(/^Mailgun accepts this/).count()).toBe(0);
  await elsewhere({ domain: 'mail.example.com', sender_address: 'hello@mail.example.com' });
  await page.getByRole('button', { name: 'Test connection' }).click();
  await told(page, 'Valid');
  await page.getByRole('link', { name: 'Back to the list' }).click();
  await page.getByRole('heading', { name: 'Summer customers', level: 1 }).waitFor();
  expect(await page.getByText('This list cannot send').count()).toBe(0);

  await page.getByRole('button', { name: 'Deactivate' }).dblclick();
  await page.getByRole('button', { name: 'Activate', exact: true }).waitFor();
  await expect.poll(async () => (await listsOf(owner))[0].active).toBe(false);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Deactivate' }).waitFor();
  await expect.poll(async () => (await listsOf(owner))[0].active).toBe(true);

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Email Lists' }).click();
  await expect
    .poll(() => row(page, 'Summer').getByRole('cell').allTextContents())
    .toEqual(['Summer customers', 'mail.example.com', 'SetValid', '0', 'Active', 'DeactivateEditDelete']);
  await row(page, 'Summer').getByRole('button', { name: 'Delete Summer customers' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Delete list' });
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByLabel('Type “Summer customers” to confirm').fill('Summer customers');
  await confirm.click();
  await told(page, 'Summer customers was deleted.');
  await told(page, 'No email lists yet');
  expect(await listsOf(owner)).toEqual([]);
});

it('lists are sorted and searched, found from everywhere, and only their own organization’s', async () => {
  const owner = await newMember(stack, 'many@example.com');
  const small = await newList(stack, owner, { name: 'Small', domain: 'a.example.com' });
  await newList(stack, owner, { name: 'Large', domain: 'b.example.com' });
  await stack.call('POST /api/organizations', { token: owner.token, body: { name: 'Depot' } });
  await addMembers(stack, owner, small, [{ email: 'one@example.com' }]);
  const page = await visit('/email-lists', {
    token: owner.token,
    stored: { activeOrganizationId: String(owner.home.id) },
  });
  const names = () => page.getByRole('table').locator('tbody tr td:first-child').allTextContents();
  await expect.poll(names).toEqual(['Large', 'Small']);
  await page.getByRole('button', { name: 'Members' }).click();
  await expect.poll(names).toEqual(['Small', 'Large']);
  await page.getByLabel('Search lists').fill('B.EXAMPLE');
  await expect.poll(names).toEqual(['Large']);
  await page.getByLabel('Search lists').fill('nothing');
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect.poll(names).toHaveLength(2);

  await page.keyboard.press('Control+k');
  await page.getByLabel('Search pages and commands').fill('small');
  await page.getByRole('option', { name: 'Small' }).click();
  await page.getByRole('heading', { name: 'Small', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Edit list' }).click();
  await page.getByRole('heading', { name: 'Edit Small', level: 1 }).waitFor();

  await page.getByLabel('Active organization').selectOption('Depot');
  await told(page, 'No email lists yet');
  expect(new URL(page.url()).pathname).toBe('/email-lists');
  expect(await page.getByText('Email list not found').count()).toBe(0);

  const stranger = await newMember(stack, 'stranger@example.com');
  const theirs = await visit(`/email-lists/${small}`, { token: stranger.token });
  await told(theirs, 'Email list not found');
  await theirs.waitForURL('**/email-lists');
  await told(theirs, 'No email lists yet');
});

it('a list that somebody else deleted is led away from, once, and deleted without a fault', async () => {
  const owner = await newMember(stack, 'gone@example.com');
  const lists = new Map<string, string>();
  for (const name of ['First', 'Second', 'Third']) lists.set(name, await newList(stack, owner, { name }));
  const gone = (name: string) =>
    stack.call('DELETE /api/email-lists/{list}', {
      token: owner.token,
      organization: owner.home.id,
      params: { list: lists.get(name) ?? '' },
    });
  const page = await visit(`/email-lists/${lists.get('First')}/edit`, { token: owner.token });
  await page.getByLabel('Name', { exact: true }).fill('Gone');
  await gone('First');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await told(page, 'Email list not found');
  await row(page, 'Second').waitFor();
  expect(new URL(page.url()).pathname).toBe('/email-lists');
  await page.getByRole('button', { name: 'Dismiss' }).click();

  await gone('Second');
  await page.getByRole('button', { name: 'Deactivate Second' }).click();
  await told(page, 'Email list not found');
  await expect.poll(() => row(page, 'Second').count()).toBe(0);

  await gone('Third');
  await page.getByRole('button', { name: 'Delete Third' }).click();
  await page.getByRole('dialog').getByLabel('Type “Third”').fill('Third');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete list' }).click();
  await told(page, 'Third was deleted.');
  await told(page, 'No email lists yet');
});

it('the logo of a list is a JPEG or PNG below 500 KB; it is looked at, saved and removed', async () => {
  const owner = await newMember(stack, 'listlogo@example.com');
  const list = await newList(stack, owner);
  const page = await visit(`/email-lists/${list}/edit`, { token: owner.token });
  const choose = (mimeType: string, buffer: Buffer) =>
    page.getByLabel('Choose a logo').setInputFiles({ name: 'logo', mimeType, buffer });
  await choose('image/gif', Buffer.from('GIF89a'));
  await told(page, 'Only JPEG and PNG images are allowed');
  await choose('image/png', Buffer.alloc(500 * 1024));
  await told(page, 'File must be smaller than 500 KB');
  await choose('image/png', PNG);
  await page.getByRole('button', { name: 'Save logo' }).waitFor();
  await page.getByRole('link', { name: 'Back to the list' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click();
  await page.getByRole('button', { name: 'Save logo' }).click();
  await told(page, 'Logo saved.');
  const [{ logo }] = await listsOf(owner);
  await page.getByRole('main').locator(`img[src="${logo}"]`).waitFor();
  await page.getByRole('button', { name: 'Remove logo' }).click();
  await told(page, 'Logo removed.');
  expect(await listsOf(owner)).toMatchObject([{ logo: null }]);
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

it('a user sees the sending key, but leaves it to an admin or owner', async () => {
  const owner = await newMember(stack, 'keyowner@example.com');
  const user = await newMember(stack, 'keyuser@example.com');
  const organization = String(owner.home.id);
  const invited = await stack.call('POST /api/organizations/{organization}/members', {
    token: owner.token,
    params: { organization },
    body: { email: user.email, role: 'USER' },
  });
  const { token } = invited.body;
  await stack.call('POST /api/invitations/accept/{token}', { token: user.token, params: { token } });
  const list = await newList(stack, owner);
  const page = await visit(`/email-lists/${list}/edit`, {
    token: user.token,
    stored: { activeOrganizationId: organization },
  });
  await told(page, 'To set, replace or test the sending key, please contact an admin or owner.');
  expect(await page.getByRole('button', { name: /key|connection/ }).count()).toBe(0);
  await page.getByLabel('Name', { exact: true }).fill('Renamed by a user');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await told(page, 'List saved.');
  expect(await listsOf(owner)).toMatchObject([{ name: 'Renamed by a user' }]);
});

it('the API example is complete: as it is copied, with a token, it adds members', async () => {
  const owner = await newMember(stack, 'examples@example.com');
  const list = await newList(stack, owner);
  const token = (
    await stack.call('POST /api/tokens', { token: owner.token, body: { name: 'example', expiration: null } })
  ).body.token;
  stack.mustNotBeLogged(token);
  const page = await visit(`/email-lists/${list}`, { token: owner.token });
  await page.getByRole('button', { name: 'API example' }).click();
  const tab = (name: string) => page.getByRole('tab', { name });
  await tab('curl').focus();
  for (const name of ['JavaScript', 'Python', 'PHP', 'curl']) {
    await page.keyboard.press('ArrowRight');
    await page.getByRole('region', { name: `Example in ${name}` }).waitFor();
    expect(await tab(name).evaluate(element => element === document.activeElement)).toBe(true);
  }
  const directory = mkdtempSync(join(resolve('.tmp'), 'example-'));
  const run = async (name: string, file: string, command: string) => {
    await tab(name).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Copy|Copied/ })
      .click();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    writeFileSync(join(directory, file), text.replace('<YOUR_API_TOKEN>', token));
    return (await promisify(execFile)(command, [join(directory, file)])).stdout;
  };
  expect(await run('JavaScript', 'example.mjs', 'node')).toMatch(
    /ada@example\.com created[\s\S]*grace@example\.com created/,
  );
  expect(await run('curl', 'example.sh', 'sh')).toMatch(/"unchanged"[\s\S]*"unchanged"/);
  await page.reload();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'grace@example.com' }).waitFor();
  await page.getByRole('link', { name: 'ada@example.com' }).click();
  await page.getByRole('row', { name: 'signed_up_at Date Mar 1, 2026' }).waitFor();
});

it('when the server does not answer, the page says so and shows what is stored', async () => {
  allow(/502/);
  const owner = await newMember(stack, 'failinglists@example.com');
  const list = await newList(stack, owner);
  const params = { list };
  await stack.call('PUT /api/email-lists/{list}/mailgun-key', {
    token: owner.token,
    organization: owner.home.id,
    params,
    body: { mailgun_sending_key: KEY },
  });
  const page = await visit('/email-lists', { token: owner.token });
  await row(page, 'Customers').waitFor();
  await page.route('**/api/email-lists{,/**}', route =>
    route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 502, body: '' }),
  );
  await page.getByRole('button', { name: 'Deactivate Customers' }).click();
  await told(page, 'Failed to update list. Please try again');
  await row(page, 'Customers').getByText('Active', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Delete Customers' }).click();
  await page.getByRole('dialog').getByLabel('Type “Customers”').fill('Customers');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete list' }).click();
  await page.getByRole('dialog').getByText('Failed to delete list. Please try again').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'Edit Customers' }).click();
  await page.getByRole('button', { name: 'Test connection' }).click();
  await told(page, 'Failed to test connection. Please try again');
  await page.getByRole('button', { name: 'Remove key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove key' }).click();
  await told(page, 'Error removing Mailgun sending key');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Replace key' }).click();
  await page.getByLabel('Sending key', { exact: true }).fill(KEY);
  await page.getByRole('button', { name: 'Save key' }).click();
  await told(page, 'Failed to update Mailgun sending key');

  const lost = await visit('/email-lists', { token: owner.token });
  await lost.route('**/api/email-lists', route => route.fulfill({ status: 502, body: '' }));
  await lost.reload();
  await told(lost, 'Failed to fetch data. Please try again');
  await lost.unrouteAll();
  await lost.getByRole('button', { name: 'Try again' }).click();
  await row(lost, 'Customers').waitFor();
});
