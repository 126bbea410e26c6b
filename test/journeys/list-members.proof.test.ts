import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { answer, choose, hold, press, query, says } from '../support/browser/page.ts';
import { addMembers, newList } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const as = ({ token, home }: Person, params: Record<string, string>) => ({
  token,
  organization: home.id,
  params,
});
const membersOf = async (owner: Person, list: string) =>
  (await stack.call('GET /api/email-lists/{list}/members', as(owner, { list }))).body.data;
const memberOf = async (owner: Person, member: string) =>
  (await stack.call('GET /api/list-members/{listMember}', as(owner, { listMember: member }))).body;

const addresses = (page: Page) =>
  page.getByRole('grid', { name: 'Members' }).getByRole('link').allTextContents();

async function newListWith(owner: Person, ...members: { email: string; [key: string]: unknown }[]) {
  const list = await newList(stack, owner);
  await addMembers(stack, owner, list, members);
  const [first] = await membersOf(owner, list);
  return { list, member: first.id as string };
}

it('members are added one after another, and counted', async () => {
  const owner = await newMember(stack);
  const list = await newList(stack, owner);
  const page = await visit(`/email-lists/${list}`, owner);
  await page.getByRole('link', { name: 'Add member' }).last().click();
  await page.getByRole('heading', { name: 'Add member to Customers', level: 1 }).waitFor();
  const email = page.getByLabel('Email');
  await press(page, 'Add member');
  await says(page, 'Email is required');
  await email.fill('not an address');
  await says(page, 'Enter a valid email address');
  await email.fill(' Ada@Example.com ');
  await press(page, 'Add and continue');
  await says(page, 'ada@example.com was added.');
  expect(await email.inputValue()).toBe('');
  expect(await email.evaluate(element => element === document.activeElement)).toBe(true);
  await email.fill('ADA@example.com');
  await press(page, 'Add member');
  await says(page, 'This email is already in the list');
  await email.fill('grace@example.com');
  await page.getByLabel('Subscribed').uncheck();
  await press(page, 'Add member');
  await expect.poll(() => addresses(page)).toEqual(['ada@example.com', 'grace@example.com']);
  await page.goBack();
  await expect.poll(() => addresses(page)).toEqual(['ada@example.com', 'grace@example.com']);

  await stack.fetchJson('POST', '/_local/drain');
  await page.clock.install();
  await page.reload();
  await says(page, '2 members · 1 subscribed · 1 unsubscribed');
  await addMembers(stack, owner, list, [{ email: 'third@example.com' }]);
  await page.clock.runFor(11_000);
  await says(page, '3 members · 2 subscribed · 1 unsubscribed');
});

it('a member is unsubscribed by one click, and subscribed again by Undo or when they asked for it', async () => {
  const owner = await newMember(stack);
  const { list, member } = await newListWith(owner, { email: 'ada@example.com' });
  const page = await visit(`/email-lists/${list}`, owner);
  await page.getByRole('link', { name: 'ada@example.com' }).click();
  await page.getByRole('heading', { name: 'ada@example.com', level: 1 }).waitFor();
  const activity = () =>
    page
      .getByRole('grid', { name: 'Activity' })
      .locator('tbody tr[tabindex] td:first-child')
      .allTextContents();
  const subscribed = async () => (await memberOf(owner, member)).is_subscribed;
  const unsubscribe = page.getByRole('button', { name: 'Unsubscribe', exact: true });
  // Enabled once the member is loaded.
  await unsubscribe.click({ trial: true });
  const release = await hold(page, '**/api/list-members/*');
  await unsubscribe.dblclick();
  release();
  await expect.poll(subscribed).toBe(false);
  await expect.poll(activity).toEqual(['Unsubscribed', 'Subscribed']);
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.getByRole('link', { name: 'Customers' }).click();
  const row = page.getByRole('row', { name: 'ada@example.com' });
  await row.getByText('Unsubscribed', { exact: true }).waitFor();
  await press(page, 'Undo');
  await row.getByText('Subscribed', { exact: true }).waitFor();
  expect(await subscribed()).toBe(true);
  await page.goBack();
  await press(page, 'Unsubscribe');
  await press(page, 'Subscribe');
  await page.getByText('Subscribe them again only if they asked for it themselves.').waitFor();
  await answer(page, 'Subscribe');
  await expect.poll(subscribed).toBe(true);
  const all = ['Subscribed', 'Unsubscribed', 'Subscribed', 'Unsubscribed', 'Subscribed'];
  await expect.poll(activity).toEqual(all);
});

it('a member is deleted, which leads back to where one was in the list', async () => {
  const owner = await newMember(stack);
  const members = [{ email: 'ada@example.com' }, { email: 'grace@example.com' }];
  const { list, member } = await newListWith(owner, ...members);
  const page = await visit(`/email-lists/${list}?per_page=25`, owner);
  await page.getByRole('link', { name: 'ada@example.com' }).click();
  await press(page, 'Copy address');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('ada@example.com');
  await choose(page, 'More actions', 'Delete');
  await page.getByRole('dialog').getByText('ada@example.com is removed from Customers').waitFor();
  await press(page, 'Delete member');
  await says(page, 'ada@example.com was deleted from Customers.');
  await expect.poll(() => addresses(page)).toEqual(['grace@example.com']);
  expect(query(page)).toBe('?per_page=25');
  await page.goto(`/list-members/${member}`);
  await says(page, 'Member not found');
  await page.waitForURL('**/email-lists');
});
