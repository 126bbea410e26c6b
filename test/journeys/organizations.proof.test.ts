import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { answer, chosen, press, says } from '../support/browser/page.ts';
import { PNG } from '../support/images.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const png = { name: 'logo.png', mimeType: 'image/png', buffer: PNG };

it('an organization is created, gets a logo, is renamed, put to rest, and deleted by its name', async () => {
  const owner = await newMember(stack, 'owner');
  const stored = async () => (await stack.call('GET /api/organizations', { token: owner.token })).body;
  const page = await visit('/', owner);
  await page.getByRole('link', { name: 'Manage' }).click();
  await page.getByRole('heading', { name: 'Organizations', level: 1 }).waitFor();
  expect(await page.title()).toBe('Organizations - Letterflow');
  await page.getByText('The default organization cannot be deleted.').waitFor();
  expect(await page.getByRole('button', { name: 'Delete organization' }).isDisabled()).toBe(true);
  await press(page, 'Create organization');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create organization' }).click();
  await dialog.getByText('Name is required').waitFor();
  await dialog.getByLabel('Name').fill('Night post');
  await answer(page, 'Create organization');
  await says(page, 'Night post was created.');
  await expect.poll(() => chosen(page)).toBe('Night post');

  await page.getByLabel('Choose a logo').setInputFiles(png);
  await press(page, 'Save logo');
  await says(page, 'Logo saved.');
  const shown = page.locator('[data-sidebar] img[src^="/files/"]');
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
  await press(page, 'Remove logo');
  await says(page, 'Logo removed.');
  expect(await stored()).toMatchObject([{}, { logo: null }]);
  expect(await page.locator('img').count()).toBe(0);

  await page.getByRole('main').getByLabel('Name').fill('Morning post');
  await page.getByRole('checkbox', { name: 'Active' }).uncheck();
  await press(page, 'Save');
  await says(page, 'Organization saved.');
  await expect.poll(() => chosen(page)).toBe('Morning post');
  expect(await stored()).toMatchObject([{}, { name: 'Morning post', active: false }]);

  await press(page, 'Delete organization');
  const confirm = dialog.getByRole('button', { name: 'Delete organization' });
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByLabel('Type “Morning post” to confirm').fill('Morning');
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByLabel('Type “Morning post” to confirm').fill('Morning post');
  await confirm.click();
  await says(page, 'Morning post was deleted.');
  expect(await stored()).toHaveLength(1);
  await expect.poll(() => chosen(page)).toBe(owner.home.name);
  expect(await page.getByText('You no longer have access').count()).toBe(0);
});
