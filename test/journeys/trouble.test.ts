import { describe, expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { answer, fail, hold, press, says, stored, warns } from '../support/browser/page.ts';
import { newcomer, newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit, allow } = sharedBrowser(stack.url);

describe('the public home page', () => {
  it('says that it is a private alpha, and works without any script', async () => {
    const page = await visit('/');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByText('private alpha and invite-only').isVisible()).toBe(true);
    const scripts = await page.evaluate(() => [...document.scripts].map(({ src }) => new URL(src).pathname));
    expect(scripts).toEqual(['/handover.js']);
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.waitForURL('**/login');
  });

  it('is replaced by the app, at the same address, when one is signed in', async () => {
    const page = await visit('/', await newMember(stack, 'home'));
    await page.getByRole('heading', { name: 'Welcome, home' }).waitFor();
    expect(page.url()).toBe(`${stack.url()}/`);
    await page.getByRole('main').getByRole('link', { name: 'Profile' }).click();
    await page.waitForURL('**/profile');
    await page.goBack();
    await page.getByRole('heading', { name: 'Welcome, home' }).waitFor();
  });

  it('stays where the app cannot be loaded', async () => {
    allow(/net::ERR/);
    const page = await visit('/', { token: 'any' }, prepared =>
      prepared.route('**/app.html', route => route.abort()),
    );
    await expect.poll(() => page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
  });
});

describe('a path that leads nowhere', () => {
  it('says so to everybody else, and offers to sign in', async () => {
    const page = await visit('/nothing/here');
    await says(page, "The page you're looking for doesn't exist.");
    expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/login');
    await page.getByRole('link', { name: 'Go to Home' }).click();
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
  });
});

it('logging out works when the API fails', async () => {
  allow(/502/);
  const page = await visit('/profile', await newMember(stack), prepared => fail(prepared, '**/api/**'));
  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  expect(await stored(page)).not.toHaveProperty('token');
});

describe('a page that breaks', () => {
  it('because its code is no longer there says that there may be a newer version', async () => {
    allow(/dynamically imported module/, /net::ERR/, /React Router caught/);
    const page = await visit('/', await newMember(stack));
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await page.route('**/assets/profile-*.js', route => route.abort());
    await page.getByRole('main').getByRole('link', { name: 'Profile' }).click();
    await page.getByText('There may be a newer version').waitFor();
  });

  it('slowly shows that it is on the way, and without a connection opens when that is back', async () => {
    allow(/dynamically imported module/, /net::ERR/, /React Router caught/);
    const person = await newMember(stack);
    const page = await visit('/', person);
    const profile = page.getByRole('main').getByRole('link', { name: 'Profile' });
    await profile.waitFor();
    const release = await hold(page, '**/assets/profile-*.js', route => route.abort());
    await profile.click();
    await page.getByRole('status', { name: 'Loading the page' }).waitFor();
    release();
    await page.getByText('There may be a newer version').waitFor();
    expect(await page.getByRole('status', { name: 'Loading the page' }).count()).toBe(0);
    await page.unrouteAll();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.getByText(person.email).waitFor();
  });
});

describe('a page whose code does not arrive', () => {
  it.each([
    ['the next', '/', 'Loading the page'],
    ['the first', '/profile', 'Loading'],
  ])('as %s one, is loaded anew when the user asks for it', async (_, path, sign) => {
    const person = await newMember(stack);
    const page = await visit(path, person, async prepared => {
      await prepared.clock.install();
      let requests = 0;
      await prepared.route('**/assets/profile-*.js', route =>
        requests++ === 0 ? new Promise<void>(() => {}) : route.continue(),
      );
    });
    if (path === '/') await page.getByRole('main').getByRole('link', { name: 'Profile' }).click();
    await page.getByRole('status', { name: sign, exact: true }).waitFor();
    const stalled = page.getByText('The page is taking long to load.');
    await page.clock.runFor(5000);
    expect(await stalled.count()).toBe(0);
    await page.clock.runFor(5000);
    await stalled.waitFor();
    await press(page, 'Reload');
    await page.getByText(person.email).waitFor();
    expect(new URL(page.url()).pathname).toBe('/profile');
  });
});

describe('the sessions on the profile', () => {
  it('are listed, and end one by one or all others at once', async () => {
    const here = await newMember(stack);
    const others: string[] = [];
    for (let count = 0; count < 3; count++) others.push((await stack.signIn(here.email)).token);
    const answers = (token: string) => stack.call('GET /api/user', { token });
    const alive = async () =>
      (await Promise.all(others.map(answers))).filter(({ status }) => status === 200).length;

    const page = await visit('/profile', here);
    await page.getByText('This browser').waitFor();
    const rows = page.getByRole('grid', { name: 'Active sessions' }).locator('tbody tr');
    expect(await rows.count()).toBe(4);
    await rows.nth(1).getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('Signed out on').waitFor();
    await expect.poll(() => rows.count()).toBe(3);
    expect(await alive()).toBe(2);

    await press(page, 'Sign out everywhere else');
    await answer(page, 'Sign out everywhere else');
    await says(page, 'Signed out everywhere else.');
    await expect.poll(() => rows.count()).toBe(1);
    expect(await alive()).toBe(0);
    expect((await answers(here.token)).status).toBe(200);
  });
});

it('a dialog or a menu whose code cannot be loaded says so, each time, and the page stays', async () => {
  allow(/ERR_FAILED|dynamically imported module/);
  const page = await visit('/profile', await newMember(stack), prepared =>
    prepared.route(/(modal-dialog|menu-content)[^/]*\.js/, route => route.abort()),
  );
  const message = 'A part of Letterflow could not be loaded. Reload the page to try again.';
  for (const button of [/^Create token$/, /^Active organization:/, /^Active organization:/]) {
    await page.getByRole('button', { name: button }).click();
    await warns(page, message);
    await page.waitForURL('**/profile');
    await press(page, 'Dismiss');
    await page.getByRole('alert').waitFor({ state: 'detached' });
  }
  await page.unrouteAll();
  await page.reload();
  await press(page, 'Create token');
  await page.getByLabel('Token name').waitFor();
});

it('where the code of the terms cannot be loaded, the page says so until it is loaded again', async () => {
  allow(/ERR_FAILED|dynamically imported module/);
  const page = await visit('/', await newcomer(stack), prepared =>
    prepared.route(/terms-overlay[^/]*\.js/, route => route.abort()),
  );
  await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
  await page.unrouteAll();
  await press(page, 'Reload the page');
  await page.getByRole('dialog', { name: 'Before you start' }).waitFor();
});
