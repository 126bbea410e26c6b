import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { answer, fact, press, query, rowAction, runCommand, says } from '../support/browser/page.ts';
import { newAsset, newAutomation } from '../support/content.ts';
import { newMember, type Person } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const UNIQUE_CONTENT = 'An email asset with this type and content already exists';
const as = ({ token, home }: Person) => ({ token, organization: home.id });
const assetsOf = async (owner: Person) => (await stack.call('GET /api/email-assets', as(owner))).body.data;
const table = (page: Page) => page.getByRole('grid', { name: 'Email assets' });
const row = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const path = (page: Page) => new URL(page.url()).pathname;

it('an asset is created, found in the list, and refused a second time', async () => {
  const owner = await newMember(stack);
  for (const name of ['welcome', 'win_back']) await newAutomation(stack, owner, { name });
  const page = await visit('/email-assets', owner);
  await says(page, 'No email assets found');
  await page.getByRole('link', { name: '+ New Email Asset' }).last().click();
  await page.getByRole('heading', { name: 'Create Email Asset' }).waitFor();
  await says(page, 'Important Note');
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
  await page.getByRole('link', { name: '+ New Email Asset' }).click();
  await field(page, 'Content').fill('Hello {{first_name}}');
  await press(page, 'Create Email Asset');
  await page.getByRole('alert').getByText(UNIQUE_CONTENT).first().waitFor();
  await expect.poll(() => page.getByText(UNIQUE_CONTENT).count()).toBe(2);
  expect(await assetsOf(owner)).toHaveLength(1);
});

it('an asset is shown as it was written, deactivated, linked and deleted', async () => {
  const owner = await newMember(stack);
  const automations = [];
  for (const name of ['welcome', 'win_back']) automations.push(await newAutomation(stack, owner, { name }));
  const value = 'Two lines,\nand *no* <b>markup</b>.';
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

it('a duplicate begins with name, type, content and status of the other one', async () => {
  const owner = await newMember(stack);
  await newAsset(stack, owner, { name: 'Spring', type: 'cta_text', value: 'Look around', is_active: false });
  const page = await visit('/email-assets', owner);
  await rowAction(page, 'Spring', 'Duplicate');
  await page.getByRole('heading', { name: 'Duplicate Email Asset' }).waitFor();
  const filled = async () =>
    Promise.all(['Name', 'Type', 'Content'].map(name => field(page, name).inputValue()));
  expect(await filled()).toEqual(['Spring (copy)', 'cta_text', 'Look around']);
  expect(await page.getByLabel(/^Active/).isChecked()).toBe(false);
  await field(page, 'Content').fill('Look here');
  await press(page, 'Create Email Asset');
  await row(page, 'Spring (copy)').waitFor();
  await page.getByRole('link', { name: 'Spring', exact: true }).click();
  await press(page, 'Duplicate');
  await expect.poll(filled).toEqual(['Spring (copy)', 'cta_text', 'Look around']);
});

it('assets are searched, filtered and paged by the server, and the address keeps it', async () => {
  const owner = await newMember(stack);
  const automation = await newAutomation(stack, owner);
  for (let index = 1; index <= 49; index += 1) await newAsset(stack, owner);
  await newAsset(stack, owner, { name: 'Old one', type: 'preheader', is_active: false });
  await newAsset(stack, owner, {
    name: 'Linked',
    type: 'footer',
    value: '{{UNSUB_LINK}}',
    automation_ids: [automation],
  });
  const page = await visit('/email-assets', owner);
  const rows = () => table(page).locator('tbody tr').count();
  await says(page, '51 assets');
  await expect.poll(rows).toBe(50);
  await press(page, 'Next page');
  await expect.poll(rows).toBe(1);
  await page.getByLabel('Search by name or content').fill('old');
  await row(page, 'Old one').waitFor();
  expect(query(page)).toBe('?search=old');
  await says(page, '1 of 51 assets matches');
  await field(page, 'Status').selectOption('Active');
  await says(page, 'No assets match your search');
  await press(page, 'Clear search and filters');
  await page.getByRole('button', { name: /^Types/ }).click();
  await page.getByRole('dialog').getByText('Footer').click();
  await page.keyboard.press('Escape');
  await row(page, 'Linked').waitFor();
  await expect.poll(rows).toBe(1);
  await page.reload();
  await row(page, 'Linked').waitFor();
  await page.goto(`/email-assets?automations=${automation}`);
  await row(page, 'Linked').waitFor();
  expect(await rows()).toBe(1);
  await page.goto('/email-assets?page=9');
  await says(page, 'There is no page 9');
});

it('they are found from the templates, with the palette, and in the navigation', async () => {
  const owner = await newMember(stack);
  const page = await visit('/email-templates', owner);
  await page.getByRole('main').getByRole('link', { name: 'Email Assets' }).click();
  await page.getByRole('heading', { name: 'Email Assets', level: 1 }).waitFor();
  const current = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]');
  expect(await current.textContent()).toBe('Email Assets');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profile' }).click();
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
  await runCommand(page, 'email assets', 'Email Assets');
  await page.getByRole('heading', { name: 'Email Assets', level: 1 }).waitFor();
});
