import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { press, says, stopClock } from '../support/browser/page.ts';
import { newMember, type Person } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const LABELS = ['5 minutes', '1 hour', '24 hours', '1 week'].map(window => `Max emails in ${window}`);
const limit = (page: Page, window: string) => page.getByLabel(`Max emails in ${window}`);
const limits = (page: Page) => Promise.all(LABELS.map(label => page.getByLabel(label).inputValue()));
const enabled = (page: Page) => page.getByRole('checkbox', { name: 'Enable safeguards' });
const stored = async ({ token, home }: Person) =>
  (await stack.call('GET /api/safeguards', { token, organization: home.id })).body;
const banner = (page: Page) => page.getByRole('status').getByText('Settings saved successfully!');

it('the limits are changed and switched off, and a banner says so for 3 seconds', async () => {
  const owner = await newMember(stack);
  const page = await visit('/', owner, ({ clock }) => clock.install());
  const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Safeguards' });
  await entry.click();
  await page.getByRole('heading', { name: 'Email Sending Safeguards' }).waitFor();
  await page.getByText('new automated emails to them are skipped until they are below it again').waitFor();
  await says(page, 'When enabled, email sending limits will be enforced. Disable to remove all limits.');
  expect(await limits(page)).toEqual(['1', '2', '3', '7']);
  await limit(page, '1 hour').fill('');
  await limit(page, '24 hours').fill('40');
  expect(await limit(page, '1 hour').inputValue()).toBe('2');
  await limit(page, '1 week').fill('1.5');
  await press(page, 'Save Settings');
  await says(page, 'Value must be a whole number');
  await limit(page, '1 week').fill('0');
  await says(page, 'Value must be at least 1');

  await enabled(page).uncheck();
  for (const label of LABELS) expect(await page.getByLabel(label).isDisabled()).toBe(true);
  await stopClock(page);
  await press(page, 'Save Settings');
  await banner(page).waitFor();
  expect(await stored(owner)).toMatchObject({
    enabled: false,
    max_emails_24_hours: 40,
    max_emails_1_week: 7,
  });
  await page.clock.runFor(2900);
  expect(await banner(page).count()).toBe(1);
  await page.clock.runFor(200);
  await expect.poll(() => banner(page).count()).toBe(0);
  await page.clock.resume();
  await page.reload();
  await expect.poll(() => limits(page)).toEqual(['1', '2', '40', '7']);
  expect(await enabled(page).isChecked()).toBe(false);
});
