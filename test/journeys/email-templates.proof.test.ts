import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { press, says } from '../support/browser/page.ts';
import { newAutomation } from '../support/content.ts';
import { newMember, type Person } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const as = ({ token, home }: Person) => ({ token, organization: home.id });
const templatesOf = async (owner: Person) => (await stack.call('GET /api/email-templates', as(owner))).body;
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const table = (page: Page) => page.getByRole('grid', { name: 'Email templates' });
const row = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

async function fillIn(page: Page, fields: Record<string, string>) {
  for (const [label, text] of Object.entries(fields)) await field(page, label).fill(text);
}

const CONTENT = {
  'Template Name': 'Spring',
  'Subject Line': 'Spring is here',
  'Pre-CTA Content': "Hello {{first_name | 'you'}},\n\nit is *spring*.",
  'CTA Text': 'Look around',
  'CTA URL': 'https://shop.example.com/spring?{{utm_tags_template_id}}',
};

it('a template is created, shown, renamed, switched off and on, and deleted', async () => {
  const owner = await newMember(stack);
  await newAutomation(stack, owner, { name: 'welcome' });
  const page = await visit('/email-templates', owner);
  await says(page, 'No email templates found');
  await page.getByRole('link', { name: '+ New Email Template' }).last().click();
  await heading(page, 'Create Email Template');
  await expect.poll(() => field(page, 'Language').locator('option').count()).toBe(41);
  expect(await field(page, 'Footer').inputValue()).toBe('{{UNSUB_LINK}}');
  await fillIn(page, CONTENT);
  const preview = page.getByRole('complementary', { name: 'Preview' });
  await preview.frameLocator('iframe').getByText('Look around').waitFor();
  await field(page, 'Language').selectOption('German');
  await field(page, 'welcome').check();
  await press(page, 'Create Email Template');
  await says(page, 'Email template created successfully!');
  await heading(page, 'Email Templates');
  await expect
    .poll(() => row(page, 'Spring').getByRole('gridcell').allInnerTexts())
    .toEqual(['Spring', 'Spring is here', 'DE', 'Active', expect.stringMatching(/^\w{3} \d+, \d{4}$/), '']);

  await page.getByRole('link', { name: 'Spring', exact: true }).click();
  await heading(page, 'Spring');
  await says(page, 'Locked');
  await page
    .getByRole('region', { name: 'Email', exact: true })
    .frameLocator('iframe')
    .getByText('Look around')
    .waitFor();
  await page.getByRole('tab', { name: 'Content' }).click();
  const content = page.getByRole('tabpanel', { name: 'Content' });
  expect(await content.getByRole('term').allTextContents()).toEqual([
    'Subject Line',
    'Pre-CTA Content',
    'CTA Text',
    'CTA URL',
    'Footer',
  ]);
  const body = content.getByText('Hello {{first_name');
  expect(await body.evaluate(element => getComputedStyle(element).whiteSpace)).toBe('pre-wrap');
  const link = content.getByRole('link');
  expect(await link.getAttribute('target')).toBe('_blank');
  expect(await page.getByRole('link', { name: 'welcome' }).getAttribute('href')).toMatch(
    /^\/automations\/\w+$/,
  );

  await field(page, 'Template Name').fill(' ');
  await press(page, 'Save');
  await says(page, 'Template name is required');
  await field(page, 'Template Name').fill('Summer');
  await press(page, 'Save');
  await says(page, 'Template name updated');
  await heading(page, 'Summer');

  await press(page, 'Deactivate');
  await says(page, 'Template deactivated successfully!');
  await says(page, 'Inactive');
  expect(await templatesOf(owner)).toMatchObject([{ name: 'Summer', is_active: false }]);
  await press(page, 'Activate');
  await says(page, 'Template activated successfully!');

  await press(page, 'Delete');
  await page.getByRole('dialog', { name: 'Confirm Deletion' }).waitFor();
  await says(page, 'Are you sure you want to delete this template? This action cannot be undone.');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await says(page, 'Template deleted successfully!');
  await page.waitForURL('**/email-templates');
  await says(page, 'No email templates found');
  expect(await templatesOf(owner)).toEqual([]);
});
