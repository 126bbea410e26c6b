import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { answer, hold, rowActionByKeyboard, says } from '../support/browser/page.ts';
import { addMembers, newList } from '../support/list.ts';
import { newcomer, newMember } from '../support/member.ts';
import { newOrganization } from '../support/organization.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

/** The name of what has the focus: its label, else its text. */
const focus = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    if (activeElement instanceof HTMLBodyElement) return 'the body';
    if (activeElement instanceof HTMLInputElement && activeElement.labels?.[0])
      return activeElement.labels[0].textContent;
    const text = activeElement instanceof HTMLElement ? activeElement.innerText : undefined;
    return activeElement?.getAttribute('aria-label') ?? text;
  });
const focusMovesTo = (page: Page, name: unknown) => expect.poll(() => focus(page)).toEqual(name);

/** Like a click, but by keyboard. */
async function enter(page: Page, name: string) {
  await page.getByRole('button', { name, exact: true }).focus();
  await page.keyboard.press('Enter');
}

it('the focus stays on the pager at the last page, and goes from Clear search to the search', async () => {
  const owner = await newMember(stack);
  const list = await newList(stack, owner);
  const people = Array.from({ length: 15 }, (_, index) => ({ email: `person${index + 10}@example.com` }));
  await addMembers(stack, owner, list, people);
  const page = await visit(`/email-lists/${list}`, owner);
  await enter(page, 'Next page');
  await page.getByRole('link', { name: 'person24@' }).waitFor();
  expect(await focus(page)).toBe('Next page');
  expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
  await page.keyboard.press('Enter');
  await enter(page, 'Previous page');
  await page.getByRole('link', { name: 'person10@' }).waitFor();
  expect(await focus(page)).toBe('Previous page');

  await page.getByLabel('Search members').fill('nobody');
  await says(page, 'Nothing found');
  await enter(page, 'Clear search');
  await page.getByRole('link', { name: 'person10@' }).waitFor();
  expect(await focus(page)).toBe('Search members');
  await page.goto('/email-lists?search=nothing');
  await enter(page, 'Clear search');
  await page.getByRole('link', { name: 'Customers', exact: true }).waitFor();
  expect(await focus(page)).toBe('Search lists');
});

it('the focus follows the form of a sending key and what takes its place', async () => {
  const owner = await newMember(stack);
  const page = await visit(`/email-lists/${await newList(stack, owner)}/edit`, owner);
  stack.mustNotBeLogged('key-0123456789abcdef');
  await page.getByLabel('Sending key', { exact: true }).fill('key-0123456789abcdef');
  await page.keyboard.press('Enter');
  await focusMovesTo(page, 'Test connection');
  await enter(page, 'Replace key');
  await focusMovesTo(page, 'Sending key');
  await enter(page, 'Cancel');
  await focusMovesTo(page, 'Test connection');
  await enter(page, 'Remove key');
  await answer(page, 'Remove key');
  await focusMovesTo(page, 'Sending key');
});

it('the focus goes to the value of a new token, then to its row, and from a deleted one to the next', async () => {
  const { token } = await newMember(stack);
  const page = await visit('/profile', { token });
  await enter(page, 'Create token');
  await page.getByLabel('Token name').fill('first');
  await page.keyboard.press('Enter');
  const created = page.getByRole('dialog', { name: 'Token created' });
  stack.mustNotBeLogged((await created.locator('[data-token]').textContent()) ?? '');
  await focusMovesTo(page, 'Copy');
  await page
    .getByRole('button', { name: 'Actions for first', includeHidden: true })
    .waitFor({ state: 'attached' });
  await answer(page, 'Close');
  await focusMovesTo(page, expect.stringMatching(/^first/));

  for (const name of ['second', 'third']) {
    await stack.call('POST /api/tokens', { token, body: { name, expiration: null } });
  }
  await page.reload();
  const names = page.getByRole('table', { name: 'API Tokens' }).locator('tbody td:first-child');
  await expect.poll(() => names.count()).toBe(3);
  const [one, two, three] = await names.allTextContents();
  for (const [deleted, next] of [
    [one, expect.stringMatching(`^${two}`)],
    [three, expect.stringMatching(`^${two}`)],
    [two, 'Create token'],
  ]) {
    await rowActionByKeyboard(page, String(deleted), 'Delete');
    await answer(page, 'Delete');
    await focusMovesTo(page, next);
  }
});

it('the focus goes to the heading when an organization is deleted', async () => {
  const owner = await newMember(stack);
  const organization = await newOrganization(stack, owner, 'Depot');
  const page = await visit('/access-control', { ...owner, organization });
  await enter(page, 'Delete organization');
  await page.getByLabel('Type “Depot” to confirm').fill('Depot');
  await page.keyboard.press('Enter');
  await says(page, 'Depot was deleted.');
  await focusMovesTo(page, 'Organizations');
});

it('the focus goes to the texts of the terms, and back', async () => {
  const page = await visit('/', await newcomer(stack));
  const read = 'Read Terms and Conditions & Privacy Policy';
  await enter(page, read);
  await focusMovesTo(page, 'Terms and Conditions and Privacy Policy');
  await enter(page, 'Back');
  await focusMovesTo(page, read);
});

it('the focus goes to the heading after going back, also to the page that was opened first', async () => {
  const owner = await newMember(stack);
  const list = await newList(stack, owner);
  const page = await visit('/email-lists', owner);
  await page.getByRole('link', { name: 'Customers', exact: true }).click();
  await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
  await enter(page, 'Columns');
  await page.getByRole('dialog', { name: 'Columns' }).getByText('No member of this list').waitFor();
  await page.goBack();
  await focusMovesTo(page, 'Email Lists');
  await page.goto(`/email-lists/${list}`);
  await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
  expect(await focus(page)).toBe('the body');
});

it('the focus goes to the heading when a dialog is closed that an address had opened', async () => {
  const page = await visit('/access-control?open=invite', await newMember(stack));
  await page.getByRole('dialog').getByLabel('Email').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await focusMovesTo(page, 'Organizations');
});

it('the focus stays with the logo when it is discarded, saved and removed', async () => {
  const owner = await newMember(stack);
  const page = await visit(`/email-lists/${await newList(stack, owner)}/edit`, owner);
  const choose = () =>
    page.getByLabel('Choose a logo').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PIXEL });
  await choose();
  await enter(page, 'Discard');
  await focusMovesTo(page, 'Upload logo');
  await choose();
  const release = await hold(page, '**/logo');
  await enter(page, 'Save logo');
  await enter(page, 'Discard');
  release();
  await says(page, 'Logo saved.');
  await enter(page, 'Remove logo');
  await says(page, 'Logo removed.');
  await focusMovesTo(page, 'Upload logo');
});

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
