import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { fail, failChanges, hold, press, says, warns } from '../support/browser/page.ts';
import { newAutomation } from '../support/content.ts';
import { addMembers, newList } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit, allow } = sharedBrowser(stack.url);

const NO_LIST = 'Please select at least one email list to see available trigger columns.';
const NO_COLUMN =
  'No datetime metadata columns found in the selected lists. Add datetime metadata to list members to use as triggers.';
const COLUMNS = '**/api/email-lists/*/datetime-metadata-columns';

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const trigger = (page: Page) => page.getByLabel('Trigger Column');
const lists = (page: Page) => page.getByRole('group', { name: 'Email Lists' });
const sends = (page: Page, kind: string, nth: string) =>
  page.getByRole('group', { name: `${kind} send` }).getByLabel(nth);
const path = (page: Page) => new URL(page.url()).pathname;
/** As it is stored. */
const automation = async (name: string) => {
  const { body } = await stack.call('GET /api/automations', { token: owner.token });
  return body.find((one: { name: string }) => one.name === name);
};

let owner: Person;
let customers: string;
let readers: string;

/** Two lists with a common column, and an empty one. */
beforeAll(async () => {
  owner = await newMember(stack);
  [customers, readers] = [await newList(stack, owner), await newList(stack, owner, { name: 'Readers' })];
  await newList(stack, owner, { name: 'Empty' });
  const trials = ['ada@example.com', 'ben@example.com'].map(email => ({ email, trial_ends: '2026-03-01' }));
  await addMembers(stack, owner, customers, trials);
  await addMembers(stack, owner, readers, [
    { email: 'cem@example.com', trial_ends: '2026-03-03', born: '1990-01-01' },
  ]);
});

it('an automation is created, when nothing is wrong with it any more', async () => {
  const page = await visit('/automations/new', owner);
  await page.getByRole('heading', { name: 'Create Automation' }).waitFor();
  await says(page, 'Only letters, numbers, and underscores allowed');
  await says(page, NO_LIST);
  expect(await trigger(page).isDisabled()).toBe(true);
  await press(page, 'Save Automation');
  await says(page, 'Name is required');

  await lists(page).getByLabel('Empty').check();
  await says(page, NO_COLUMN);
  await lists(page).getByLabel('Customers example.com').check();
  await lists(page).getByLabel('Empty').uncheck();
  await field(page, 'Name').fill('win back');
  await field(page, 'Run every X days').fill('0');
  await field(page, 'Start after X days').fill('-1');
  await field(page, 'Stop sending after X days').fill('-2');
  await press(page, 'Save Automation');
  await says(page, 'Name can only contain letters, numbers, and underscores');
  await says(page, 'Please select a trigger column');
  await says(page, 'Value must be at least 1');
  expect(await page.getByText('Value cannot be negative').count()).toBe(2);

  await trigger(page).selectOption('trial_ends (2 members, in 1 of 1 list)');
  await lists(page).getByLabel('Readers').check();
  expect(await trigger(page).inputValue()).toBe('');
  await trigger(page).selectOption('trial_ends (3 members, in 2 of 2 lists)');
  await field(page, 'Name').fill('win_back');
  await field(page, 'Run every X days').fill('7');
  await field(page, 'Start after X days').fill('3');
  await field(page, 'Stop sending after X days').fill('2');
  await says(page, 'No email is ever sent: sending stops before it starts.');
  await field(page, 'Stop sending after X days').fill('');
  await says(page, 'First email 3 days after trial_ends, then every 7 days, without end.');
  await sends(page, 'Triple', '2nd').check();
  expect(await sends(page, 'Double', '2nd').isDisabled()).toBe(true);
  await sends(page, 'Triple', '2nd').uncheck();
  await sends(page, 'Double', '2nd').check();
  expect(await sends(page, 'Triple', '2nd').isDisabled()).toBe(true);
  await press(page, 'Save Automation');

  await page.getByRole('link', { name: 'win_back' }).waitFor();
  expect(path(page)).toBe('/automations');
  const created = await automation('win_back');
  expect(created).toMatchObject({
    active: true,
    every_x_days: 7,
    delay_days: 3,
    stop_after_days: null,
    metadata_trigger: 'trial_ends',
    double_send_second: true,
    triple_send_second: false,
  });
  expect(created.email_lists.map(({ id }: { id: string }) => id).sort()).toEqual([customers, readers].sort());
});

