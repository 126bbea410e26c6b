import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { freshBrowser } from '../support/browser.ts';
import { newMember, type Person } from '../support/member.ts';
import { freshStack } from '../support/stack.ts';

const stack = freshStack();
const { visit, visitor, allow } = freshBrowser(stack.url);

const found = async ({ token }: Person, name: string): Promise<number> =>
  (await stack.call('POST /api/organizations', { token, body: { name } })).body.id;

const organizationsOf = async ({ token }: Person): Promise<{ name: string; logo: string | null }[]> =>
  (await stack.call('GET /api/organizations', { token })).body;

const inside = (id: number) => ({ activeOrganizationId: String(id) });
const switcher = (page: Page) => page.getByLabel('Active organization');
const chosen = (page: Page) => switcher(page).locator('option:checked').textContent();
const members = (page: Page) => page.getByRole('table', { name: 'Members' });
const card = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Your organizations' }).getByRole('button', { name });

describe('an organization', () => {
  it('is created and switched to, renamed, put to rest, and deleted by its name', async () => {
    const owner = await newMember(stack, 'founder@example.com');
    const page = await visit('/', { token: owner.token });
    await page.getByRole('link', { name: 'Manage' }).click();
    await page.getByRole('heading', { name: 'Organizations', level: 1 }).waitFor();
    expect(await page.title()).toBe('Organizations - Letterflow');
    await page.getByRole('button', { name: 'Create organization' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create organization' }).click();
    await dialog.getByText('Name is required').waitFor();
    await dialog.getByLabel('Name').fill('Night post');
    await dialog.getByRole('button', { name: 'Create organization' }).click();
    await page.getByText('Night post was created.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => chosen(page)).toBe('Night post');

    const name = page.getByRole('main').getByLabel('Name');
    await name.fill('Morning post');
    await page.getByLabel('Active', { exact: false }).and(page.getByRole('checkbox')).uncheck();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Organization saved.').waitFor();
    await expect.poll(() => chosen(page)).toBe('Morning post');
    expect(await organizationsOf(owner)).toMatchObject([{}, { name: 'Morning post', active: false }]);

    await page.getByRole('button', { name: 'Delete organization' }).click();
    const confirm = dialog.getByRole('button', { name: 'Delete organization' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('Type “Morning post” to confirm').fill('Morning');
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('Type “Morning post” to confirm').fill('Morning post');
    await confirm.click();
    await page.getByText('Morning post was deleted.').waitFor();
    expect(await organizationsOf(owner)).toHaveLength(1);
    await expect.poll(() => card(page, "founder's organization").getAttribute('aria-pressed')).toBe('true');
    expect(await page.getByText('You no longer have access').count()).toBe(0);

    await page.getByText('The default organization cannot be deleted.').waitFor();
    expect(await page.getByRole('button', { name: 'Delete organization' }).isDisabled()).toBe(true);
  });

  it('shows nothing of the one before it while its own data is on the way', async () => {
    const owner = await newMember(stack, 'switch@example.com');
    const depot = await found(owner, 'Depot');
    await stack.call('POST /api/organizations/{organization}/members', {
      token: owner.token,
      params: { organization: String(depot) },
      body: { email: 'secret@example.com', role: 'USER' },
    });
    const page = await visit('/access-control', { token: owner.token, stored: inside(depot) });
    await page.getByText('secret@example.com').waitFor();
    let answer = () => {};
    const held = new Promise<void>(resolve => {
      answer = resolve;
    });
    const asked: (string | undefined)[] = [];
    await page.route(`**/api/organizations/${owner.home.id}/members`, async route => {
      asked.push(route.request().headers()['x-active-organization']);
      await held;
      await route.continue();
    });
    await card(page, owner.home.name).click();
    await expect.poll(() => asked).toEqual([String(owner.home.id)]);
    expect(await page.getByText('secret@example.com').count()).toBe(0);
    expect(await page.getByRole('main').getByLabel('Name').inputValue()).toBe(owner.home.name);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(owner.home.name);
    answer();
    await members(page).getByText('switch@example.com').waitFor();
    expect(await page.evaluate(() => localStorage.getItem('activeOrganizationId'))).toBe(
      String(owner.home.id),
    );
  });

  it('is not left with something unsaved without being asked', async () => {
    const owner = await newMember(stack, 'unsaved@example.com');
    const depot = await found(owner, 'Depot');
    const page = await visit('/access-control', { token: owner.token, stored: inside(depot) });
    const name = page.getByRole('main').getByLabel('Name');
    await name.fill('Half a na');
    await switcher(page).selectOption(owner.home.name);
    await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click();
    expect(await name.inputValue()).toBe('Half a na');
    expect(await chosen(page)).toBe('Depot');
    await switcher(page).selectOption(owner.home.name);
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await expect.poll(() => name.inputValue()).toBe(owner.home.name);
  });

  it('stays the one of its tab when another tab switches', async () => {
    const owner = await newMember(stack, 'twotabs@example.com');
    const depot = await found(owner, 'Depot');
    const { open } = await visitor({ token: owner.token, stored: inside(depot) });
    const first = await open('/access-control');
    await first.getByRole('main').getByLabel('Name').fill('Being typed');
    const second = await open('/access-control');
    await card(second, owner.home.name).click();
    await expect.poll(() => chosen(second)).toBe(owner.home.name);
    await first.bringToFront();
    await first.evaluate(() => dispatchEvent(new Event('focus')));
    expect(await chosen(first)).toBe('Depot');
    await first.getByRole('button', { name: 'Save', exact: true }).click();
    await first.getByText('Organization saved.').waitFor();
    const names = (await organizationsOf(owner)).map(({ name }) => name);
    expect(names).toEqual([owner.home.name, 'Being typed']);
  });

  it('is found in the command palette, to switch to and to invite into', async () => {
    const owner = await newMember(stack, 'commands@example.com');
    const depot = await found(owner, 'Depot');
    const page = await visit('/', { token: owner.token });
    await expect.poll(() => chosen(page)).toBe(owner.home.name);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search pages' }).fill('switch dep');
    await page.keyboard.press('Enter');
    await expect.poll(() => chosen(page)).toBe('Depot');
    expect(await page.evaluate(() => localStorage.getItem('activeOrganizationId'))).toBe(String(depot));
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search pages' }).fill('invite');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Invite a member to Depot' }).waitFor();
  });
});

describe('the logo', () => {
  const PNG =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
  const png = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') };

  it('is chosen, looked at, saved and removed', async () => {
    const owner = await newMember(stack, 'logo@example.com');
    const page = await visit('/access-control', { token: owner.token });
    await page.getByLabel('Choose a logo').setInputFiles(png);
    await page.getByRole('main').locator('img[src^="data:image/png"]').waitFor();
    expect(await organizationsOf(owner)).toMatchObject([{ logo: null }]);
    await page.getByRole('button', { name: 'Save logo' }).click();
    await page.getByText('Logo saved.').waitFor();
    expect(await organizationsOf(owner)).toMatchObject([
      { logo: expect.stringMatching(/^\/files\/.+\.png$/) },
    ]);
    const shown = page.locator('[data-sidebar] img[src^="/files/"]');
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
    await page.getByRole('button', { name: 'Remove logo' }).click();
    await page.getByText('Logo removed.').waitFor();
    expect(await organizationsOf(owner)).toMatchObject([{ logo: null }]);
    expect(await page.locator('img').count()).toBe(0);
  });

  it('stays as it was when the server does not answer', async () => {
    allow(/502/);
    const owner = await newMember(stack, 'lostlogo@example.com');
    const { context } = await visitor({ token: owner.token });
    await context.route('**/api/organizations', route =>
      route.fulfill({ json: [{ ...owner.home, logo: '/files/1/logo.png' }] }),
    );
    await context.route('**/files/**', route =>
      route.fulfill({ contentType: 'image/png', body: png.buffer }),
    );
    await context.route('**/api/organizations/*/logo', route => route.fulfill({ status: 502, body: '' }));
    const page = await context.newPage();
    await page.goto('/access-control');
    await page.getByRole('button', { name: 'Remove logo' }).click();
    await page.getByRole('alert').getByText('Failed to remove logo', { exact: true }).waitFor();
    await page.getByLabel('Choose a logo').setInputFiles(png);
    await page.getByRole('button', { name: 'Save logo' }).click();
    await page.getByRole('alert').getByText('Failed to update logo', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('main').locator('img[src="/files/1/logo.png"]').first().waitFor();
  });

  it('is refused where the file is no image, too large or broken', async () => {
    const owner = await newMember(stack, 'nologo@example.com');
    const page = await visit('/access-control', { token: owner.token });
    for (const [mimeType, buffer, message] of [
      ['image/svg+xml', Buffer.from('<svg/>'), 'Please upload an image file.'],
      ['image/png', Buffer.alloc(500 * 1024 + 1), 'The image must be at most 500 KB.'],
      ['text/plain', Buffer.from('hello'), 'Please upload an image file.'],
      ['image/png', Buffer.from('hello'), 'Failed to process image'],
    ] as const) {
      await page.getByLabel('Choose a logo').setInputFiles({ name: 'file', mimeType, buffer });
      await page.getByRole('alert').getByText(message, { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Save logo' }).count()).toBe(0);
    }
  });
});

describe('when the server does not answer', () => {
  it('nothing is created, renamed or deleted, and the page says so; the server’s own words go first', async () => {
    allow(/502/);
    const owner = await newMember(stack, 'failing@example.com');
    const depot = await found(owner, 'Depot');
    const page = await visit('/access-control', { token: owner.token, stored: inside(depot) });
    let reply: Parameters<Route['fulfill']>[0] = { status: 502, body: '' };
    await page.route('**/api/organizations{,/*}', route =>
      route.request().method() === 'GET' ? route.continue() : route.fulfill(reply),
    );
    const told = (message: string) => page.getByRole('alert').getByText(message, { exact: true }).waitFor();
    const dialog = page.getByRole('dialog');

    await page.getByRole('main').getByLabel('Name').fill('Renamed');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await told('Failed to update organization');
    await page.getByRole('button', { name: 'Delete organization' }).click();
    await dialog.getByLabel('Type “Depot” to confirm').fill('Depot');
    await dialog.getByRole('button', { name: 'Delete organization' }).click();
    await told('Failed to delete organization');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Create organization' }).click();
    await dialog.getByLabel('Name').fill('Another');
    await dialog.getByRole('button', { name: 'Create organization' }).click();
    await told('Failed to create organization');
    reply = { status: 409, json: { message: 'Not while it rains.' } };
    await dialog.getByRole('button', { name: 'Create organization' }).click();
    await told('Not while it rains.');
    expect((await organizationsOf(owner)).map(({ name }) => name)).toEqual([owner.home.name, 'Depot']);
  });

  it.each([
    ['Failed to load organizations', '**/api/organizations'],
    ['Failed to load organization members', '**/api/organizations/*/members'],
  ])('it says: %s', async (message, path) => {
    allow(/502/);
    const owner = await newMember(stack, 'unloaded@example.com');
    const { context } = await visitor({ token: owner.token });
    const page = await context.newPage();
    await page.route(path, route => route.fulfill({ status: 502, body: '' }));
    await page.goto('/access-control');
    await page.getByText(message, { exact: true }).waitFor();
    await page.unroute(path);
    await page.getByRole('button', { name: 'Try again' }).click();
    await members(page).getByText('unloaded@example.com').waitFor();
  });
});
