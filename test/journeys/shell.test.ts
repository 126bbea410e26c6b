import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { freshBrowser } from '../support/browser.ts';
import { freshStack } from '../support/stack.ts';

const stack = freshStack();
const { visit, visitor, allow } = freshBrowser(stack.url);

/** The token of somebody who has accepted the terms. */
async function member(email: string): Promise<string> {
  const { token } = await stack.signIn(email);
  await stack.call('POST /api/user/accept-terms', { token });
  return token;
}

const sidebarWidth = async (page: Page) => (await page.locator('[data-sidebar]').boundingBox())?.width;

describe('the terms', () => {
  it('lie over everything until they are read, ticked and accepted', async () => {
    const { token } = await stack.signIn('terms@example.com');
    const page = await visit('/profile', { token });
    const overlay = page.getByRole('dialog');
    await overlay.waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await overlay.getByRole('button', { name: 'Read Terms and Conditions & Privacy Policy' }).click();
    await overlay.getByText('Last updated: April 15th, 2025').first().waitFor();
    await overlay.getByRole('button', { name: 'Back' }).click();
    await overlay.getByRole('button', { name: 'Read Terms and Conditions & Privacy Policy' }).click();

    const accept = overlay.getByRole('button', { name: 'Accept and Continue' });
    await accept.click();
    await overlay.getByText('Please confirm that you have read the terms and conditions.').waitFor();
    await overlay.getByLabel('I have read and agree to the Terms and Conditions and Privacy Policy').check();
    await accept.click();
    await overlay.waitFor({ state: 'detached' });

    await page.reload();
    await page.getByText('terms@example.com').waitFor();
    expect(await overlay.count()).toBe(0);
  });

  it('say so when accepting fails, and stay', async () => {
    allow(/500/);
    const { token } = await stack.signIn('terms-fail@example.com');
    const page = await visit('/', { token });
    await page.route('**/api/user/accept-terms', route => route.fulfill({ status: 500, body: '' }));
    await page.getByRole('button', { name: 'Read Terms and Conditions & Privacy Policy' }).click();
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Accept and Continue' }).click();
    await page.getByText('An error occurred. Please try again.', { exact: true }).waitFor();
    await page.unroute('**/api/user/accept-terms');
    await page.getByRole('button', { name: 'Accept and Continue' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

describe('the sidebar', () => {
  it('folds from 300 to 64 pixels, by button and by Ctrl-B, and remembers it', async () => {
    const page = await visit('/profile', { token: await member('fold@example.com') });
    await page.getByText('fold@example.com').waitFor();
    expect(await sidebarWidth(page)).toBe(300);
    await page.getByRole('button', { name: 'Collapse sidebar' }).click();
    expect(await sidebarWidth(page)).toBe(64);
    await page.reload();
    await page.getByText('fold@example.com').waitFor();
    expect(await sidebarWidth(page)).toBe(64);
    expect(await page.getByRole('link', { name: 'T&C' }).isVisible()).toBe(true);
    expect(await page.getByRole('link', { name: 'PP' }).isVisible()).toBe(true);
    await page.keyboard.press('Control+b');
    expect(await sidebarWidth(page)).toBe(300);
    expect(await page.evaluate(() => localStorage.getItem('sidebarCollapsed'))).toBe('false');
  });

  it('leads to each page and says where one is', async () => {
    const page = await visit('/', { token: await member('nav@example.com') });
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await page.getByRole('heading', { name: 'Welcome, nav' }).waitFor();
    expect(await page.title()).toBe('Home - Letterflow');
    expect(await navigation.locator('[aria-current=page]').textContent()).toBe('Home');
    await navigation.getByRole('link', { name: 'Profile' }).click();
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    expect(await navigation.locator('[aria-current=page]').textContent()).toBe('Profile');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Profile');
  });

  it('shows the active organization, and opens the legal texts beside the app', async () => {
    const page = await visit('/', { token: await member('place@example.com') });
    await page.locator('[data-sidebar]').getByText("place's organization").waitFor();
    const [terms] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Terms and Conditions' }).click(),
    ]);
    await terms.getByRole('heading', { name: 'Terms and Conditions', level: 1 }).waitFor();
  });

  it('becomes a drawer on a phone, which keeps the focus and gives it back', async () => {
    const page = await visit('/profile', { token: await member('phone@example.com'), width: 390 });
    await page.getByText('phone@example.com').waitFor();
    const opener = page.getByRole('button', { name: 'Open menu' });
    await opener.click();
    const drawer = page.getByRole('dialog', { name: 'Menu' });
    await drawer.waitFor();
    for (let press = 0; press < 12; press++) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.closest('main'))).toBeNull();
    }
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    expect(await opener.evaluate(button => button === document.activeElement)).toBe(true);
    await opener.click();
    await drawer.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('heading', { name: 'Welcome, phone' }).waitFor();
    expect(await drawer.count()).toBe(0);
  });
});

describe('organizations', () => {
  it('says when none is active', async () => {
    const page = await visit('/profile', { token: await member('none@example.com') });
    await page.getByText('none@example.com').waitFor();
    await page.route('**/api/organizations', route => route.fulfill({ json: [] }));
    await page.reload();
    const alert = page.getByText('No active organization - Please select an organization to continue.');
    await alert.waitFor();
  });

  it('lets who has several choose, and remembers the choice', async () => {
    const token = await member('several@example.com');
    const { body: own } = await stack.call('GET /api/organizations', { token });
    const other = { ...own[0], id: own[0].id + 1, name: 'Another', is_default: false };
    const { context } = await visitor({ token });
    await context.route('**/api/organizations', route => route.fulfill({ json: [...own, other] }));
    const page = await context.newPage();
    await page.goto('/profile');
    const switcher = page.getByLabel('Active organization');
    await switcher.selectOption('Another');
    await page.reload();
    await expect.poll(() => switcher.locator('option:checked').textContent()).toBe('Another');
    expect(await page.evaluate(() => localStorage.getItem('activeOrganizationId'))).toBe(String(other.id));
  });
});

describe('leaving', () => {
  it('signs out, on the server too, and keeps only how the app looks', async () => {
    const token = await member('leave@example.com');
    const page = await visit('/profile', { token, stored: { sidebarCollapsed: 'false' } });
    await page.getByText('leave@example.com').waitFor();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('**/login');
    expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({ sidebarCollapsed: 'false' });
    expect((await stack.call('GET /api/user', { token })).status).toBe(401);
  });

  it('takes the other tabs along', async () => {
    const { open } = await visitor({ token: await member('tabs@example.com') });
    const first = await open('/profile');
    const second = await open('/');
    await second.getByRole('heading', { name: 'Welcome' }).waitFor();
    await first.getByRole('button', { name: 'Logout' }).click();
    await second.waitForURL('**/login');
  });

  it('shows nothing of the app when going back after it', async () => {
    const page = await visit('/profile', { token: await member('back@example.com') });
    await page.getByText('back@example.com').waitFor();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('**/login');
    await page.goBack();
    await page.waitForURL(/\/login$|^about:blank$/);
  });

  it('in one tab and arriving as another user makes the first tab theirs', async () => {
    const { open } = await visitor({ token: await member('one@example.com') });
    const page = await open('/profile');
    await page.getByText('one@example.com').waitFor();
    const token = await member('two@example.com');
    const elsewhere = await open('/terms-and-conditions');
    await elsewhere.evaluate(value => localStorage.setItem('token', value), token);
    await page.getByText('two@example.com').waitFor();
  });
});

describe('the command palette', () => {
  it('opens with Ctrl-K, finds a page by keyboard, and goes there', async () => {
    const page = await visit('/', { token: await member('palette@example.com') });
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search pages and commands' });
    await field.waitFor();
    await field.fill('zzz');
    await page.getByText('Nothing is called “zzz”.').waitFor();
    await field.fill('pro');
    await expect.poll(() => page.getByRole('option', { selected: true }).textContent()).toBe('Profile');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/profile');
    expect(await field.count()).toBe(0);
  });

  it('moves through what it offers with the arrow keys and closes with Escape', async () => {
    const page = await visit('/', { token: await member('arrows@example.com') });
    await page.getByRole('button', { name: 'Search' }).click();
    const chosen = page.getByRole('option', { selected: true });
    await expect.poll(() => chosen.textContent()).toBe('Home');
    await page.getByRole('option', { name: 'New list' }).waitFor();
    await page.keyboard.press('ArrowUp');
    expect(await chosen.textContent()).toBe('New list');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await chosen.textContent()).toBe('Email Lists');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
