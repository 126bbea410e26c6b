import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { listWith, member, names, table } from '../support/browser/members-table.ts';
import { answer, press, query, says, stored } from '../support/browser/page.ts';
import { addMembers, people } from '../support/list.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const headers = (page: Page) => table(page).locator('thead th').allInnerTexts();

it('columns are chosen from the metadata, names first, and kept for this list in this browser', async () => {
  const { list, page } = await listWith(stack, visit, [
    member('ada', { plan: 'team', signed_up: '2026-02-28', last_name: 'Lovelace', first_name: 'Ada' }),
    member('grace', { first_name: 'Grace' }),
  ]);
  expect(await headers(page)).toEqual(['', 'Email', 'Status', 'Added', 'Actions']);
  const tick = (...columns: string[]) =>
    columns.reduce(
      (before, column) =>
        before.then(() => page.getByRole('checkbox', { name: column, exact: true }).click()),
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
  const { page } = await listWith(
    stack,
    visit,
    [...people(100), member('zoe', { nickname: 'Zo' })],
    '?search=zoe',
  );
  await press(page, 'Columns');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('These are the columns of 100 members out of 101').waitFor();
  await dialog.getByLabel('Another column').fill('nick/name');
  await dialog.getByLabel('Another column').press('Enter');
  await dialog.getByText('A key must consist of letters from a to z').waitFor();
  await dialog.getByLabel('Another column').fill('nickname');
  await dialog.getByLabel('Another column').press('Enter');
  await answer(page, 'Show columns');
  await table(page).getByText('Zo', { exact: true }).waitFor();
});

it('members are filtered by status and sorted, which the URL keeps', async () => {
  const { owner, list, page } = await listWith(stack, visit, [
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
