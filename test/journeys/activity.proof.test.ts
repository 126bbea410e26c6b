import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import * as claims from '#core/recipient/claim.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import { SUPPRESSED } from '#shared/suppression.ts';
import { accessibilityFaults } from '../support/browser/axe.ts';
import { sharedBrowser } from '../support/browser/browser.ts';
import { fail, focused, press, says } from '../support/browser/page.ts';
import { needsOf } from '../support/items.ts';
import { newList } from '../support/list.ts';
import { newMail, visitLink } from '../support/mail.ts';
import { newMailing } from '../support/mailing.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit, allow } = sharedBrowser(stack.url);

const REASON = '550 <script>document.title = "run"</script>';

/** A reader who opened an email and clicked its link, after a mail scanner had; then it bounced, and they complained. */
async function newReader() {
  const mailing = await newMailing(stack);
  const mail = await newMail(stack, mailing);
  await visitLink(mail.pixel);
  await visitLink(mail.click, { method: 'HEAD' });
  await visitLink(mail.click);
  const { table, now } = await needsOf(stack);
  const key = recipientKey.keyOf(mailing.owner.home.id, mail.email);
  const bounced = { bounce: 'soft', bounce_reason: REASON } as const;
  await claims.markClaim(table, key, { seq: 1, as: 'bounced_at', at: now.toISOString(), with: bounced });
  const { send } = JSON.parse(mail.headers['X-Mailgun-Variables'] ?? '{}');
  const body = JSON.stringify({ send, event: 'complained' });
  await stack.fetchJson('POST', '/_local/provider-events', { body });
  return { ...mailing, id: mail.id };
}

const rows = async (page: Page) =>
  (await page.getByRole('grid', { name: 'Activity' }).locator('tbody tr[tabindex]').allInnerTexts()).map(
    text => text.replace(/\s+/g, ' '),
  );

it('the page of a member shows what came of an email, and the email', async () => {
  allow(/502/);
  const { owner, id } = await newReader();
  const page = await visit(`/list-members/${id}`, owner, async prepared => {
    await fail(prepared, '**/api/list-member-actions?*');
    await fail(prepared, '**/api/email-sends/*/content');
  });
  await says(page, 'The activity could not be loaded.');
  await page.unroute('**/api/list-member-actions?*');
  await press(page, 'Try again');
  await says(page, '7 entries');
  const all = await rows(page);
  expect(all[0]).toContain('Complained Reported as spam Welcome aboard');
  expect(all[1]).toContain(`Bounced Temporary failure, given up: ${REASON} Welcome aboard`);
  const start = 'https://shop.example.com/start CTA URL';
  expect(all[2]).toContain(`Clicked ${start} · A person · Welcome aboard`);
  expect(all[3]).toContain(`Clicked Automated ${start} · Automated (mail scanner or prefetch) · Welcome`);
  expect(all[4]).toContain('Opened Welcome aboard A person');
  expect(all[5]).toContain(
    'Email sent Welcome aboard Opened · Clicked · Bounced · Complained · Automation welcome · Trigger',
  );
  expect(all[6]).toMatch(/^Subscribed Added \d\d:\d\d$/);
  expect(await page.title()).not.toBe('run');

  await says(page, SUPPRESSED.complaint);
  expect(await page.getByRole('button', { name: 'Subscribe', exact: true }).isDisabled()).toBe(true);

  // By the keyboard alone: to the last row but one, whose email Enter opens.
  await page.getByRole('grid', { name: 'Activity' }).locator('tbody tr[tabindex]').first().focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Email Preview' });
  await dialog.getByText('The email could not be loaded. Please try again.').waitFor();
  await page.unroute('**/api/email-sends/*/content');
  await press(page, 'Try again');
  for (const fact of ['The shop <hello@example.com>', 'Welcome aboard', 'Readers 0', 'welcome']) {
    await dialog.getByRole('definition').getByText(fact, { exact: true }).waitFor();
  }
  await says(page, 'This is the email as it was sent.');
  await dialog.frameLocator('iframe').getByText('Hello Ann, this is number').waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('tab', { name: 'Plain Text View' }).click();
  await dialog.getByRole('region', { name: 'Plain text' }).getByText('Hello Ann').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await focused(page)).toContain('Email sent');
  expect(await accessibilityFaults(page)).toEqual([]);
});

it('the page of a list says where Mailgun reports, and what is missing for it', async () => {
  const owner = await newMember(stack);
  const list = await newList(stack, owner);
  const as = { token: owner.token, organization: owner.home.id };
  const { body } = await stack.call('GET /api/email-lists/{list}', { ...as, params: { list } });
  const page = await visit(`/email-lists/${list}`, owner);
  await page.getByRole('tab', { name: 'Mailgun events' }).click();
  const card = page.getByRole('tabpanel', { name: 'Mailgun events' });
  await card.getByText('Signing key not set').waitFor();
  await card.getByRole('button', { name: 'Copy address' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(body.provider_events_url);
  await card.getByText('How to set it up').click();
  expect(await accessibilityFaults(page)).toEqual([]);
  await card.getByRole('link', { name: 'webhook signing key' }).click();
  await page.getByRole('textbox', { name: 'Webhook signing key (optional)' }).waitFor();
});
