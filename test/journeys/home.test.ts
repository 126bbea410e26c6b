import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { navigation } from '../../web/src/app/navigation.ts';
import { sharedBrowser } from '../support/browser/browser.ts';
import { press, says } from '../support/browser/page.ts';
import { addMembers, newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { join } from '../support/organization.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const section = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, level: 2 }) });
const items = (page: Page, title: string) => section(page, title).getByRole('listitem').allTextContents();
const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link');

it('the first steps lead to where they are taken, tick themselves off, and are dismissed for everybody', async () => {
  const owner = await newMember(stack);
  const page = await visit('/', owner);
  await says(page, '0 of 9 done');
  expect(await section(page, 'Email lists').count()).toBe(0);
  await page.getByRole('link', { name: 'Create list' }).click();
  await page.getByRole('heading', { name: 'Create list', level: 1 }).waitFor();
  const list = await newList(stack, owner);
  await page.goBack();
  await page.reload();
  await says(page, '1 of 9 done');
  expect(await items(page, 'Email lists')).toEqual(['Customers0 membersNo sending keySet the sending key']);
  await page.getByRole('link', { name: 'Set the sending key', exact: true }).click();
  await page.getByLabel('Sending key', { exact: true }).fill('key-1');
  await press(page, 'Save key');
  await press(page, 'Test connection');
  await page.getByRole('definition').getByText('Valid', { exact: true }).waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
  await says(page, '2 of 9 done');
  await addMembers(stack, owner, list, [{ email: 'ada@example.com' }]);
  await page.reload();
  await expect.poll(() => items(page, 'Email lists')).toEqual(['Customers1 memberReady to send']);
  await says(page, '3 of 9 done');
  await press(page, 'Dismiss');
  await section(page, 'Last 30 days').waitFor();
  expect(await section(page, 'First steps').count()).toBe(0);
  await page.reload();
  await section(page, 'Coming up').waitFor();
  expect(await section(page, 'First steps').count()).toBe(0);
  expect(await pages(page).allTextContents()).toHaveLength(navigation.length - 1);
});

it('a user sees no step that they may not take, and what a list needs without a way to change it', async () => {
  const owner = await newMember(stack);
  const guest = await newMember(stack);
  await join(stack, owner, owner.home.id, guest);
  const page = await visit('/', { ...guest, organization: owner.home.id });
  await says(page, '0 of 8 done');
  expect(await section(page, 'First steps').getByRole('link').allTextContents()).toEqual([
    ...['Create list', 'Create an email template', 'Create an automation', 'The first email is sent'],
  ]);
  await newList(stack, owner);
  await page.reload();
  await says(page, '1 of 8 done');
  expect(await items(page, 'Email lists')).toEqual(['Customers0 membersNo sending key']);
});

it('of many lists, those come first that need something, and all are a click away', async () => {
  const owner = await newMember(stack);
  for (const name of ['A', 'B', 'C', 'D', 'E', 'F', 'G']) await newList(stack, owner, { name });
  const page = await visit('/', owner);
  await expect.poll(() => items(page, 'Email lists')).toHaveLength(6);
  await page.getByRole('link', { name: 'All 7 lists' }).click();
  await page.getByRole('heading', { name: 'Email Lists', level: 1 }).waitFor();
});
