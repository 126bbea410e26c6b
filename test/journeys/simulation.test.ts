import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { press, says } from '../support/browser/page.ts';
import { newAutomation, newTemplate } from '../support/content.ts';
import { addMembers, newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const bars = (page: Page, label: string) => page.getByRole('list', { name: label }).getByRole('listitem');
const simulate = (page: Page) =>
  page.getByRole('button', { name: 'Simulate sending volume of welcome' }).click();

async function closeByKeyboard(page: Page) {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** An automation from a date of its members: two get an email within the day, one has no date, one no readable one. */
async function newScene() {
  const owner = await newMember(stack);
  const list = await newList(stack, owner);
  const now = new Date((await stack.fetchJson('GET', '/_local/clock')).body.now).getTime();
  const signedUp = (milliseconds: number) => ({ signed_up_at: new Date(now + milliseconds).toISOString() });
  await addMembers(stack, owner, list, [
    { email: 'ada@example.com', ...signedUp(-3 * DAY + 2 * HOUR) },
    { email: 'ben@example.com', ...signedUp(-9 * DAY + 5 * HOUR) },
    { email: 'cleo@example.com', ...signedUp(-4 * DAY + 5 * HOUR) },
    { email: 'dora@example.com' },
    { email: 'emil@example.com', signed_up_at: 'soon' },
  ]);
  const schedule = { every_x_days: 6, delay_days: 3, metadata_trigger: 'signed_up_at' };
  const id = await newAutomation(stack, owner, { lists: [list], ...schedule });
  return { owner, list, id };
}

it('the emails of the next 24 hours are counted by the hour, each with its member and its date', async () => {
  const { owner, id } = await newScene();
  const page = await visit('/automations', owner);
  await simulate(page);
  await page.getByRole('dialog', { name: 'Simulation Results: welcome' }).waitFor();
  for (const text of [
    'Emails that this automation would send during the next 24 hours',
    'Double and triple sends are ignored by the simulation.',
    'This automation is not eligible: nothing is sent until it has an active email template.',
    '2 subscribed members have no readable date in signed_up_at, and get no email.',
    '2 Emails to be Sent',
  ]) {
    await says(page, text);
  }
  const hours = await bars(page, 'Emails per hour').allTextContents();
  expect(hours.filter(text => text.includes(': 1 email'))).toHaveLength(2);
  const heights = await bars(page, 'Emails per hour').evaluateAll(items =>
    items.map(item =>
      Math.round(item.lastElementChild?.lastElementChild?.getBoundingClientRect().height ?? 0),
    ),
  );
  expect(heights.filter(height => height === 200)).toHaveLength(2);
  const table = page.getByRole('grid', { name: 'Sample emails' });
  expect(await table.getByRole('columnheader').allTextContents()).toEqual([
    'Recipient',
    'List',
    'Scheduled Time',
    'Trigger Column',
    'Trigger Value',
    'Days Since Trigger',
    'Explanation',
  ]);
  const rows = await table.locator('tbody tr').all();
  const cells = await Promise.all(rows.map(row => row.getByRole('gridcell').allTextContents()));
  expect(cells.map(([email, list, , column, , days]) => [email, list, column, days])).toEqual([
    ['ada@example.com', 'Customers', 'signed_up_at', '3'],
    ['ben@example.com', 'Customers', 'signed_up_at', '9'],
  ]);
  await page.getByRole('link', { name: 'ada@example.com' }).click();
  await page.getByRole('heading', { name: 'ada@example.com', level: 1 }).waitFor();
  await page.goBack();
  await simulate(page);
  await page.getByRole('row', { name: 'ada@example.com' }).getByRole('link', { name: 'Why?' }).click();
  await says(page, 'the automation has no active content');

  await page.goto(`/automations/${id}`);
  await press(page, 'Simulate');
  await says(page, '2 Emails to be Sent');
  expect(new URL(page.url()).search).toBe('?open=simulation');
  await closeByKeyboard(page);
});

it('the next 30 days are forecast for one automation, and for all of them within the safeguards', async () => {
  const { owner, list, id } = await newScene();
  const schedule = { every_x_days: 6, delay_days: 3, metadata_trigger: 'signed_up_at' };
  const other = await newAutomation(stack, owner, { name: 'tips', lists: [list], ...schedule });
  await newTemplate(stack, owner, { automation_ids: [id, other] });
  const as = { token: owner.token, organization: owner.home.id };
  const params = { automation: id };
  const { body: one } = await stack.call('GET /api/automations/{automation}/forecast', { ...as, params });
  const page = await visit(`/automations/${id}`, owner);
  await says(page, `${one.total_count} emails`);
  await expect.poll(() => bars(page, 'Emails per day').count()).toBe(30);
  await page.getByRole('tab', { name: 'All automations' }).click();
  // Both fall due at once, of which the limit of 5 minutes lets one through.
  await says(page, `${one.total_count} emails, ${one.total_count} skipped`);
  await says(page, 'Skipped by the safeguards');
});
