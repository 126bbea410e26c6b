import { expect, it } from 'vitest';
import { freshBrowser } from '../support/browser.ts';
import { newMember } from '../support/member.ts';
import { freshStack } from '../support/stack.ts';

const stack = freshStack();
const { visit, visitor, allow } = freshBrowser(stack.url);

const create = (token: string, name: string) =>
  stack.call('POST /api/tokens', { token, body: { name, expiration: null } });
const listsWith = async (value: string) =>
  (await stack.call('GET /api/v1/email-lists', { token: value })).status;
const tokensOf = async (token: string): Promise<unknown[]> =>
  (await stack.call('GET /api/tokens', { token })).body.tokens;

it('a token is created, shown once, copied, used, and deleted', async () => {
  const { token } = await newMember(stack, 'tokens@example.com');
  const page = await visit('/profile', { token });
  await page.getByText('No API tokens created yet.', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Token name').fill('crm_import');
  const choices = await dialog.getByLabel('Expiration').locator('option').allTextContents();
  expect(choices).toEqual(['Never', '7 days', '30 days', '90 days', '1 year']);
  await dialog.getByLabel('Expiration').selectOption('30 days');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog.getByRole('button', { name: 'Copy' }).click();
  const value = await page.evaluate(() => navigator.clipboard.readText());
  stack.mustNotBeLogged(value);
  expect(value).toMatch(/^lf_/);
  expect(await dialog.getByText(value).isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  expect(await dialog.getByText(value).isVisible()).toBe(true);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(value);

  const row = page.getByRole('table', { name: 'API Tokens' }).locator('tbody tr');
  const cells = () => row.getByRole('cell').allTextContents();
  const date = expect.stringMatching(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/);
  await expect.poll(cells).toEqual(['crm_import', date, date, 'Never', 'Delete']);
  expect(await listsWith(value)).toBe(200);
  await page.reload();
  await expect.poll(cells).toEqual(['crm_import', date, date, date, 'Delete']);

  await row.getByRole('button', { name: 'Delete crm_import' }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByText('Are you sure you want to delete this token?', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Token deleted.').waitFor();
  await page.getByText('No API tokens created yet.').waitFor();
  expect(await listsWith(value)).toBe(401);
});

it('a name is judged while it is typed', async () => {
  const { token } = await newMember(stack, 'names@example.com');
  await create(token, 'taken');
  const page = await visit('/profile?open=token', { token });
  await page.getByRole('cell', { name: 'taken', exact: true }).waitFor();
  const name = page.getByLabel('Token name');
  const button = page.getByRole('button', { name: 'Create', exact: true });
  for (const [typed, fault] of [
    ['my token', 'Token name can only contain letters, numbers, and underscores'],
    ['naïve', 'Token name can only contain letters, numbers, and underscores'],
    ['taken', 'A token with this name already exists'],
    ['', 'Token name is required'],
  ] as const) {
    await name.fill(typed);
    await page.getByRole('alert').getByText(fault, { exact: true }).waitFor();
    expect(await button.isDisabled()).toBe(true);
  }
  await name.fill('Taken_2');
  await expect.poll(() => button.isDisabled()).toBe(false);
});

it('a name that was taken elsewhere meanwhile is told at its field', async () => {
  const { token } = await newMember(stack, 'race@example.com');
  const page = await visit('/profile?open=token', { token });
  await page.getByText('No API tokens created yet.').waitFor();
  await create(token, 'twice');
  await page.getByLabel('Token name').fill('twice');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('alert').getByText('A token with this name already exists', { exact: true }).waitFor();
});

it('all tokens are deleted at once', async () => {
  const { token } = await newMember(stack, 'all@example.com');
  for (const name of ['one', 'two', 'three']) await create(token, name);
  const page = await visit('/profile', { token });
  await page.getByRole('button', { name: 'Delete all' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Are you sure you want to delete all tokens?', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await tokensOf(token)).toHaveLength(3);
  await page.getByRole('button', { name: 'Delete all' }).click();
  await dialog.getByRole('button', { name: 'Delete all' }).click();
  await page.getByText('No API tokens created yet.').waitFor();
  expect(await tokensOf(token)).toEqual([]);
});

it('while they load, and when that fails, the page says so', async () => {
  allow(/502/);
  const { token } = await newMember(stack, 'loading@example.com');
  const { context } = await visitor({ token });
  const page = await context.newPage();
  let answer = () => {};
  const held = new Promise<void>(resolve => {
    answer = resolve;
  });
  await page.route('**/api/tokens', async route => {
    await held;
    await route.fulfill({ status: 502, body: '' });
  });
  await page.goto('/profile');
  await page.getByText('Loading tokens...', { exact: true }).waitFor();
  answer();
  await page.getByText('Failed to load tokens', { exact: true }).waitFor();
  await page.unroute('**/api/tokens');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No API tokens created yet.').waitFor();
});

it('what fails is told where it was tried', async () => {
  allow(/502/);
  const { token } = await newMember(stack, 'fails@example.com');
  await create(token, 'kept');
  const page = await visit('/profile', { token });
  await page.getByRole('cell', { name: 'kept', exact: true }).waitFor();
  await page.route(/\/api\/tokens/, route =>
    route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 502, body: '' }),
  );
  const told = (message: string) => page.getByRole('alert').getByText(message, { exact: true }).waitFor();
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Delete kept' }).click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await told('Failed to delete token');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Delete all' }).click();
  await dialog.getByRole('button', { name: 'Delete all' }).click();
  await told('Failed to delete tokens');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search pages' }).fill('create api');
  await page.keyboard.press('Enter');
  await page.getByLabel('Token name').fill('new');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await told('Failed to create token');
  expect(await tokensOf(token)).toHaveLength(1);
});
