import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { freshBrowser } from '../support/browser.ts';
import { freshStack } from '../support/stack.ts';

const stack = freshStack();
const { visit, visitor, allow } = freshBrowser(stack.url);

async function askForCode(page: Page, email: string): Promise<string> {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send Login Code' }).click();
  await page.getByLabel('Login code').waitFor();
  return stack.latestCode(email);
}

async function verify(page: Page, code: string) {
  await page.getByLabel('Login code').fill(code);
  await page.getByRole('button', { name: 'Verify Code' }).click();
}

const pathOf = (page: Page) => new URL(page.url()).pathname;

describe('signing in', () => {
  it('takes an address and the code from the mail, and leads to the profile', async () => {
    const page = await visit('/login');
    expect(await page.title()).toBe('Sign in - Letterflow');
    for (const text of ['Alpha', 'Sign in to your account', 'Limited access during alpha testing phase']) {
      expect(await page.getByText(text, { exact: true }).isVisible()).toBe(true);
    }
    const code = await askForCode(page, 'reader@example.com');
    expect(await page.getByLabel('Login code').getAttribute('placeholder')).toBe('Enter 6-digit code');
    await verify(page, code.toLowerCase());
    await page.waitForURL('**/profile');
    await page.getByText('reader@example.com').waitFor();
    expect(await page.title()).toBe('Profile - Letterflow');
  });

  it('takes a code that is pasted with spaces and in small letters', async () => {
    const page = await visit('/login');
    const code = await askForCode(page, 'paste@example.com');
    const spaced = ` ${code.slice(0, 3)} ${code.slice(3)}\n`.toLowerCase();
    await page.evaluate(text => navigator.clipboard.writeText(text), spaced);
    await page.getByLabel('Login code').focus();
    await page.keyboard.press('Control+V');
    expect(await page.getByLabel('Login code').inputValue()).toBe(code);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/profile');
  });

  it('says when a code is wrong, and takes the right one after it', async () => {
    const page = await visit('/login');
    const code = await askForCode(page, 'typo@example.com');
    await verify(page, 'AAAAAA');
    await page.getByRole('alert').getByText('Invalid code. Please try again.', { exact: true }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('code');
    await verify(page, code);
    await page.waitForURL('**/profile');
  });

  it('goes back to another address', async () => {
    const page = await visit('/login');
    await askForCode(page, 'wrong@example.com');
    await page.getByRole('button', { name: 'Use a different email' }).click();
    expect(await page.getByLabel('Email').inputValue()).toBe('wrong@example.com');
    const code = await askForCode(page, 'right@example.com');
    await verify(page, code);
    await page.getByText('right@example.com').waitFor();
  });

  it('mails another code after a wait', async () => {
    const page = await (await visitor()).context.newPage();
    await page.clock.install();
    await page.goto('/login');
    const first = await askForCode(page, 'again@example.com');
    expect(await page.getByRole('button', { name: /^Resend code in/ }).isDisabled()).toBe(true);
    await page.clock.runFor(31_000);
    await page.getByRole('button', { name: 'Resend code', exact: true }).click();
    await page.getByText('Check your inbox: the newest code is the one that works.').waitFor();
    const second = await stack.latestCode('again@example.com');
    expect(second).not.toBe(first);
    await verify(page, second);
    await page.waitForURL('**/profile');
  });
});

describe('where signing in leads', () => {
  it('follows a redirect within the site', async () => {
    const page = await visit('/login?redirect=/nothing%3Fhere=1');
    await verify(page, await askForCode(page, 'redirect@example.com'));
    await page.waitForURL('**/nothing?here=1');
  });

  it.each(['//evil.test', '/\\evil.test', 'https://evil.test', 'javascript:alert(1)'])(
    'stays on the site with redirect=%s',
    async wanted => {
      const { token } = await stack.signIn('stays@example.com');
      const page = await visit(`/login?redirect=${encodeURIComponent(wanted)}`, { token });
      await page.waitForURL(`${stack.url()}/`);
      await page.getByRole('heading', { name: 'Welcome' }).waitFor({ state: 'attached' });
    },
  );

  it('leads whoever is signed in already to a redirect within the site', async () => {
    const { token } = await stack.signIn('already@example.com');
    const page = await visit('/login?redirect=/profile', { token });
    await page.waitForURL('**/profile');
  });

  it('a token that is no longer good leads back to sign in, and is forgotten', async () => {
    const page = await visit('/', {
      token: 'expired',
      stored: { sidebarCollapsed: 'true', activeOrganizationId: '1' },
    });
    await page.waitForURL('**/login');
    await page.getByLabel('Email').waitFor();
    expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({ sidebarCollapsed: 'true' });
  });

  it('pages for the signed-in lead others to sign in', async () => {
    const page = await visit('/profile');
    await page.waitForURL('**/login');
  });
});

describe('when a code cannot be sent', () => {
  it('says that only whitelisted addresses are let in', async () => {
    await stack.whitelist('remove', '*');
    const page = await visit('/login');
    await page.getByLabel('Email').fill('stranger@example.com');
    await page.getByRole('button', { name: 'Send Login Code' }).click();
    await page
      .getByRole('alert')
      .getByText(
        'Alpha access only: Currently, only whitelisted addresses are allowed. Contact us to request alpha access.',
        { exact: true },
      )
      .waitFor();
    await stack.whitelist('add', '*');
  });

  it.each([
    ['the API is down', { status: 502, body: '<html>Bad gateway</html>' }],
    ['it answers HTML', { status: 200, contentType: 'text/html', body: '<!doctype html>' }],
    ['it answers nothing', { status: 200, body: '' }],
    ['the line is cut', undefined],
  ])('says so when %s, and lets one try again', async (_, answer) => {
    allow(/502/, /net::ERR/);
    const page = await visit('/login');
    await page.route('**/api/login/request', route => (answer ? route.fulfill(answer) : route.abort()));
    await page.getByLabel('Email').fill('patient@example.com');
    await page.getByRole('button', { name: 'Send Login Code' }).click();
    const failure = page
      .getByRole('alert')
      .getByText('Failed to send login code. Please try again.', { exact: true });
    await failure.waitFor();
    await page.unroute('**/api/login/request');
    await page.getByRole('button', { name: 'Send Login Code' }).click();
    await page.getByLabel('Login code').waitFor();
  });

  it('shows that it is sending while that takes long', async () => {
    const page = await visit('/login');
    let answer = () => {};
    const held = new Promise<void>(resolve => {
      answer = resolve;
    });
    await page.route('**/api/login/request', async route => {
      await held;
      await route.continue();
    });
    await page.getByLabel('Email').fill('slow@example.com');
    await page.getByRole('button', { name: 'Send Login Code' }).click();
    await page.getByRole('button', { name: 'Sending...' }).waitFor();
    answer();
    await page.getByLabel('Login code').waitFor();
    expect(pathOf(page)).toBe('/login');
  });
});
