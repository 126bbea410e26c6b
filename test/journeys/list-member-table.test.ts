import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { answer, DOWN, hold, press, query, says, stored } from '../support/browser/page.ts';
import { addMembers, newList, people } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit, allow } = sharedBrowser(stack.url);

const table = (page: Page) => page.getByRole('table', { name: 'Members' });
const names = async (page: Page) =>
  (await table(page).getByRole('link').allTextContents()).map(email => email.split('@')[0]);
const headers = (page: Page) => table(page).locator('thead th').allInnerTexts();
const bar = (page: Page) => page.getByRole('region', { name: 'Selected members' });
const pressInBar = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true }).click();
const checkbox = (page: Page, name: string) => page.getByLabel(`Select ${name}@example.com`);
const member = (name: string, fields: object = {}) => ({ email: `${name}@example.com`, ...fields });

/** A list with these members, and the page of a visitor who looks at it. */
async function listWith(members: { email: string; [field: string]: unknown }[], search = '') {
  const owner = await newMember(stack);
  const list = await newList(stack, owner);
  await addMembers(stack, owner, list, members);
  const page = await visit(`/email-lists/${list}${search}`, owner);
  await table(page).getByRole('link').first().waitFor();
  const headers = { authorization: `Bearer ${owner.token}`, 'x-active-organization': `${owner.home.id}` };
  async function storedWith(status: string) {
    const path = `/api/email-lists/${list}/members?per_page=100&status=${status}`;
    const { body } = await stack.fetchJson('GET', path, { headers });
    return body.data.map(({ email }: { email: string }) => email.split('@')[0]);
  }
  return { owner, list, page, storedWith };
}

it('columns are chosen from the metadata, names first, and kept for this list in this browser', async () => {
  const { list, page } = await listWith([
    member('ada', { plan: 'team', signed_up: '2026-02-28', last_name: 'Lovelace', first_name: 'Ada' }),
    member('grace', { first_name: 'Grace' }),
  ]);
  expect(await headers(page)).toEqual(['', 'Email', 'Status', 'Added', 'Actions']);
  const tick = (...columns: string[]) =>
    columns.reduce(
      (before, column) =>
        before.then(() => page.getByRole('dialog').getByText(column, { exact: true }).click()),
      press(page, 'Columns'),
    );
  await press(page, 'Columns');
  await expect
    .poll(() => page.getByRole('group', { name: 'Columns' }).locator('label').allInnerTexts())
    .toEqual(['first_name', 'last_name', 'plan', 'signed_up']);
  await page.keyboard.press('Escape');
  await tick('signed_up', 'first_name');
  await answer(page, 'Show columns');
  const row = (name: string) => table(page).getByRole('row', { name: `${name}@example.com` });
  await row('ada').getByText('Feb 28, 2026').waitFor();
  const shown = ['', 'Email', 'first_name', 'signed_up', 'Status', 'Added', 'Actions'];
  expect(await headers(page)).toEqual(shown);
  await page.reload();
  await row('grace').getByText('Grace', { exact: true }).waitFor();
  expect(await headers(page)).toEqual(shown);
  await tick('signed_up');
  await answer(page, 'Cancel');
  expect(await headers(page)).toEqual(shown);
  await tick('signed_up');
  await answer(page, 'Show columns');
  expect(await headers(page)).toEqual(['', 'Email', 'first_name', 'Status', 'Added', 'Actions']);
  await press(page, 'Logout');
  await page.waitForURL('**/login');
  expect((await stored(page)).membersColumns).toBe(JSON.stringify({ [list]: ['first_name'] }));
});

it('a column that no member of the sample has is chosen by its name', async () => {
  const { page } = await listWith([...people(100), member('zoe', { nickname: 'Zo' })], '?search=zoe');
  await press(page, 'Columns');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('These are the columns of 100 members out of 101').waitFor();
  await dialog.getByLabel('Another column').fill('nick/name');
  await dialog.getByLabel('Another column').press('Enter');
  await dialog.getByText('A key must consist of letters').waitFor();
  await dialog.getByLabel('Another column').fill('nickname');
  await dialog.getByLabel('Another column').press('Enter');
  await answer(page, 'Show columns');
  await table(page).getByText('Zo', { exact: true }).waitFor();
});

