import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { press, says } from '../support/browser/page.ts';
import { newTemplate } from '../support/content.ts';
import { addMembers, newList, people } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

it('a broadcast to a segment is sent to as many people as its question says, and counted', async () => {
  const owner = await newMember(stack, 'owner');
  const list = await newList(stack, owner, { name: 'Customers' });
  await stack.call('PUT /api/email-lists/{list}/mailgun-key', {
    token: owner.token,
    organization: owner.home.id,
    params: { list },
    body: { mailgun_sending_key: 'key-0123456789abcdef' },
  });
  await addMembers(
    stack,
    owner,
    list,
    people(5).map((one, nth) => ({ ...one, plan: nth < 3 ? 'pro' : 'free' })),
  );
  await newTemplate(stack, owner, { name: 'Offer' });
  const page = await visit('/broadcasts', owner);
  await page.getByRole('link', { name: 'New broadcast' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Spring sale');
  await page.getByLabel('Customers').check();
  await press(page, 'Add condition');
  await page.getByLabel('Column').selectOption('plan');
  await page.getByLabel('Value').fill('pro');
  await page.getByLabel('Offer').check();
  await press(page, 'Save draft');
  await says(page, '3 people get it.');
  await says(page, '2 people do not match its conditions.');
  await page.getByRole('link', { name: 'Edit broadcast' }).click();
  await expect.poll(() => page.getByRole('checkbox', { name: 'Offer' }).isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await press(page, 'Send now');
  await press(page, 'Send to 3 people');
  await says(page, 'Sending');
  await stack.advance(3 * 60);
  await page.goto('/broadcasts');
  await page.getByRole('row', { name: 'Spring sale' }).getByText('Sent', { exact: true }).waitFor();
  const cells = page.getByRole('row', { name: 'Spring sale' }).getByRole('gridcell');
  await expect.poll(() => cells.nth(3).textContent()).toBe('3');
});
