import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { chosen, says, stored } from '../support/browser/page.ts';
import { addMembers, newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { newOrganization } from '../support/organization.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit, visitor } = sharedBrowser(stack.url);

const SWITCHED = 'Switched to Depot, which this list belongs to.';
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

/** Somebody whose second organization, Depot, has a list with a member. They are in their first one. */
async function ownerOfTwo() {
  const owner = await newMember(stack);
  const depot = await newOrganization(stack, owner, 'Depot');
  const there = { ...owner, home: { id: depot, name: 'Depot' } };
  const list = await newList(stack, there);
  await addMembers(stack, there, list, [{ email: 'ada@example.com' }]);
  return { owner: { ...owner, organization: owner.home.id }, depot, list };
}

it('the address of a list of another organization of one’s own opens it there, again after a reload', async () => {
  const { owner, depot, list } = await ownerOfTwo();
  const page = await visit(`/email-lists/${list}?search=ada`, owner);
  await says(page, SWITCHED);
  await heading(page, 'Customers');
  await page.getByRole('link', { name: 'ada@example.com' }).waitFor();
  expect(await chosen(page)).toBe('Depot');
  expect((await stored(page)).activeOrganizationId).toBe(String(depot));
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(`/email-lists/${list}?search=ada`);
  await page.reload();
  await heading(page, 'Customers');
  expect(await page.getByText('Switched to').count()).toBe(0);
});

it('the other tabs stay in their organization', async () => {
  const { owner, list } = await ownerOfTwo();
  const here = await newList(stack, owner, { name: 'Readers' });
  const { open } = await visitor(owner);
  const first = await open(`/email-lists/${here}`);
  await heading(first, 'Readers');
  const second = await open(`/email-lists/${list}`);
  await heading(second, 'Customers');
  await first.bringToFront();
  await first.evaluate(() => dispatchEvent(new Event('focus')));
  expect(await chosen(first)).toBe(owner.home.name);
  await first.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Email Lists' }).click();
  await link(first, 'Readers').waitFor();
});