it('members are filtered by status and sorted, which the URL keeps', async () => {
  const { owner, list, page } = await listWith([
    ...people(12),
    member('ada', { is_subscribed: false }),
    member('zoe', { is_subscribed: false }),
  ]);
  await stack.advance(60);
  await addMembers(stack, owner, list, [member('late', { is_subscribed: false })]);
  await page.getByLabel('Status').selectOption('Unsubscribed');
  await says(page, '3 unsubscribed members');
  await expect.poll(() => names(page)).toEqual(['ada', 'late', 'zoe']);
  await press(page, 'Added');
  await expect.poll(() => names(page)).toEqual(['late', 'zoe', 'ada']);
  expect(query(page)).toBe('?status=unsubscribed&sort=created_at&direction=desc');
  await page.reload();
  await expect.poll(() => names(page)).toEqual(['late', 'zoe', 'ada']);
  await page.getByLabel('Status').selectOption('All members');
  await says(page, '15 members');
  await press(page, 'Last page');
  await page.getByText('Page 2 of 2').waitFor();
  await press(page, 'Email');
  await press(page, 'Email');
  await expect.poll(async () => (await names(page)).slice(0, 2)).toEqual(['zoe', 'person0011']);
  expect(query(page)).toBe('?sort=email&direction=desc');
  await press(page, 'Next page');
  await expect.poll(() => names(page)).toEqual(['person0002', 'person0001', 'person0000', 'late', 'ada']);
  await page.getByLabel('Search members').fill('person001');
  await says(page, '2 found in 15 members');
  await expect.poll(() => names(page)).toEqual(['person0011', 'person0010']);
  await page.getByLabel('Status').selectOption('Unsubscribed');
  await says(page, 'No unsubscribed member of this list has “person001” in the address.');
  await press(page, 'Clear search');
  await expect.poll(() => names(page)).toEqual(['zoe', 'late', 'ada']);
});

it('of a list that is too long, only what the API answers exactly is offered', async () => {
  const { list, page } = await listWith([member('ada')]);
  await page.route(`**/api/email-lists/${list}`, async route => {
    const json = await (await route.fetch()).json();
    await route.fulfill({ json: { ...json, members_count: 10_001 } });
  });
  await page.goto(`/email-lists/${list}?sort=created_at`);
  const sortable = () => table(page).locator('thead button').allInnerTexts();
  await expect.poll(sortable).toEqual(['Email']);
  expect(await table(page).locator('th[aria-sort]').innerText()).toBe('Email');
  await page.getByLabel('Status').selectOption('Subscribed');
  await expect.poll(sortable).toEqual([]);
});

it('many members are unsubscribed, and those for whom it failed once more, until Undo', async () => {
  allow(/502/);
  const { page, storedWith } = await listWith(people(12));
  await page.getByLabel('Select all on this page').check();
  await says(page, '10 selected');
  await press(page, 'Next page');
  await checkbox(page, 'person0010').check();
  await says(page, '11 selected, 1 on this page');
  const all = page.getByLabel('Select all on this page');
  expect(await all.evaluate((box: HTMLInputElement) => box.indeterminate)).toBe(true);
  let calls = 0;
  const release = await hold(page, '**/api/list-members/*', route => {
    calls += 1;
    return calls === 2 || calls === 5 ? route.fulfill(DOWN) : route.continue();
  });
  await pressInBar(page, 'Unsubscribe');
  await bar(page).getByText('Unsubscribing 0 of 11').waitFor();
  release();
  await bar(page).getByText('9 of 11 unsubscribed; 2 failed: Failed to update subscription status').waitFor();
  expect(await storedWith('unsubscribed')).toHaveLength(9);
  await pressInBar(page, 'Retry');
  await says(page, '11 members unsubscribed.');
  await expect.poll(() => storedWith('subscribed')).toEqual(['person0011']);
  expect(await bar(page).count()).toBe(0);
  await table(page).getByText('Unsubscribed').first().waitFor();
  await press(page, 'Undo');
  await says(page, '11 members subscribed again.');
  await expect.poll(() => storedWith('unsubscribed')).toEqual([]);
});

