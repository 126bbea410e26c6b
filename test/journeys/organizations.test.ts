import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import {
  answer,
  chosen,
  focused,
  hold,
  press,
  runCommand,
  says,
  stored,
  switchTo,
} from '../support/browser/page.ts';
import { newAddress } from '../support/client.ts';
import { newMember, type Person } from '../support/member.ts';
import { invite, newOrganization } from '../support/organization.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit, visitor } = sharedBrowser(stack.url);

const organizationsOf = async ({ token }: Person): Promise<{ name: string; logo: string | null }[]> =>
  (await stack.call('GET /api/organizations', { token })).body;

const nameField = (page: Page) => page.getByRole('main').getByLabel('Name');
const members = (page: Page) => page.getByRole('grid', { name: 'Members' });
const card = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Your organizations' }).getByRole('button', { name });

/** An owner of a second organization, and where they look at it. */
async function ownerOfDepot() {
  const owner = await newMember(stack, 'owner');
  const organization = await newOrganization(stack, owner, 'Depot');
  return { owner, there: { ...owner, organization } };
}

describe('an organization', () => {
  it('is created and switched to', async () => {
    const page = await visit('/', await newMember(stack));
    await page.getByRole('link', { name: 'Manage' }).click();
    await page.getByRole('heading', { name: 'Organizations', level: 1 }).waitFor();
    expect(await page.title()).toBe('Organizations - Letterflow');
    await press(page, 'Create organization');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create organization' }).click();
    await dialog.getByText('Name is required').waitFor();
    await dialog.getByLabel('Name').fill('Night post');
    await answer(page, 'Create organization');
    await says(page, 'Night post was created.');
    await expect.poll(() => chosen(page)).toBe('Night post');
  });

  it('is renamed, put to rest, and deleted by its name; the default one cannot be deleted', async () => {
    const { owner, there } = await ownerOfDepot();
    const page = await visit('/access-control', there);
    await nameField(page).fill('Morning post');
    await page.getByRole('checkbox', { name: 'Active' }).uncheck();
    await press(page, 'Save');
    await says(page, 'Organization saved.');
    await expect.poll(() => chosen(page)).toBe('Morning post');
    expect(await organizationsOf(owner)).toMatchObject([{}, { name: 'Morning post', active: false }]);

    await press(page, 'Delete organization');
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Delete organization' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('Type “Morning post” to confirm').fill('Morning');
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('Type “Morning post” to confirm').fill('Morning post');
    await confirm.click();
    await says(page, 'Morning post was deleted.');
    expect(await organizationsOf(owner)).toHaveLength(1);
    await expect.poll(() => card(page, owner.home.name).getAttribute('aria-pressed')).toBe('true');
    expect(await page.getByText('You no longer have access').count()).toBe(0);
    await page.getByText('The default organization cannot be deleted.').waitFor();
    expect(await page.getByRole('button', { name: 'Delete organization' }).isDisabled()).toBe(true);
  });

  it('shows nothing of the one before it while its own data is on the way', async () => {
    const { owner, there } = await ownerOfDepot();
    const secret = newAddress('secret');
    await invite(stack, owner, there.organization, secret);
    const page = await visit('/access-control', there);
    await page.getByText(secret).waitFor();
    const asked: (string | undefined)[] = [];
    page.on('request', request => {
      if (request.url().endsWith(`/${owner.home.id}/members`))
        asked.push(request.headers()['x-active-organization']);
    });
    const release = await hold(page, `**/api/organizations/${owner.home.id}/members`);
    await card(page, owner.home.name).click();
    await expect.poll(() => asked).toEqual([String(owner.home.id)]);
    expect(await page.getByText(secret).count()).toBe(0);
    expect(await nameField(page).inputValue()).toBe(owner.home.name);
    expect(await focused(page)).toContain(owner.home.name);
    release();
    await members(page).getByText(owner.email).waitFor();
    expect((await stored(page)).activeOrganizationId).toBe(String(owner.home.id));
  });

  it('with a long name is shown in full', async () => {
    const owner = await newMember(stack);
    const name = 'long'.repeat(25);
    await newOrganization(stack, owner, name);
    const page = await visit('/access-control', owner);
    const shown = card(page, name).getByText(name);
    expect(await shown.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
  });

  it('is not left with something unsaved without being asked', async () => {
    const { owner, there } = await ownerOfDepot();
    const page = await visit('/access-control', there);
    await nameField(page).fill('Half a na');
    await switchTo(page, owner.home.name);
    await answer(page, 'Keep editing');
    expect(await nameField(page).inputValue()).toBe('Half a na');
    expect(await chosen(page)).toBe('Depot');
    await switchTo(page, owner.home.name);
    await answer(page, 'Leave');
    await expect.poll(() => nameField(page).inputValue()).toBe(owner.home.name);
  });

  it('stays the one of its tab when another tab switches', async () => {
    const { owner, there } = await ownerOfDepot();
    const { open } = await visitor(there);
    const first = await open('/access-control');
    await nameField(first).fill('Being typed');
    const second = await open('/access-control');
    await card(second, owner.home.name).click();
    await expect.poll(() => chosen(second)).toBe(owner.home.name);
    await first.bringToFront();
    await first.evaluate(() => dispatchEvent(new Event('focus')));
    expect(await chosen(first)).toBe('Depot');
    await press(first, 'Save');
    await says(first, 'Organization saved.');
    const names = (await organizationsOf(owner)).map(({ name }) => name);
    expect(names).toEqual([owner.home.name, 'Being typed']);
  });

  it('is found in the command palette, to switch to and to invite into', async () => {
    const { owner, there } = await ownerOfDepot();
    const page = await visit('/', owner);
    await expect.poll(() => chosen(page)).toBe(owner.home.name);
    await runCommand(page, 'switch dep', 'Switch to Depot');
    await expect.poll(() => chosen(page)).toBe('Depot');
    expect((await stored(page)).activeOrganizationId).toBe(String(there.organization));
    await runCommand(page, 'invite', 'Invite a member to Depot');
    await page.getByRole('dialog', { name: 'Invite a member to Depot' }).waitFor();
  });
});

describe('the logo', () => {
  const PNG =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
  const png = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') };

  it('is chosen, looked at, saved and removed', async () => {
    const owner = await newMember(stack);
    const page = await visit('/access-control', owner);
    await page.getByLabel('Choose a logo').setInputFiles(png);
    await page.getByRole('main').locator('img[src^="data:image/png"]').waitFor();
    expect(await organizationsOf(owner)).toMatchObject([{ logo: null }]);
    await press(page, 'Save logo');
    await says(page, 'Logo saved.');
    expect(await organizationsOf(owner)).toMatchObject([
      { logo: expect.stringMatching(/^\/files\/.+\.png$/) },
    ]);
    const shown = page.locator('[data-sidebar] img[src^="/files/"]');
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
    await press(page, 'Remove logo');
    await says(page, 'Logo removed.');
    expect(await organizationsOf(owner)).toMatchObject([{ logo: null }]);
    expect(await page.locator('img').count()).toBe(0);
  });
});
