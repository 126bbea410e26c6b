import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { freshBrowser } from '../support/browser.ts';
import { freshStack } from '../support/stack.ts';

const stack = freshStack();
const { visit, visitor, allow } = freshBrowser(stack.url);

async function member(email: string): Promise<string> {
  const { token } = await stack.signIn(email);
  await stack.call('POST /api/user/accept-terms', { token });
  return token;
}

/** A page whose calls are answered by the test until it lets them through. */
async function pageWith(token: string, path: string, calls: string, answer: Parameters<Page['route']>[1]) {
  const { context } = await visitor({ token });
  const page = await context.newPage();
  await page.route(calls, answer);
  await page.goto(path);
  return page;
}

describe('the public home page', () => {
  it('says that it is a private alpha, and works without any script', async () => {
    const page = await visit('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByText('private alpha and invite-only').isVisible()).toBe(true);
    const scripts = await page.evaluate(() => [...document.scripts].map(({ src }) => new URL(src).pathname));
    expect(scripts).toEqual(['/handover.js']);
    await page.getByRole('link', { name: 'Log in' }).first().click();
    await page.waitForURL('**/login');
  });

  it('gives way to the app at the same address for whoever is signed in', async () => {
    const page = await visit('/', { token: await member('home@example.com') });
    await page.getByRole('heading', { name: 'Welcome, home' }).waitFor();
    expect(page.url()).toBe(`${stack.url()}/`);
    await page.getByRole('main').getByRole('link', { name: 'Profile' }).click();
    await page.waitForURL('**/profile');
    await page.goBack();
    await page.getByRole('heading', { name: 'Welcome, home' }).waitFor();
  });

  it('stays where the app cannot be loaded', async () => {
    allow(/net::ERR/);
    const page = await pageWith('any', '/', '**/app.html', route => route.abort());
    await expect.poll(() => page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
  });
});

describe('a path that leads nowhere', () => {
  it('says so, and leads home, to whoever is signed in', async () => {
    const page = await visit('/nothing/here', { token: await member('lost@example.com') });
    await page.getByText("The page you're looking for doesn't exist.", { exact: true }).waitFor();
    expect(await page.title()).toBe('Page not found - Letterflow');
    await page.getByRole('link', { name: 'Go to Home' }).click();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  });

  it('says so to everybody else too, with the way to sign in', async () => {
    const page = await visit('/nothing/here');
    await page.getByText("The page you're looking for doesn't exist.", { exact: true }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/login');
    await page.getByRole('link', { name: 'Go to Home' }).click();
    await page.getByRole('link', { name: 'Log in' }).first().waitFor();
  });
});

describe('when the API fails', () => {
  const down = { status: 502, body: '<html>Bad gateway</html>' };

  it.each([
    ['is down', down],
    ['answers HTML', { status: 200, contentType: 'text/html', body: '<!doctype html>' }],
    ['answers nothing', { status: 200, body: '' }],
    ['cannot be reached', undefined],
  ])('and %s, the page says so, and works again after a retry', async (_, answer) => {
    allow(/502/, /net::ERR/);
    const token = await member('down@example.com');
    const page = await pageWith(token, '/profile', '**/api/**', route =>
      answer ? route.fulfill(answer) : route.abort(),
    );
    await page.getByRole('heading', { name: 'Your account could not be loaded' }).waitFor();
    expect(await page.getByRole('alert').getByText('Letterflow').isVisible()).toBe(true);
    await page.unroute('**/api/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('down@example.com').waitFor();
  });

  it('slowly, a spinner shows until the answer is there', async () => {
    let answer = () => {};
    const held = new Promise<void>(resolve => {
      answer = resolve;
    });
    const page = await pageWith(await member('slow@example.com'), '/profile', '**/api/user', async route => {
      await held;
      await route.continue();
    });
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    answer();
    await page.getByText('slow@example.com').waitFor();
  });

  it('for a part of a page, the rest of it stands', async () => {
    allow(/502/);
    const page = await pageWith(await member('part@example.com'), '/profile', '**/api/user/sessions', route =>
      route.fulfill(down),
    );
    await page.getByText('part@example.com').waitFor();
    await page.unroute('**/api/user/sessions');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('This browser').waitFor();
  });

  it('leaving works nevertheless', async () => {
    allow(/502/);
    const page = await pageWith(await member('leave@example.com'), '/profile', '**/api/**', route =>
      route.fulfill(down),
    );
    await page.getByRole('main').getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('**/login');
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  });
});

describe('a page that breaks', () => {
  it('says what to do, within the app that did not break', async () => {
    allow(/sessions/, /React Router caught/);
    const token = await member('broken@example.com');
    const page = await pageWith(token, '/profile', '**/api/user/sessions', route =>
      route.fulfill({ json: { sessions: 'none' } }),
    );
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(true);
    await page.unroute('**/api/user/sessions');
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await page.getByText('This browser').waitFor();
  });

  it('because its code is no longer there says that there may be a newer version', async () => {
    allow(/dynamically imported module/, /net::ERR/, /React Router caught/);
    const page = await visit('/', { token: await member('chunk@example.com') });
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await page.route('**/assets/profile-*.js', route => route.abort());
    await page.getByRole('main').getByRole('link', { name: 'Profile' }).click();
    await page.getByText('There may be a newer version').waitFor();
  });
});

describe('the sessions on the profile', () => {
  it('are listed, and end one by one or all others at once', async () => {
    const here = await member('sessions@example.com');
    const others: string[] = [];
    for (let count = 0; count < 3; count++) others.push((await stack.signIn('sessions@example.com')).token);
    const alive = async () =>
      (await Promise.all(others.map(token => stack.call('GET /api/user', { token })))).filter(
        ({ status }) => status === 200,
      ).length;

    const page = await visit('/profile', { token: here });
    await page.getByText('This browser').waitFor();
    const rows = page.getByRole('region', { name: 'Active sessions' }).locator('tbody tr');
    expect(await rows.count()).toBe(4);

    await rows.nth(1).hover();
    await rows.nth(1).getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Signed out on').waitFor();
    await expect.poll(() => rows.count()).toBe(3);
    expect(await alive()).toBe(2);

    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByText('Signed out everywhere else.').waitFor();
    await expect.poll(() => rows.count()).toBe(1);
    expect(await alive()).toBe(0);
    expect((await stack.call('GET /api/user', { token: here })).status).toBe(200);
  });
});