it('a run is stopped and continued, and stops when its page is left', async () => {
  const { page, storedWith } = await listWith(people(10));
  await page.getByLabel('Select all on this page').check();
  let release = await hold(page, '**/api/list-members/*');
  await pressInBar(page, 'Delete members');
  await page.getByRole('dialog').getByText('and 7 more are removed from this list').waitFor();
  await answer(page, 'Delete 10 members');
  await bar(page).getByText('Deleting 0 of 10').waitFor();
  await pressInBar(page, 'Stop');
  release();
  await bar(page).getByText('4 of 10 deleted; 6 not tried.').waitFor();
  await expect.poll(() => names(page)).toHaveLength(6);
  await page.unrouteAll();
  release = await hold(page, '**/api/list-members/*');
  await pressInBar(page, 'Continue');
  await bar(page).getByText('Deleting 4 of 10').waitFor();
  await page.getByRole('link', { name: 'Profile' }).click();
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
  release();
  await says(page, '8 of 10 deleted; 2 not tried.');
  expect(await storedWith('subscribed')).toHaveLength(2);
});

it('all members of the last page are deleted, also one whom somebody else deleted before', async () => {
  const { owner, page, storedWith } = await listWith(people(13));
  await press(page, 'Next page');
  await checkbox(page, 'person0010').check();
  await checkbox(page, 'person0012').click({ modifiers: ['Shift'] });
  await says(page, '3 selected');
  const id = (
    await checkbox(page, 'person0011').locator('xpath=ancestor::tr').getByRole('link').getAttribute('href')
  )
    ?.split('/')
    .at(-1);
  await stack.call('DELETE /api/list-members/{listMember}', {
    token: owner.token,
    organization: owner.home.id,
    params: { listMember: id ?? '' },
  });
  await pressInBar(page, 'Delete members');
  await answer(page, 'Delete 3 members');
  await says(page, '3 members deleted.');
  await expect.poll(() => names(page)).toEqual(await storedWith('subscribed'));
  await expect.poll(() => names(page)).toHaveLength(10);
});

it('the menu of a row unsubscribes its member, and deletes it', async () => {
  allow(/502/);
  const { page, storedWith } = await listWith([member('ada'), member('grace')]);
  const choose = async (name: string, item: string) => {
    await table(page).getByRole('row', { name }).hover();
    await press(page, `Actions for ${name}@example.com`);
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };
  await choose('ada', 'Unsubscribe');
  await says(page, 'ada@example.com was unsubscribed.');
  await table(page).getByRole('row', { name: 'ada' }).getByText('Unsubscribed').waitFor();
  await press(page, 'Undo');
  await expect.poll(() => storedWith('unsubscribed')).toEqual([]);
  await page.route('**/api/list-members/*', route => route.fulfill(DOWN));
  await choose('ada', 'Delete');
  await press(page, 'Delete member');
  await says(page, 'Failed to delete member');
  await page.unrouteAll();
  await answer(page, 'Delete member');
  await says(page, 'ada@example.com was deleted.');
  await expect.poll(() => names(page)).toEqual(['grace']);
});

it('members are selected and deleted by the keyboard alone, and the focus is never lost', async () => {
  const { page } = await listWith(people(3));
  const isOn = (selector: string) => page.evaluate(css => document.activeElement?.matches(css), selector);
  const tabTo = async (selector: string, key = 'Tab') => {
    for (let presses = 0; presses < 30 && !(await isOn(selector)); presses++) await page.keyboard.press(key);
    expect(await isOn(selector)).toBe(true);
  };
  await page.getByLabel('Search members').focus();
  await tabTo('tbody tr');
  await page.keyboard.press('Space');
  await says(page, '1 selected');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await says(page, '2 selected');
  await tabTo('section[aria-label="Selected members"] button:nth-of-type(2)');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await says(page, '2 members deleted.');
  await expect.poll(() => names(page)).toEqual(['person0002']);
  await expect.poll(() => isOn('thead input')).toBe(true);
  await page.keyboard.press('Space');
  await says(page, '1 selected');
  await tabTo('section[aria-label="Selected members"] button:last-of-type');
  await page.keyboard.press('Enter');
  await expect.poll(() => isOn('thead input')).toBe(true);
  expect(await checkbox(page, 'person0002').isChecked()).toBe(false);
});
