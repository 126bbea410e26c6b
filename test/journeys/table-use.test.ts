import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { hold, rowAction, says } from '../support/browser/page.ts';
import { newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

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
