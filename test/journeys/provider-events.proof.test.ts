import { expect, it } from 'vitest';
import { accessibilityFaults } from '../support/browser/axe.ts';
import { sharedBrowser } from '../support/browser/browser.ts';
import { newMailing } from '../support/mailing.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

it('a mail in the inbox is reported as spam, and its recipient is suppressed', async () => {
  const mailing = await newMailing(stack);
  const { email, id } = await mailing.due();
  await stack.advance(2 * 60);
  const page = await visit('/_local/inbox');
  await page.getByPlaceholder('Only mails to…').fill(email);
  await page.getByRole('link', { name: 'Welcome aboard' }).click();
  await page.getByRole('button', { name: 'Complain' }).click();
  await page.getByRole('button', { name: 'Complain: reported' }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  const params = { listMember: id };
  const { body } = await stack.call('GET /api/list-members/{listMember}', { ...mailing.as, params });
  expect(body).toMatchObject({ is_subscribed: false, suppression: 'complaint' });
});
