import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { navigation } from '#web/app/navigation.ts';
import { sharedBrowser } from '../support/browser/browser.ts';
import { press, runCommand, says } from '../support/browser/page.ts';
import { newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { join } from '../support/organization.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit, visitor } = sharedBrowser(stack.url);

const section = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, level: 2 }) });
const items = (page: Page, title: string) => section(page, title).getByRole('listitem').allTextContents();
const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link');

it('the first steps are dismissed for everybody, and come back by the command palette', async () => {
  const owner = await newMember(stack);
  const guest = await newMember(stack);
  await join(stack, owner, owner.home.id, guest);
  const page = await visit('/', owner);
  await says(page, '0 of 9 done');
  expect(await section(page, 'Email lists').count()).toBe(0);
  await press(page, 'Dismiss');
  await section(page, 'Last 30 days').waitFor();
  const { open } = await visitor({ ...guest, organization: owner.home.id });
  const other = await open('/');
  await section(other, 'Coming up').waitFor();
  expect(await section(other, 'First steps').count()).toBe(0);
  expect(await pages(other).allTextContents()).toHaveLength(navigation.length - 1);
  await runCommand(other, 'first steps', 'Show first steps');
  await says(other, '0 of 8 done');
  await page.reload();
  await says(page, '0 of 9 done');
});

it('a user sees no step that they may not take, and what a list needs without a way to change it', async () => {
  const owner = await newMember(stack);
  const guest = await newMember(stack);
  await join(stack, owner, owner.home.id, guest);
  const page = await visit('/', { ...guest, organization: owner.home.id });
  await says(page, '0 of 8 done');
  expect(await section(page, 'First steps').getByRole('link').allTextContents()).toEqual([
    'Create list',
    'Create an email template',
    'Create an automation',
    'The first email is sent',
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
