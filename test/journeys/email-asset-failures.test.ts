import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { answer, fact, fail, failChanges, press, rowAction, says } from '../support/browser/page.ts';
import { newAsset, newAutomation } from '../support/content.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit, allow } = sharedBrowser(stack.url);

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

it('when the server fails, the page says what was not done, and shows what is stored', async () => {
  allow(/50\d/);
  const owner = await newMember(stack);
  await newAutomation(stack, owner);
  const id = await newAsset(stack, owner, { name: 'Spring' });
  const page = await visit(`/email-assets/${id}`, owner);
  await press(page, 'Edit');
  await page.getByLabel('welcome').check();
  await failChanges(page, '**/api/email-assets/**');
  await press(page, 'Save');
  await says(page, 'Failed to update automations. Please try again.');
  await press(page, 'Cancel');
  await press(page, 'Deactivate');
  await says(page, 'Failed to update email asset status. Please try again.');
  expect(await fact(page, 'Status').textContent()).toBe('Active');
  await press(page, 'Delete Asset');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Asset' }).click();
  await page.getByRole('dialog').getByText('Failed to delete email asset. Please try again.').waitFor();
  await answer(page, 'Cancel');
  await page.unrouteAll();
  await fail(page, '**/api/automations-for-assets');
  await page.reload();
  await press(page, 'Edit');
  await says(page, 'Failed to load automations. Please try again.');
  await fail(page, `**/api/email-assets/${id}`);
  await page.goto('/email-assets');
  await rowAction(page, 'Spring', 'Duplicate');
  await says(page, 'Failed to duplicate email asset. Please try again.');
  await page.goto(`/email-assets/${id}`);
  await says(page, 'Failed to fetch email asset. Please try again.');
});

it('a form that is not saved says why, and stays as it is', async () => {
  allow(/500/);
  const page = await visit('/email-assets/new', await newMember(stack));
  await field(page, 'Content').fill('Hello');
  for (const [reply, message] of [
    [{ status: 200, json: {} }, 'Unexpected response from server'],
    [{ status: 500, json: {} }, 'Failed to create email asset'],
    [{ status: 422, json: { message: 'Invalid', errors: { name: ['Too odd a name'] } } }, 'Too odd a name'],
  ] as const) {
    await failChanges(page, '**/api/email-assets', () => reply);
    await press(page, 'Create Email Asset');
    await says(page, message);
    await page.unrouteAll();
  }
  expect(await field(page, 'Content').inputValue()).toBe('Hello');
  expect(new URL(page.url()).pathname).toBe('/email-assets/new');
});
