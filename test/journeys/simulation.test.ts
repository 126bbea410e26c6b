import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { DOWN, press, says } from '../support/browser/page.ts';
import { newAutomation, newTemplate } from '../support/content.ts';
import { addMembers, newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit, allow } = sharedBrowser(stack.url);

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

it('a simulation says how far it came and what is not sent, and can be tried again', async () => {
  allow(/502/);
  const owner = await newMember(stack);
  const id = await newAutomation(stack, owner, { active: false });
  const from = new Date().setUTCMinutes(0, 0, 0);
  const at = (hours: number) => new Date(from + hours * HOUR).toISOString();
  const answers: object[] = [
    DOWN,
    {
      json: {
        automation: 'welcome',
        total_count: 1_204,
        count: 1,
        limited: true,
        max_results: 100,
        hourly_summary: Array.from({ length: 24 }, (_, hour) => ({
          hour: at(hour),
          count: 602 * Number(hour < 2),
        })),
        sample_emails: [
          {
            list_member_id: 'm1',
            email: 'ada@example.com',
            list_name: 'Customers',
            scheduled_time: at(1),
            trigger_column: null,
            trigger_value: '2026-03-01T10:00:00.000Z',
          },
        ],
        from: at(0),
        until: at(24),
        counted_until: at(1.5),
        left_out: null,
        inactive_lists: ['Readers'],
      },
    },
  ];
  const page = await visit(`/automations/${id}?open=simulation`, owner, opened =>
    opened.route('**/simulate', route => route.fulfill(answers.shift())),
  );
  await says(page, 'Failed to simulate automation. Please try again.');
  await press(page, 'Try again');
  await says(page, '1,204 Emails to be Sent');
  await says(page, '(Limited to 100 sample emails)');
  await says(page, 'This automation is inactive: nothing is sent until it is activated.');
  await says(page, 'Nothing is sent to Readers until this list is activated.');
  await page.getByText(/^Counted until .* only: there are too many members/).waitFor();
  const hours = await bars(page, 'Emails per hour').allTextContents();
  expect(hours[0]).toContain(': 602 emails');
  expect(hours[1]).toContain(': at least 602 emails');
  expect(hours[2]).toContain(': not counted');
  const table = page.getByRole('grid', { name: 'Sample emails' });
  expect(await table.getByRole('columnheader').allTextContents()).not.toContain('Days Since Trigger');
  expect(await table.getByRole('gridcell', { name: 'Date added' }).count()).toBe(1);
  await closeByKeyboard(page);
  await page.unrouteAll();
  await press(page, 'Simulate');
  await says(page, 'No emails scheduled');
});

it('the next 30 days are forecast for one automation, and for all of them within the safeguards', async () => {
  allow(/502/);
  const { owner, list, id } = await newScene();
  const schedule = { every_x_days: 6, delay_days: 3, metadata_trigger: 'signed_up_at' };
  const other = await newAutomation(stack, owner, { name: 'tips', lists: [list], ...schedule });
  await newTemplate(stack, owner, { automation_ids: [id, other] });
  const as = { token: owner.token, organization: owner.home.id };
  const params = { automation: id };
  const { body: one } = await stack.call('GET /api/automations/{automation}/forecast', { ...as, params });
  let isDown = true;
  const page = await visit(`/automations/${id}`, owner, opened =>
    opened.route('**/forecast', route => (isDown ? route.fulfill(DOWN) : route.continue())),
  );
  await says(page, 'Failed to load the forecast. Please try again.');
  isDown = false;
  await press(page, 'Try again');
  await says(page, `${one.total_count} emails`);
  await expect.poll(() => bars(page, 'Emails per day').count()).toBe(30);
  await page.getByRole('list', { name: 'Emails per day' }).focus();
  await page.keyboard.press('ArrowRight');
  const first = await bars(page, 'Emails per day').first().locator('span').first().innerText();
  await expect.poll(() => page.getByText(first, { exact: true }).count()).toBe(2);
  await page.getByRole('tab', { name: 'All automations' }).click();
  // Both fall due at once, of which the limit of 5 minutes lets one through.
  await says(page, `${one.total_count} emails, ${one.total_count} skipped`);
  await says(page, 'Skipped by the safeguards');
  await page.route('**/api/forecast', async route => {
    const response = await route.fetch();
    const body = { ...(await response.json()), estimated: true, counted_share: 0.5 };
    await route.fulfill({ response, json: body });
  });
  await page.getByRole('tab', { name: 'This automation' }).click();
  await page.reload();
  await page.getByRole('tab', { name: 'All automations' }).click();
  await page.getByText('Estimated from a part of the members').waitFor();
  await page.getByText('Only about 50% of the members could be counted').waitFor();
});
