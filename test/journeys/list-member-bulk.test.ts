import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { listWith, member, names, table } from '../support/browser/members-table.ts';
import { answer, DOWN, hold, press, says } from '../support/browser/page.ts';
import { people } from '../support/list.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit, allow } = sharedBrowser(stack.url);

const bar = (page: Page) => page.getByRole('region', { name: 'Selected members' });
const pressInBar = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true }).click();
const checkbox = (page: Page, name: string) => page.getByLabel(`Select ${name}@example.com`);

it('many members are unsubscribed, and those for whom it failed once more, until Undo', async () => {
  allow(/502/);
  const { page, storedWith } = await listWith(stack, visit, people(12));
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
  const { page, storedWith } = await listWith(stack, visit, people(10));
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
  const { owner, page, storedWith } = await listWith(stack, visit, people(13));
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
  const { page, storedWith } = await listWith(stack, visit, [member('ada'), member('grace')]);
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
  const { page } = await listWith(stack, visit, people(3));
  const isOn = (selector: string) => page.evaluate(css => document.activeElement?.matches(css), selector);
  const tabTo = async (selector: string) => {
    for (let presses = 0; presses < 30 && !(await isOn(selector)); presses++)
      await page.keyboard.press('Tab');
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
