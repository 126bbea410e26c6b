import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { fact, hold, press, rowActionByKeyboard, says } from '../support/browser/page.ts';
import { newList } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const as = ({ token, home }: Person, list = '') => ({ token, organization: home.id, params: { list } });
const listsOf = async (owner: Person) => (await stack.call('GET /api/email-lists', as(owner))).body;
const table = (page: Page) => page.getByRole('grid', { name: 'Email lists' });
const row = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

async function confirmDeletion(page: Page, name: string) {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(`Type “${name}” to confirm`).fill(name);
  await dialog.getByRole('button', { name: 'Delete list' }).click();
}

it('a list is created once its form is complete, and says what it lacks for sending', async () => {
  const owner = await newMember(stack);
  const page = await visit('/email-lists', owner);
  await says(page, 'No email lists yet');
  await page.getByRole('link', { name: 'Create list' }).last().click();
  const create = page.getByRole('button', { name: 'Create list' });
  await create.click();
  for (const missing of ['List name', 'Domain', 'Sender name', 'Sender email address']) {
    await says(page, `${missing} is required`);
  }
  expect(await create.isDisabled()).toBe(true);
  await field(page, 'Name').fill('Spring customers');
  await page.getByLabel('Domain').fill('Mail.EXAMPLE.com');
  await page.getByLabel('Sender name').fill('The shop');
  await page.getByLabel('Sender email address').fill('hello@example.org');
  await says(page, 'Email domain must match the list domain (mail.example.com)');
  expect(await create.isDisabled()).toBe(true);
  await page.getByLabel('Sender email address').fill('hello@mail.example.com');
  expect(await page.getByLabel('Unsubscribe text').locator('option').count()).toBe(21);
  await page.getByLabel('Unsubscribe text').selectOption('Abbestellen — German');
  await create.click();

  await says(page, 'List created.');
  await page.getByRole('heading', { name: 'Spring customers', level: 1 }).waitFor();
  expect(await listsOf(owner)).toMatchObject([
    {
      name: 'Spring customers',
      domain: 'mail.example.com',
      sender_address: 'hello@mail.example.com',
      unsubscribe_text: 'Abbestellen',
      active: true,
    },
  ]);
  await says(page, 'No members yet');
  await says(page, 'This list cannot send yet: it has no sending key.');
  await page.getByRole('tab', { name: 'Settings' }).click();
  expect(await fact(page, 'Unsubscribe text').textContent()).toBe('Abbestellen (German)');
  await page.getByRole('link', { name: 'Set the sending key' }).click();
  await page.getByRole('button', { name: 'Save key' }).waitFor();
});

it('a list is switched off by one click, switched on again by Undo, and deleted by its name', async () => {
  const owner = await newMember(stack);
  const list = await newList(stack, owner, { name: 'Summer customers' });
  const isActive = async () => (await listsOf(owner))[0].active;
  const page = await visit(`/email-lists/${list}`, owner);
  const deactivate = page.getByRole('button', { name: 'Deactivate' });
  // Enabled once the list is loaded.
  await deactivate.click({ trial: true });
  const release = await hold(page, `**/api/email-lists/${list}`);
  await deactivate.dblclick();
  release();
  await page.getByRole('button', { name: 'Activate', exact: true }).waitFor();
  await expect.poll(isActive).toBe(false);
  await press(page, 'Undo');
  await page.getByRole('button', { name: 'Deactivate' }).waitFor();
  await expect.poll(isActive).toBe(true);

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Email Lists' }).click();
  await expect
    .poll(() => row(page, 'Summer').getByRole('gridcell').allInnerTexts())
    .toEqual(['Summer customers', 'example.com', 'Not Set', '0', 'Active', '']);
  await rowActionByKeyboard(page, 'Summer customers', 'Delete');
  expect(await page.getByRole('dialog').getByRole('button', { name: 'Delete list' }).isDisabled()).toBe(true);
  await confirmDeletion(page, 'Summer customers');
  await says(page, 'Summer customers was deleted.');
  await says(page, 'No email lists yet');
  expect(await listsOf(owner)).toEqual([]);
});

it('the API example is complete: as it is copied, with a token, it adds members', async () => {
  const owner = await newMember(stack);
  const body = { name: 'example', expiration: null };
  const { token } = (await stack.call('POST /api/tokens', { token: owner.token, body })).body;
  stack.mustNotBeLogged(token);
  const page = await visit(`/email-lists/${await newList(stack, owner)}`, owner);
  await press(page, 'More actions');
  await page.getByRole('menuitem', { name: 'API example' }).click();
  const tab = (name: string) => page.getByRole('tab', { name });
  await tab('curl').focus();
  for (const name of ['JavaScript', 'Python', 'PHP', 'curl']) {
    await page.keyboard.press('ArrowRight');
    await page.getByRole('region', { name: `Example in ${name}` }).waitFor();
    expect(await tab(name).evaluate(element => element === document.activeElement)).toBe(true);
  }
  const directory = mkdtempSync(join(resolve('.tmp'), 'example-'));
  const run = async (name: string, file: string, command: string) => {
    await tab(name).click();
    const panel = page.getByRole('tabpanel', { name });
    await panel.getByRole('button', { name: /Copy|Copied/ }).click();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    writeFileSync(join(directory, file), text.replace('<YOUR_API_TOKEN>', token));
    return (await promisify(execFile)(command, [join(directory, file)])).stdout;
  };
  expect(await run('JavaScript', 'example.mjs', 'node')).toMatch(
    /ada@[^}]*"created"[\s\S]*grace@[^}]*"created"/,
  );
  expect(await run('curl', 'example.sh', 'sh')).toMatch(/"unchanged"[\s\S]*"unchanged"/);
  const listing = page.getByRole('region', { name: 'Example that gets the email lists' });
  const text = (await listing.textContent()) ?? '';
  writeFileSync(join(directory, 'lists.sh'), text.replace('<YOUR_API_TOKEN>', token));
  const { stdout } = await promisify(execFile)('sh', [join(directory, 'lists.sh')]);
  expect(JSON.parse(stdout)).toMatchObject([{ id: page.url().match(/email-lists\/([^?]+)/)?.[1] }]);
  await page.reload();
  await press(page, 'Close');
  await page.getByRole('link', { name: 'grace@example.com' }).waitFor();
  await page.getByRole('link', { name: 'ada@example.com' }).click();
  await page.getByRole('row', { name: 'signed_up_at Date Mar 1, 2026' }).waitFor();
});
