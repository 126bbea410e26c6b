import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { answer, focused, press, says, stored } from '../support/browser/page.ts';
import { newcomer, newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit, visitor } = sharedBrowser(stack.url);

const sidebarWidth = async (page: Page) => (await page.locator('[data-sidebar]').boundingBox())?.width;
const READ = 'Read Terms and Conditions & Privacy Policy';

describe('the terms', () => {
  it('lie over everything until they are read, ticked and accepted', async () => {
    const { email, token } = await newcomer(stack);
    const page = await visit('/profile', { token });
    const overlay = page.getByRole('dialog');
    await overlay.waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await press(page, READ);
    await overlay.getByText('Last updated: April 15th, 2025').first().waitFor();
    await press(page, 'Back');
    await press(page, READ);
    await press(page, 'Accept and Continue');
    await says(page, 'Please confirm that you have read the terms and conditions.');
    await overlay.getByLabel('I have read and agree to the Terms and Conditions and Privacy Policy').check();
    await answer(page, 'Accept and Continue');

    await page.reload();
    await page.getByText(email).waitFor();
    expect(await overlay.count()).toBe(0);
  });
});

describe('the sidebar', () => {
  it('folds from 300 to 64 pixels, by button and by Ctrl-B, and remembers it', async () => {
    const { email, token } = await newMember(stack);
    const page = await visit('/profile', { token });
    await page.getByText(email).waitFor();
    expect(await sidebarWidth(page)).toBe(300);
    await press(page, 'Collapse sidebar');
    expect(await sidebarWidth(page)).toBe(64);
    await page.reload();
    await page.getByText(email).waitFor();
    expect(await sidebarWidth(page)).toBe(64);
    expect(await page.getByRole('link', { name: 'T&C' }).isVisible()).toBe(true);
    expect(await page.getByRole('link', { name: 'PP' }).isVisible()).toBe(true);
    await page.keyboard.press('Control+b');
    expect(await sidebarWidth(page)).toBe(300);
    expect((await stored(page)).sidebarCollapsed).toBe('false');
  });

  it('shows the active organization, leads to each page and says where one is, and is skipped by a link', async () => {
    const page = await visit('/', await newMember(stack, 'nav'));
    await page.locator('[data-sidebar]').getByText("nav's organization").waitFor();
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await page.getByRole('heading', { name: 'Welcome, nav' }).waitFor();
    expect(await page.title()).toBe('Home - Letterflow');
    expect(await navigation.locator('[aria-current=page]').textContent()).toBe('Home');
    await navigation.getByRole('link', { name: 'Profile' }).click();
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    expect(await navigation.locator('[aria-current=page]').textContent()).toBe('Profile');
    expect(await focused(page)).toBe('Profile');
    await page.getByRole('link', { name: 'Skip to content' }).focus();
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    expect(new URL(page.url()).hash).toBe('');
    // The legal texts open beside the app.
    const [terms] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Terms and Conditions' }).click(),
    ]);
    await terms.getByRole('heading', { name: 'Terms and Conditions', level: 1 }).waitFor();
  });

  it('becomes a drawer on a phone, which keeps the focus and gives it back', async () => {
    const { email, token } = await newMember(stack, 'phone');
    const page = await visit('/profile', { token, width: 390 });
    await page.getByText(email).waitFor();
    const opener = page.getByRole('button', { name: 'Open menu' });
    await opener.click();
    const drawer = page.getByRole('dialog', { name: 'Menu' });
    await drawer.waitFor();
    for (let tab = 0; tab < 12; tab++) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.closest('main'))).toBeNull();
    }
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await expect.poll(() => opener.evaluate(button => button === document.activeElement)).toBe(true);
    await opener.click();
    await drawer.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('heading', { name: 'Welcome, phone' }).waitFor();
    expect(await drawer.count()).toBe(0);
  });
});

describe('leaving', () => {
  it('signs out, on the server too, and keeps only how the app looks', async () => {
    const { email, token } = await newMember(stack);
    const page = await visit('/profile', { token, stored: { sidebarCollapsed: 'false' } });
    await page.getByText(email).waitFor();
    await press(page, 'Logout');
    await page.waitForURL('**/login');
    expect(await stored(page)).toEqual({ sidebarCollapsed: 'false' });
    expect((await stack.call('GET /api/user', { token })).status).toBe(401);
  });

  it('takes the other tabs along', async () => {
    const { open } = await visitor(await newMember(stack));
    const first = await open('/profile');
    const second = await open('/');
    await second.getByRole('heading', { name: 'Welcome' }).waitFor();
    await press(first, 'Logout');
    await second.waitForURL('**/login');
  });

  it('shows nothing of the app when going back after it', async () => {
    const { email, token } = await newMember(stack);
    const page = await (await visitor({ token })).open('/profile');
    await page.getByText(email).waitFor();
    await press(page, 'Logout');
    await page.waitForURL('**/login');
    await page.goBack();
    await page.waitForURL(/\/login$|^about:blank$/);
  });

  it('in one tab and signing in there as another user switches the other tab to that user', async () => {
    const [one, two] = [await newMember(stack), await newMember(stack)];
    const { open } = await visitor(one);
    const page = await open('/profile');
    await page.getByText(one.email).waitFor();
    const elsewhere = await open('/terms-and-conditions');
    await elsewhere.evaluate(value => localStorage.setItem('token', value), two.token);
    await page.getByText(two.email).waitFor();
  });
});

/** The option that Enter chooses. */
const highlighted = (page: Page) => page.getByRole('option').and(page.locator('[data-highlighted]'));

describe('the command palette', () => {
  it('opens with Ctrl-K, finds a page by keyboard, and goes there', async () => {
    const page = await visit('/', await newMember(stack));
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search pages and commands' });
    await field.waitFor();
    await field.fill('zzz');
    await page.getByText('Nothing is called “zzz”.').waitFor();
    await field.fill('pro');
    await expect.poll(() => highlighted(page).textContent()).toBe('Profile');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/profile');
    expect(await field.count()).toBe(0);
  });

  it('moves through what it offers with the arrow keys and closes with Escape', async () => {
    const page = await visit('/', await newMember(stack));
    await page.getByRole('button', { name: 'Search' }).click();
    const option = highlighted(page);
    await expect.poll(() => option.textContent()).toBe('Home');
    await page.keyboard.press('ArrowUp');
    expect(await option.textContent()).toBe('Privacy Policy');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await option.textContent()).toBe('Email Lists');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
