import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { focused, press, query, rowAction, runCommand, says, stored } from '../support/browser/page.ts';
import { newAutomation, newTemplate } from '../support/content.ts';
import { newMember, type Person } from '../support/member.ts';
import { join } from '../support/organization.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const as = ({ token, home }: Person) => ({ token, organization: home.id });
const templatesOf = async (owner: Person) => (await stack.call('GET /api/email-templates', as(owner))).body;
const detailOf = async (owner: Person, id: string) =>
  (
    await stack.call('GET /api/email-templates/{emailTemplate}', {
      ...as(owner),
      params: { emailTemplate: id },
    })
  ).body;
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const table = (page: Page) => page.getByRole('grid', { name: 'Email templates' });
const row = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name });
const names = (page: Page) => table(page).locator('td.primary').allTextContents();
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

/** Ticks or unticks in the list that a button opens. */
async function choose(page: Page, label: string, ...options: string[]) {
  await page.getByRole('button', { name: label }).click();
  const list = page.getByRole('dialog', { name: label });
  for (const option of options) await list.getByRole('checkbox', { name: option, exact: true }).click();
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'hidden' });
}

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

it('a template is validated before it is sent, and says what the server refuses', async () => {
  const owner = await newMember(stack);
  const page = await visit('/email-templates/new', owner);
  await field(page, 'Template Name').fill('  ');
  await field(page, 'Footer').fill('Bye');
  await press(page, 'Create Email Template');
  for (const text of [
    'Template name is required',
    'Subject line is required',
    'Pre-CTA content is required',
    'CTA text is required',
    'CTA URL is required',
    'Footer must include {{UNSUB_LINK}} placeholder',
  ]) {
    await says(page, text);
  }
  await field(page, 'CTA URL').fill('https://shop.example.com/{{utm_tags_automation_id}}');
  await says(
    page,
    "CTA URL must include a '?' symbol before the UTM tags, e.g. https://shop.example.com?{{utm_tags_template_id}}",
  );
  await field(page, 'CTA URL').fill('javascript:alert(1)');
  await says(page, 'CTA URL must be a web address that begins with https:// or http://');
  expect(await templatesOf(owner)).toEqual([]);

  await fillIn(page, { ...CONTENT, Footer: 'Bye {{UNSUB_LINK}}' });
  await press(page, 'Create Email Template and Continue');
  await says(page, 'Email template created successfully!');
  await expect.poll(() => field(page, 'Subject Line').inputValue()).toBe('');
  expect(new URL(page.url()).pathname).toBe('/email-templates/new');
  await fillIn(page, { ...CONTENT, 'Template Name': 'The same', Footer: 'Bye {{UNSUB_LINK}}' });
  await press(page, 'Create Email Template');
  await says(page, 'A template with this content already exists');
  expect(await field(page, 'Template Name').inputValue()).toBe('The same');
  expect(await templatesOf(owner)).toHaveLength(1);
});

it('a template is duplicated with its automations, once, and also where the browser stores nothing', async () => {
  const owner = await newMember(stack);
  const automation = await newAutomation(stack, owner, { name: 'welcome' });
  const id = await newTemplate(stack, owner, { automation_ids: [automation], language_code: 'he' });
  const page = await visit('/email-templates', owner);
  await rowAction(page, 'Welcome', 'Duplicate');
  await heading(page, 'Create Email Template');
  await page.getByText('This form is filled in with a copy of an existing template.').waitFor();
  expect(await field(page, 'Template Name').inputValue()).toBe('Welcome (copy)');
  expect(await field(page, 'Language').inputValue()).toBe('he');
  await expect.poll(() => field(page, 'welcome').isChecked()).toBe(true);
  expect(await stored(page)).not.toHaveProperty('templateData');
  await press(page, 'Create Email Template');
  await says(page, 'A template with this content already exists');
  await field(page, 'Subject Line').fill('Another subject');
  await press(page, 'Create Email Template');
  await says(page, 'Email template created successfully!');
  expect(await templatesOf(owner)).toMatchObject([
    { name: 'Welcome' },
    { name: 'Welcome (copy)', automations: [{ id: automation }] },
  ]);

  await page.goto('/email-templates/new');
  expect(await field(page, 'Template Name').inputValue()).toBe('');
  await page.goto(`/email-templates/${id}`);
  await page.evaluate(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, value) {
      if (key === 'templateData') throw new DOMException('Full', 'QuotaExceededError');
      setItem.call(this, key, value);
    };
  });
  await press(page, 'Duplicate');
  await says(page, 'Ready to create a copy of this template');
  await expect.poll(() => field(page, 'Template Name').inputValue()).toBe('Welcome (copy)');
});

it('an admin edits what is not theirs, a user only looks at it', async () => {
  const [owner, admin, user] = await Promise.all(
    ['owner', 'admin', 'user'].map(name => newMember(stack, name)),
  );
  if (!owner || !admin || !user) throw new Error('There is nobody');
  await join(stack, owner, owner.home.id, admin, 'ADMIN');
  await join(stack, owner, owner.home.id, user);
  const id = await newTemplate(stack, owner);
  const page = await visit(`/email-templates/${id}`, { token: user.token, organization: owner.home.id });
  await heading(page, 'Welcome');
  await says(page, 'This template is not linked to any automations.');
  for (const name of [
    'Activate',
    'Deactivate',
    'Duplicate',
    'Delete',
    'Save',
    'Edit Automations',
    'Transfer Ownership',
  ]) {
    expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0);
  }
  await page.goto('/email-templates');
  await press(page, 'Actions for Welcome');
  await page.getByRole('menuitem').waitFor();
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(['View']);
  await page.goto(`/email-templates/${id}/edit`);
  await says(page, 'You cannot edit this template');

  const admins = await visit(`/email-templates/${id}`, { token: admin.token, organization: owner.home.id });
  await admins.getByRole('link', { name: 'Edit', exact: true }).click();
  await heading(admins, 'Edit Email Template');
  await admins.getByText('You can edit this template because you are an admin.').waitFor();
  for (const name of ['Subject Line', 'Pre-CTA Content', 'CTA URL', 'Footer', 'Language']) {
    expect(await field(admins, name).isDisabled(), name).toBe(true);
  }
  await field(admins, 'Template Name').fill('Hello');
  await press(admins, 'Save Template');
  await says(admins, 'Email template updated successfully!');
  await heading(admins, 'Hello');
  expect(await admins.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  expect(await templatesOf(owner)).toMatchObject([{ name: 'Hello' }]);
});

