import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { hold, press, rowAction, says } from '../support/browser/page.ts';
import { newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

it('a table is one row and its menu in the tab order, wherever the arrow keys have led', async () => {
  const person = await newMember(stack);
  await newList(stack, person, { name: 'First' });
  await newList(stack, person, { name: 'Second' });
  const page = await visit('/email-lists', person);
  const focus = () =>
    page.evaluate(
      () => document.activeElement?.ariaLabel ?? document.activeElement?.querySelector('td')?.innerText,
    );
  await page.getByRole('link', { name: 'First' }).waitFor();
  await page.getByRole('button', { name: 'Members' }).focus();
  await page.keyboard.press('Tab');
  expect(await focus()).toBe('First');
  await page.keyboard.press('Tab');
  expect(await focus()).toBe('Actions for First');
  await page.keyboard.press('Tab');
  expect(await page.getByRole('table').locator(':focus').count()).toBe(0);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('ArrowDown');
  expect(await focus()).toBe('Second');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor();
  await page.locator('[data-highlighted]').getByText('Deactivate').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Edit Second', level: 1 }).waitFor();
});

it('the menu of a row whose action is running says so, keeps the focus, and does nothing meanwhile', async () => {
  const person = await newMember(stack);
  await newList(stack, person);
  const page = await visit('/email-lists', person);
  let changes = 0;
  page.on('request', request => {
    if (request.method() === 'PUT') changes++;
  });
  await rowAction(page, 'Customers', 'Deactivate');
  await says(page, 'Inactive');
  const release = await hold(page, '**/api/email-lists/*');
  await rowAction(page, 'Customers', 'Activate');
  const menu = page.getByRole('button', { name: 'Actions for Customers' });
  await expect.poll(() => menu.getAttribute('aria-busy')).toBe('true');
  await expect.poll(() => menu.evaluate(button => button === document.activeElement)).toBe(true);
  await menu.click({ force: true });
  expect(await page.getByRole('menu').count()).toBe(0);
  release();
  await expect.poll(() => menu.getAttribute('aria-busy')).toBe('false');
  expect(changes).toBe(2);
});

it('a table says how many rows it has and, politely, how many a search found', async () => {
  const person = await newMember(stack);
  const page = await visit('/email-lists', person);
  await says(page, 'No email lists yet');
  expect(await page.getByText('0 lists').count()).toBe(0);
  await newList(stack, person);
  await page.reload();
  await says(page, '1 list');
  await newList(stack, person, { name: 'Readers' });
  await page.reload();
  await says(page, '2 lists');
  const announced = page.locator('[aria-live=polite]').filter({ hasText: /list/ });
  await page.getByLabel('Search lists').fill('read');
  await expect.poll(() => announced.textContent()).toBe('1 of 2 lists matches');
  await page.getByLabel('Search lists').fill('nothing');
  await expect.poll(() => announced.textContent()).toBe('0 of 2 lists match');
});

describe('rows that can be selected', () => {
  const checked = (page: Page) =>
    page
      .getByRole('row')
      .filter({ has: page.locator(':checked') })
      .count();
  const select = (page: Page, number: number) => page.getByLabel(`Select Example 0${number}`);

  it('are selected one by one, as a range, and by Space', async () => {
    const page = await visit('/_local/pieces');
    await select(page, 2).click();
    await select(page, 4).click({ modifiers: ['Shift'] });
    expect(await checked(page)).toBe(3);
    await select(page, 3).uncheck();
    await page.getByRole('row').filter({ hasText: 'Example 05' }).focus();
    await page.keyboard.press('Space');
    await expect.poll(() => select(page, 5).isChecked()).toBe(true);
    expect(await checked(page)).toBe(3);
  });

  it('are selected all at once, and stay selected on their page', async () => {
    const page = await visit('/_local/pieces');
    const all = page.getByLabel('Select all on this page');
    const isMixed = () => all.evaluate((box: HTMLInputElement) => box.indeterminate);
    await select(page, 1).check();
    expect(await isMixed()).toBe(true);
    await all.click();
    expect(await isMixed()).toBe(false);
    await expect.poll(() => checked(page)).toBe(6);
    await press(page, 'Next page');
    await page.getByText('Example 06').waitFor();
    expect(await all.isChecked()).toBe(false);
    expect(await checked(page)).toBe(0);
    await press(page, 'Previous page');
    await expect.poll(() => all.isChecked()).toBe(true);
    await all.uncheck();
    await expect.poll(() => checked(page)).toBe(0);
  });
});
