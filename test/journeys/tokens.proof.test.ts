import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { answer, press, rowActionByKeyboard, says } from '../support/browser/page.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const NONE = 'No API tokens created yet.';
const create = (token: string, name: string) =>
  stack.call('POST /api/tokens', { token, body: { name, expiration: null } });
const listsWith = async (value: string) =>
  (await stack.call('GET /api/v1/email-lists', { token: value })).status;
const tokensOf = async (token: string): Promise<unknown[]> =>
  (await stack.call('GET /api/tokens', { token })).body.tokens;

it('a token is created, shown once, copied, used, and deleted', async () => {
  const page = await visit('/profile', await newMember(stack));
  await says(page, NONE);
  await press(page, 'Create token');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Token name').fill('crm_import');
  const choices = await dialog.getByLabel('Expiration').locator('option').allTextContents();
  expect(choices).toEqual(['Never', '7 days', '30 days', '90 days', '1 year']);
  await dialog.getByLabel('Expiration').selectOption('30 days');
  await press(page, 'Create');
  await press(page, 'Copy');
  const value = await page.evaluate(() => navigator.clipboard.readText());
  stack.mustNotBeLogged(value);
  expect(value).toMatch(/^lf_/);
  expect(await dialog.getByText(value).isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  expect(await dialog.getByText(value).isVisible()).toBe(true);
  await answer(page, 'Close');
  expect(await page.content()).not.toContain(value);

  const row = page.getByRole('grid', { name: 'API Tokens' }).locator('tbody tr');
  const cells = () => row.getByRole('gridcell').allTextContents();
  const date = expect.stringMatching(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/);
  await expect.poll(cells).toEqual(['crm_import', 'Read, Contacts', date, date, 'Never', '']);
  expect(await listsWith(value)).toBe(200);
  await page.reload();
  await expect.poll(cells).toEqual(['crm_import', 'Read, Contacts', date, date, date, '']);

  await rowActionByKeyboard(page, 'crm_import', 'Delete');
  await says(page, 'Are you sure you want to delete this token?');
  await answer(page, 'Delete');
  await says(page, 'Token deleted.');
  await says(page, NONE);
  expect(await listsWith(value)).toBe(401);
});

it('all tokens are deleted at once', async () => {
  const { token } = await newMember(stack);
  for (const name of ['one', 'two', 'three']) await create(token, name);
  const page = await visit('/profile', { token });
  await press(page, 'Delete all');
  await says(page, 'Are you sure you want to delete all tokens?');
  await answer(page, 'Cancel');
  expect(await tokensOf(token)).toHaveLength(3);
  await press(page, 'Delete all');
  await answer(page, 'Delete all');
  await says(page, NONE);
  expect(await tokensOf(token)).toEqual([]);
});
