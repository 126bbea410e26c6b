import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { listWith, table } from '../support/browser/members-table.ts';
import { chosen, hold, press, rowAction, says, stored, switchTo } from '../support/browser/page.ts';
import { newList, people } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { newOrganization } from '../support/organization.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

/** The calls that change something. */
function changes(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', request => {
    if (request.method() !== 'GET') calls.push(request.method());
  });
  return calls;
}

it('one who goes to another organization and back, before either has answered, sees the lists', async () => {
  const owner = await newMember(stack);
  await newList(stack, owner);
  await newOrganization(stack, owner, 'Depot');
  const page = await visit('/profile', { ...owner, organization: owner.home.id });
  const release = await hold(page, '**/api/email-lists');
  const asked = page.waitForRequest('**/api/email-lists');
  await page.getByRole('link', { name: 'Email Lists', exact: true }).click();
  await asked;
  await switchTo(page, 'Depot');
  await expect.poll(() => chosen(page)).toBe('Depot');
  await switchTo(page, owner.home.name);
  await expect.poll(() => chosen(page)).toBe(owner.home.name);
  release();
  await page.getByRole('link', { name: 'Customers', exact: true }).waitFor();
});

describe('in the members table', () => {
  const bar = (page: Page) => page.getByRole('region', { name: 'Selected members' });
  /** The results that the bar has shown, however short. */
  const resultsIn = (page: Page) =>
    bar(page).evaluateHandle(region => {
      const results: string[] = [];
      const note = () => {
        for (const { textContent } of region.querySelectorAll('[role=alert]')) results.push(textContent);
      };
      new MutationObserver(note).observe(region, { childList: true, subtree: true });
      return results;
    });

  it('an Undo waits for the run that is under way, which can be stopped', async () => {
    const { page, storedWith } = await listWith(stack, visit, people(9));
    await page.getByLabel('Select person0000@example.com').check();
    await bar(page).getByRole('button', { name: 'Unsubscribe' }).click();
    await says(page, '1 member unsubscribed.');
    await page.getByLabel('Select all on this page').check();
    await page.getByLabel('Select person0000@example.com').uncheck();
    await bar(page).getByRole('button', { name: 'Delete members' }).click();
    const release = await hold(page, '**/api/list-members/*');
    await press(page, 'Delete 8 members');
    await bar(page).getByText('Deleting 0 of 8').waitFor();
    await press(page, 'Undo');
    await expect.poll(() => page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(await bar(page).innerText()).toContain('Deleting 0 of 8');
    await press(page, 'Stop');
    const results = await resultsIn(page);
    release();
    await says(page, '4 of 8 deleted; 4 not tried.');
    await says(page, '1 member subscribed again.');
    expect(await results.jsonValue()).toEqual([]);
    expect(await storedWith('subscribed')).toHaveLength(5);
  });

  it('a member is unsubscribed once, however often one asks, and the Undo stays', async () => {
    const { page } = await listWith(stack, visit, people(2));
    const calls = changes(page);
    const release = await hold(page, '**/api/list-members/*');
    await rowAction(page, 'person0000@example.com', 'Unsubscribe');
    const menu = page.getByRole('button', { name: 'Actions for person0000@example.com' });
    await expect.poll(() => menu.getAttribute('aria-busy')).toBe('true');
    await menu.press('ArrowDown');
    await menu.press('Enter');
    expect(await page.getByRole('menu').count()).toBe(0);
    release();
    await says(page, 'person0000@example.com was unsubscribed.');
    await table(page).getByText('Unsubscribed').waitFor();
    expect(calls).toEqual(['PUT']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await says(page, 'person0000@example.com is subscribed again.');
  });
});

it('logging out asks before what is typed is lost, and ends nothing before the answer', async () => {
  const page = await visit('/email-lists/new', await newMember(stack));
  const calls = changes(page);
  const asked: string[] = [];
  page.on('dialog', dialog => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await page.getByLabel('Name', { exact: true }).fill('Spring');
  await press(page, 'Logout');
  await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
  await press(page, 'Keep editing');
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Spring');
  expect(calls).toEqual([]);
  expect((await stored(page)).token).toBeDefined();
  await press(page, 'Logout');
  await press(page, 'Leave');
  await page.waitForURL('**/login');
  expect(asked).toEqual([]);
});
