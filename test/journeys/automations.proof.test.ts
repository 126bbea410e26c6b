import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import {
  answer,
  choose,
  fact,
  focused,
  press,
  rowAction,
  runCommand,
  says,
} from '../support/browser/page.ts';
import { newAsset, newAutomation, newTemplate } from '../support/content.ts';
import { newList } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const automationsOf = async ({ token, home }: Person) =>
  (await stack.call('GET /api/automations', { token, organization: home.id })).body;
const giveKey = ({ token, home }: Person, list: string) =>
  stack.call('PUT /api/email-lists/{list}/mailgun-key', {
    token,
    organization: home.id,
    params: { list },
    body: { mailgun_sending_key: 'key-1' },
  });
const table = (page: Page) => page.getByRole('grid', { name: 'Automations' });
const row = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name });
const cells = (page: Page, name: string) => row(page, name).getByRole('gridcell').allInnerTexts();
const DATE = expect.stringMatching(/^\w{3} \d+, \d{4}$/);

it('automations are listed with their lists, content and schedule, and change at once', async () => {
  const owner = await newMember(stack);
  const page = await visit('/automations', owner);
  await says(page, "You don't have any automations yet.");
  const lists = [await newList(stack, owner), await newList(stack, owner, { name: 'Readers' })];
  for (const list of lists) await giveKey(owner, list);
  const sends = { double_send_first: true, triple_send_third: true };
  const days = { every_x_days: 7, delay_days: 1, stop_after_days: 30 };
  const welcome = await newAutomation(stack, owner, { lists, ...days, ...sends });
  await newTemplate(stack, owner, { automation_ids: [welcome] });
  await newAutomation(stack, owner, { name: 'win_back', active: false });
  await page.goto(
    '/automations?columns=sending,sent,open_rate,click_rate,next,schedule,active,lists,eligibility,created_at',
  );
  await row(page, 'welcome').waitFor();
  // The columns find their room a moment after the rows are there.
  await expect
    .poll(() => cells(page, 'welcome'))
    .toEqual([
      'welcome',
      'Sending',
      '0',
      '–',
      '–',
      'None in 7 days',
      '8 emails, every 7 days\nDouble 1st + 1',
      'Active',
      '2 lists',
      'Eligible',
      DATE,
      '',
    ]);
  expect((await cells(page, 'win_back')).slice(5, 10)).toEqual([
    '–',
    'An email every day',
    'Inactive',
    'No lists',
    'Not Eligible',
  ]);
  await page.getByRole('button', { name: '2 lists' }).hover();
  await expect.poll(() => page.getByRole('tooltip').innerText()).toBe('Customers\nReaders');
  await page.getByRole('button', { name: 'Not Eligible', exact: true }).focus();
  await expect.poll(() => page.getByRole('tooltip').innerText()).toMatch(/^Subject Line: Missing\n/);
  await page.keyboard.press('Escape');

  await rowAction(page, 'win_back', 'Activate');
  await page.getByText(/^win_back is active\. Nothing to send: /).waitFor();
  await rowAction(page, 'welcome', 'Deactivate');
  await expect.poll(() => cells(page, 'welcome')).toContain('Inactive');
  // The table shows it before it is stored.
  await expect
    .poll(() => automationsOf(owner))
    .toMatchObject([
      { name: 'welcome', active: false },
      { name: 'win_back', active: true },
    ]);

  await page.getByLabel('Search by name or list').fill('readers');
  await says(page, '1 of 2 automations matches');
  await rowAction(page, 'welcome', 'Delete');
  await says(page, 'Are you sure you want to delete this automation?');
  await answer(page, 'Delete Automation');
  await says(page, 'No automations match your search');
  expect(await automationsOf(owner)).toMatchObject([{ name: 'win_back' }]);
});

it('the page of an automation shows all of it, switches it on and off, and deletes it', async () => {
  const owner = await newMember(stack);
  const list = await newList(stack, owner);
  await giveKey(owner, list);
  const days = { every_x_days: 2, stop_after_days: 9, metadata_trigger: null };
  const id = await newAutomation(stack, owner, { lists: [list], ...days });
  await newAsset(stack, owner, { type: 'footer', value: '{{UNSUB_LINK}}', automation_ids: [id] });
  const page = await visit('/profile', owner);
  await page.getByText('This browser').waitFor();
  await runCommand(page, 'welcome', 'welcome');
  await page.getByRole('heading', { name: 'welcome', level: 1 }).waitFor();
  for (const [name, shown] of [
    ['Status', 'Active'],
    ['Email Eligibility', 'Not eligible to send emails'],
    ['Frequency', 'Every 2 days'],
    ['Delay', 'None, starts immediately'],
    ['Stop After', '9 days'],
    ['Created', DATE],
  ] as const) {
    expect(await fact(page, name).innerText()).toEqual(shown);
  }
  expect(await fact(page, 'Trigger').count()).toBe(0);
  await says(page, 'No multiple sends are configured for this automation.');
  await says(page, 'This automation needs at least one active email template.');
  const view = page.getByRole('link', { name: 'View Customers' });
  expect(await view.getAttribute('href')).toBe(`/email-lists/${list}`);

  await newTemplate(stack, owner);
  await page.getByRole('link', { name: 'Link content' }).click();
  await press(page, 'Templates');
  await page.getByRole('checkbox', { name: /^Welcome/ }).check();
  await answer(page, 'Save');
  await page.getByText('Every email is its one active template.').waitFor();
  await page.frameLocator('iframe[title="Email preview"]').getByText('Look around').waitFor();
  await says(page, 'This automation has at least one active email template.');
  expect(await fact(page, 'Email Eligibility').innerText()).toBe('Eligible to send emails');
  await press(page, 'Generate Email Preview');
  await page.getByRole('dialog', { name: 'Email Preview: welcome' }).waitFor();
  await page.keyboard.press('Escape');
  await choose(page, 'More actions', 'Deactivate');
  await says(page, 'welcome is inactive: it sends nothing.');
  expect(await fact(page, 'Status').innerText()).toBe('Inactive');
  await press(page, 'Undo');
  await says(page, 'welcome is active.');
  expect(await automationsOf(owner)).toMatchObject([{ active: true }]);

  await choose(page, 'More actions', 'Delete Automation');
  await says(page, 'Are you sure you want to delete this automation?');
  await answer(page, 'Cancel');
  await expect.poll(() => focused(page)).toBe('More actions');
  await choose(page, 'More actions', 'Delete Automation');
  await answer(page, 'Delete Automation');
  await says(page, "You don't have any automations yet.");
  expect(await automationsOf(owner)).toEqual([]);
  await page.goto(`/automations/${id}`);
  await says(page, 'Automation not found');
  await page.getByRole('link', { name: 'Back to Automations' }).click();
  await page.waitForURL('**/automations');
});
