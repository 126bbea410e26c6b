import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { listWith, table } from '../support/browser/members-table.ts';
import { chosen, DOWN, hold, press, rowAction, says, stored, switchTo } from '../support/browser/page.ts';
import { newList, people } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { newOrganization } from '../support/organization.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit, allow } = sharedBrowser(stack.url);

/** The calls that change something. */
function changes(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', request => {
    if (request.method() !== 'GET') calls.push(request.method());
  });
  return calls;
}

async function fillInList(page: Page) {
  await page.getByLabel('Name', { exact: true }).fill('Spring');
  await page.getByLabel('Domain').fill('mail.example.com');
  await page.getByLabel('Sender name').fill('Shop');
  await page.getByLabel('Sender email address').fill('news@mail.example.com');
}

describe('while a dialog waits for its answer', () => {
  it('a confirmation can be neither cancelled nor closed, and says what failed', async () => {
    allow(/502/);
    const owner = await newMember(stack);
    await newList(stack, owner);
    const page = await visit('/email-lists', owner);
    await rowAction(page, 'Customers', 'Delete');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Type “Customers” to confirm').fill('Customers');
    const release = await hold(page, '**/api/email-lists/*', route => route.fulfill(DOWN));
    await press(page, 'Delete list');
    await page.getByRole('button', { name: 'Cancel' }).click({ force: true });
    await press(page, 'Close');
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).toBe(true);
    release();
    await dialog.getByRole('alert').getByText('Failed to delete list. Please try again').waitFor();
    await press(page, 'Cancel');
    await dialog.waitFor({ state: 'detached' });
  });

  it('a form can be neither cancelled nor discarded: the value of a new token is always shown', async () => {
    const page = await visit('/profile?open=token', await newMember(stack));
    const calls = changes(page);
    const name = page.getByLabel('Token name');
    await name.fill('import');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).waitFor();
    const release = await hold(page, '**/api/tokens');
    await name.press('Enter');
    await press(page, 'Discard');
    await page.getByRole('button', { name: 'Cancel' }).click({ force: true });
    await page.keyboard.press('Escape');
    release();
    const created = page.getByRole('dialog', { name: 'Token created' });
    stack.mustNotBeLogged((await created.locator('[data-token]').textContent()) ?? '');
    expect(calls).toEqual(['POST']);
  });
});

describe('while a form is saved', () => {
  it('one who leaves it is not taken along to what was created', async () => {
    const owner = await newMember(stack);
    await newOrganization(stack, owner, 'Depot');
    const page = await visit('/email-lists/new', { ...owner, organization: owner.home.id });
    await fillInList(page);
    const release = await hold(page, '**/api/email-lists');
    await press(page, 'Create list');
    await switchTo(page, 'Depot');
    await press(page, 'Leave');
    await expect.poll(() => chosen(page)).toBe('Depot');
    release();
    await says(page, 'List created.');
    // By then it would have been left.
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'New list' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await chosen(page)).toBe('Depot');
    expect(new URL(page.url()).pathname).toBe('/email-lists/new');
  });

  it('what is typed meanwhile is kept, and asked about', async () => {
    const owner = await newMember(stack);
    const page = await visit(`/email-lists/${await newList(stack, owner)}/edit`, owner);
    const sender = page.getByLabel('Sender name');
    await sender.fill('First');
    const release = await hold(page, '**/api/email-lists/*');
    await press(page, 'Save');
    await page.getByRole('button', { name: 'Saving...' }).waitFor();
    await sender.fill('Second');
    release();
    await says(page, 'List saved.');
    expect(await sender.inputValue()).toBe('Second');
    await page.getByRole('link', { name: 'Profile', exact: true }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await press(page, 'Keep editing');
    await press(page, 'Save');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect
      .poll(async () => (await stack.call('GET /api/email-lists', asOwner(owner))).body[0].sender_name)
      .toBe('Second');
    await page.getByRole('link', { name: 'Profile', exact: true }).click();
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
  });
});

const asOwner = ({ token, home }: Awaited<ReturnType<typeof newMember>>) => ({
  token,
  organization: home.id,
});

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
