import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { answer, fact, press, says } from '../support/browser/page.ts';
import { newAsset, newAutomation } from '../support/content.ts';
import { newMember, type Person } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const as = ({ token, home }: Person) => ({ token, organization: home.id });
const assetsOf = async (owner: Person) => (await stack.call('GET /api/email-assets', as(owner))).body.data;
const table = (page: Page) => page.getByRole('grid', { name: 'Email assets' });
const row = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const path = (page: Page) => new URL(page.url()).pathname;

it('an asset is created, and found in the list', async () => {
  const owner = await newMember(stack);
  for (const name of ['welcome', 'win_back']) await newAutomation(stack, owner, { name });
  const page = await visit('/email-assets', owner);
  await says(page, 'No email assets found');
  await page.getByRole('link', { name: '+ New Email Asset' }).last().click();
  await page.getByRole('heading', { name: 'Create Email Asset' }).waitFor();
  await says(page, 'Email assets cannot be edited after creation: Edit wording makes a new version.');
  await says(page, '0 automation(s) selected');
  await press(page, 'Create Email Asset');
  await says(page, 'Content is required');
  await field(page, 'Content').fill('Hello {{first_name}}');
  await press(page, 'Select All');
  await says(page, '2 automation(s) selected');
  await page.getByLabel('win_back').uncheck();
  await press(page, 'Create Email Asset');

  await row(page, 'Hello {{first_name}}').waitFor();
  expect(path(page)).toBe('/email-assets');
  const cells = await row(page, 'Hello').getByRole('gridcell').allTextContents();
  expect(cells.slice(0, 5)).toEqual([
    '[Subject Line]',
    'Subject Line',
    'Hello {{first_name}}',
    'Active',
    'welcome',
  ]);
});

it('an asset is shown as it was written, deactivated, linked and deleted', async () => {
  const owner = await newMember(stack);
  const automations = [];
  for (const name of ['welcome', 'win_back']) automations.push(await newAutomation(stack, owner, { name }));
  const value = 'Two lines,\nand *no* markup.';
  const id = await newAsset(stack, owner, { type: 'pre_cta_content', value });
  const page = await visit(`/email-assets/${id}`, owner);
  await page.getByRole('heading', { name: '[Pre-CTA Content]', level: 1 }).waitFor();
  await page.frameLocator('iframe').getByText('Two lines,').waitFor();
  await page.getByRole('tab', { name: 'Asset Content' }).click();
  expect(await page.getByText('Two lines,').evaluate(element => (element as HTMLElement).innerText)).toBe(
    value,
  );
  await says(page, 'No automations linked. Click Edit to add some.');
  expect(await fact(page, 'Type').textContent()).toBe('Pre-CTA Content');
  await press(page, 'Deactivate');
  await press(page, 'Undo');
  await expect.poll(() => fact(page, 'Status').textContent()).toBe('Active');
  await press(page, 'Deactivate');
  await page.getByRole('button', { name: 'Activate', exact: true }).waitFor();
  expect(await fact(page, 'Status').textContent()).toBe('Inactive');

  await press(page, 'Edit');
  await press(page, 'Select All');
  await press(page, 'Cancel');
  await says(page, 'No automations linked. Click Edit to add some.');
  await press(page, 'Edit');
  await says(page, '0 automation(s) selected');
  await page.getByLabel('win_back').check();
  await press(page, 'Save');
  await page.getByRole('link', { name: 'win_back' }).waitFor();
  expect(await page.getByRole('link', { name: 'win_back' }).getAttribute('href')).toBe(
    `/automations/${automations[1]}`,
  );
  expect(await assetsOf(owner)).toMatchObject([
    { id, is_active: false, automations: [{ id: automations[1], name: 'win_back' }] },
  ]);

  await press(page, 'Delete Asset');
  await says(page, 'Are you sure you want to delete this email asset? This action cannot be undone.');
  await answer(page, 'Cancel');
  await press(page, 'Delete Asset');
  await answer(page, 'Delete Asset');
  await says(page, 'No email assets found');
  expect(await assetsOf(owner)).toEqual([]);
  await page.goto(`/email-assets/${id}`);
  await says(page, 'Email asset not found. Are you logged in with the right account?');
});