it('the owner hands a template over to another member, and then cannot delete it', async () => {
  const owner = await newMember(stack);
  const colleague = await newMember(stack, 'colleague');
  await join(stack, owner, owner.home.id, colleague, 'ADMIN');
  const id = await newTemplate(stack, owner);
  const page = await visit(`/email-templates/${id}`, owner);
  await press(page, 'Transfer Ownership');
  await page.getByRole('dialog').getByRole('button', { name: 'Transfer', exact: true }).click();
  await says(page, 'Choose a member of the organization');
  await page.getByLabel('New owner').selectOption({ label: `colleague (${colleague.email})` });
  await page.getByRole('dialog').getByRole('button', { name: 'Transfer', exact: true }).click();
  await says(page, 'colleague is now the owner of this template.');
  await expect.poll(() => page.getByRole('button', { name: 'Transfer Ownership' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0);
  expect(await focused(page)).toContain('Welcome');
  expect(await detailOf({ ...owner, token: colleague.token }, id)).toMatchObject({ is_owner: true });
});

it('the automations of a template are edited in a draft, and each shows a preview', async () => {
  const owner = await newMember(stack);
  for (const name of ['welcome', 'trial_end', 'win_back']) await newAutomation(stack, owner, { name });
  const id = await newTemplate(stack, owner);
  const page = await visit(`/email-templates/${id}`, owner);
  await press(page, 'Edit Automations');
  await page.getByRole('checkbox', { name: 'welcome' }).check();
  await press(page, 'Cancel');
  await says(page, 'This template is not linked to any automations.');
  await press(page, 'Edit Automations');
  expect(await page.getByRole('checkbox', { name: 'welcome' }).isChecked()).toBe(false);
  await press(page, 'Select All');
  await says(page, '3 automation(s) selected');
  await press(page, 'Save Changes');
  await says(page, 'Automations updated successfully!');
  const { automations } = await detailOf(owner, id);
  expect(automations).toHaveLength(3);
  await press(page, 'Generate Email Preview for win_back');
  await page.getByRole('dialog', { name: 'Email Preview: win_back' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

it('the list is searched, filtered and paged by the server, and says so in its address', async () => {
  const owner = await newMember(stack);
  const automation = await newAutomation(stack, owner, { name: 'welcome' });
  const codes = ['de', 'en', 'fr', 'he', 'ar'];
  for (let count = 1; count <= 9; count++) {
    await newTemplate(stack, owner, {
      name: `Number ${count}`,
      subject_line: count === 7 ? 'A special offer' : 'Hello',
      language_code: codes[count % 5],
      automation_ids: count === 9 ? [automation] : [],
    });
  }
  const page = await visit('/email-templates', owner);
  await says(page, '9 templates');
  const languages = page.getByRole('button', { name: 'Languages' });
  expect(await languages.innerText()).toContain('All');
  await page.getByLabel('Search by name or subject').fill('special');
  await says(page, '1 of 9 templates matches');
  // The counts and the rows are two answers.
  await expect.poll(() => names(page)).toEqual(['Number 7']);
  expect(query(page)).toBe('?search=special');
  await choose(page, 'Languages', 'French');
  await says(page, 'No templates match your search');
  await page.reload();
  await says(page, 'No templates match your search');
  await press(page, 'Clear search and filters');
  await says(page, '9 templates');
  await choose(page, 'Automations', 'welcome');
  await says(page, '1 of 9 templates matches');
  await expect.poll(() => names(page)).toEqual(['Number 9']);
  await page.getByRole('button', { name: 'Automations' }).getByText('welcome').waitFor();

  await runCommand(page, 'number 8', 'Number 8');
  await heading(page, 'Number 8');
  // Pages of 50; how one goes from one to the next is the same as of the assets.
  await page.goto('/email-templates?page=2');
  await says(page, 'There is no page 2');
});

it('several languages are chosen by keyboard alone, and the focus comes back', async () => {
  const owner = await newMember(stack);
  for (const code of ['de', 'en']) {
    await newTemplate(stack, owner, { name: `Number ${code}`, language_code: code });
  }
  const page = await visit('/email-templates', owner);
  await says(page, '2 templates');
  const languages = page.getByRole('button', { name: 'Languages' });
  await languages.press('Enter');
  const german = page.getByRole('checkbox', { name: 'German' });
  await expect.poll(() => german.isVisible()).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect.poll(() => german.evaluate(box => box === document.activeElement)).toBe(true);
  await page.keyboard.press('Space');
  await says(page, '1 of 2 templates matches');
  await page.keyboard.press('Escape');
  await expect.poll(() => languages.evaluate(button => button === document.activeElement)).toBe(true);
  expect(query(page)).toBe('?languages=en');
  await languages.press('Enter');
  await press(page, 'Deselect All');
  await says(page, 'No templates match your search');
  await press(page, 'Select All');
  await says(page, '2 templates');
  expect(query(page)).toBe('');
});