it('without lists one is offered to be created', async () => {
  const page = await visit('/automations/new', await newMember(stack));
  await page.getByRole('link', { name: 'Create list' }).click();
  await page.getByRole('heading', { name: 'Create list' }).waitFor();
});

it('an automation is edited: what is stored is shown, and what has changed is sent', async () => {
  const id = await newAutomation(stack, owner, { lists: [customers], stop_after_days: 30 });
  const page = await visit(`/automations/${id}/edit`, owner);
  await page.getByRole('heading', { name: 'Edit Automation' }).waitFor();
  await expect.poll(() => trigger(page).inputValue()).not.toBe('');
  expect(await trigger(page).locator('option:checked').textContent()).toBe('When the member was added');
  expect(await field(page, 'Stop sending after X days').inputValue()).toBe('30');
  await trigger(page).selectOption('trial_ends (2 members, in 1 of 1 list)');
  await field(page, 'Stop sending after X days').fill('');
  await page.getByRole('checkbox', { name: /^Active/ }).uncheck();
  await page.getByRole('link', { name: 'Back to Automations' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click();

  const release = await hold(page, `**/api/automations/${id}`);
  const sent = page.waitForRequest(request => request.method() === 'PUT');
  await press(page, 'Save Automation');
  await says(page, 'Saving...');
  expect((await sent).postDataJSON()).toEqual({
    active: false,
    stop_after_days: null,
    metadata_trigger: 'trial_ends',
  });
  release();
  await page.getByRole('heading', { name: 'Automations' }).waitFor();
  expect(await automation('welcome')).toMatchObject({ id, active: false, metadata_trigger: 'trial_ends' });
});

it('what fails is said where it failed, and nothing that was entered is lost', async () => {
  allow(/502/);
  const id = await newAutomation(stack, owner, {
    name: 'birthday',
    lists: [readers],
    metadata_trigger: 'born',
  });
  const page = await visit(`/automations/${id}/edit`, owner, async opened => {
    await fail(opened, '**/api/email-lists');
    await fail(opened, COLUMNS);
  });
  await warns(page, 'Failed to fetch email lists. Please try again.');
  await warns(page, 'Failed to fetch datetime columns. Please try again.');
  expect(await trigger(page).inputValue()).toBe('born');
  await page.unroute(COLUMNS);
  await page.getByRole('button', { name: 'Try again' }).last().click();
  await trigger(page).getByText('born (1 member, in 1 of 1 list)').waitFor({ state: 'attached' });

  await field(page, 'Name').fill('renamed');
  const answer = (body: object) =>
    failChanges(page, '**/api/automations/*', () => ({ status: 422, json: body }));
  await failChanges(page, '**/api/automations/*');
  await press(page, 'Save Automation');
  await warns(page, 'Failed to save automation. Please try again.');
  await answer({ message: 'This is not possible now.' });
  await press(page, 'Save Automation');
  await warns(page, 'This is not possible now.');
  await answer({ message: 'Invalid', errors: { name: ['The name is taken', 'Another text'] } });
  await press(page, 'Save Automation');
  await warns(page, 'The name is taken');
  expect(await field(page, 'Name').inputValue()).toBe('renamed');
  expect(path(page)).toBe(`/automations/${id}/edit`);
});

it('a list that was deleted meanwhile is no longer chosen', async () => {
  const list = await newList(stack, owner, { name: 'Short-lived' });
  const page = await visit('/automations/new', owner);
  await field(page, 'Name').fill('too_late');
  await lists(page).getByLabel('Short-lived').check();
  await says(page, NO_COLUMN);
  await stack.call('DELETE /api/email-lists/{list}', { token: owner.token, params: { list } });
  await press(page, 'Save Automation');
  await warns(page, 'One of the email lists does not exist any more');
  await says(page, '0 email list(s) selected');
  await press(page, 'Save Automation');
  await page.getByRole('link', { name: 'too_late' }).waitFor();
});
