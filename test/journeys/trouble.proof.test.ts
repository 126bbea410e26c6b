import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { press } from '../support/browser/page.ts';
import { newcomer, newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit, allow } = sharedBrowser(stack.url);

it('the public home page works without any script, and is replaced by the app when one is signed in, if that can be loaded', async () => {
  allow(/net::ERR/);
  const page = await visit('/');
  const title = page.getByRole('heading', { level: 1 });
  await title.waitFor();
  expect(await page.getByText('private alpha and invite-only').isVisible()).toBe(true);
  const scripts = await page.evaluate(() => [...document.scripts].map(({ src }) => new URL(src).pathname));
  expect(scripts).toEqual(['/handover.js']);
  await page.getByRole('link', { name: 'Sign in' }).first().click();
  await page.waitForURL('**/login');

  const { token } = await newMember(stack, 'home');
  await page.evaluate(value => localStorage.setItem('token', value), token);
  await page.route('**/app.html', route => route.abort());
  await page.goto('/');
  await expect.poll(() => title.isVisible()).toBe(true);
  await page.unrouteAll();
  await page.reload();
  await page.getByRole('heading', { name: 'Welcome, home' }).waitFor();
  expect(page.url()).toBe(`${stack.url()}/`);
  await page.getByRole('link', { name: 'Profile', exact: true }).click();
  await page.waitForURL('**/profile');
  await page.goBack();
  await page.getByRole('heading', { name: 'Welcome, home' }).waitFor();
});

it('code that does not arrive is loaded anew when the user asks for it, or when the connection is back', async () => {
  allow(/ERR_FAILED|dynamically imported module/, /React Router caught/);
  const person = await newcomer(stack);
  const page = await visit('/', person, async prepared => {
    await prepared.clock.install();
    await prepared.route(/terms-overlay[^/]*\.js/, route => route.abort());
  });
  await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
  await page.unrouteAll();
  await press(page, 'Reload the page');
  await page.getByRole('dialog', { name: 'Before you start' }).waitFor();
  await stack.call('POST /api/user/accept-terms', { token: person.token });

  const code = '**/assets/profile-*.js';
  await page.route(code, () => new Promise<void>(() => {}), { times: 1 });
  await page.goto('/profile');
  await page.getByRole('status', { name: 'Loading', exact: true }).waitFor();
  await page.clock.runFor(10_000);
  await page.getByText('The page is taking long to load.').waitFor();
  await press(page, 'Reload');
  await page.getByText(person.email).waitFor();
  expect(new URL(page.url()).pathname).toBe('/profile');

  const main = page.getByRole('navigation', { name: 'Main' });
  await page.route('**/assets/lists-page-*.js', route => route.abort());
  await main.getByRole('link', { name: 'Email Lists' }).click();
  await page.getByText('There may be a newer version').waitFor();
  await page.unrouteAll();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await page.getByText('No email lists yet').waitFor();
});
