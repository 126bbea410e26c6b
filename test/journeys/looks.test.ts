import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { accessibilityFaults, freshBrowser } from '../support/browser.ts';
import { freshStack } from '../support/stack.ts';

const stack = freshStack();
const { visit, allow } = freshBrowser(stack.url);

type View = {
  name: string;
  path: string;
  who: 'nobody' | 'newcomer' | 'member';
  /** Brings the page into the state that is looked at. */
  until: (page: Page) => Promise<void>;
};

const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, level: 1 }).waitFor();

const views: View[] = [
  { name: 'the public home page', path: '/', who: 'nobody', until: heading('Email automations') },
  { name: 'sign in', path: '/login', who: 'nobody', until: heading('Sign in to your account') },
  {
    name: 'sign in with the code',
    path: '/login',
    who: 'nobody',
    async until(page) {
      await page.getByLabel('Email').fill('looks@example.com');
      await page.getByRole('button', { name: 'Send Login Code' }).click();
      await page.getByLabel('Login code').fill('AAAAAA');
      await page.getByRole('button', { name: 'Verify Code' }).click();
      await page.getByText('Invalid code.').waitFor();
    },
  },
  { name: 'the terms', path: '/terms-and-conditions', who: 'nobody', until: heading('Terms and Conditions') },
  { name: 'the privacy policy', path: '/privacy-policy', who: 'nobody', until: heading('Privacy Policy') },
  { name: 'a path that leads nowhere', path: '/nothing', who: 'nobody', until: heading('Page not found') },
  {
    name: 'the terms overlay',
    path: '/',
    who: 'newcomer',
    async until(page) {
      await page.getByRole('button', { name: 'Read Terms' }).click();
      await page.getByRole('heading', { name: 'Privacy Policy' }).waitFor();
      await page.getByRole('button', { name: 'Accept and Continue' }).click();
    },
  },
  { name: 'home', path: '/', who: 'member', until: heading('Welcome') },
  {
    name: 'the profile',
    path: '/profile',
    who: 'member',
    until: page => page.getByText('This browser').waitFor(),
  },
  {
    name: 'the folded sidebar',
    path: '/profile',
    who: 'member',
    async until(page) {
      await page.getByText('This browser').waitFor();
      await page.keyboard.press('Control+b');
    },
  },
  {
    name: 'the command palette',
    path: '/',
    who: 'member',
    async until(page) {
      await heading('Welcome')(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'the drawer of a phone',
    path: '/profile',
    who: 'member',
    async until(page) {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('button', { name: 'Open menu' }).click();
      await page.getByRole('dialog', { name: 'Menu' }).waitFor();
    },
  },
  {
    name: 'a page that failed',
    path: '/profile',
    who: 'member',
    async until(page) {
      await page.route('**/api/user/sessions', route => route.fulfill({ status: 502, body: '' }));
      await page.reload();
      await page.getByRole('button', { name: 'Try again' }).waitFor();
    },
  },
  {
    name: 'the pieces',
    path: '/_local/pieces',
    who: 'nobody',
    until: page => page.getByText('Example 05').waitFor(),
  },
];

const tokens: Partial<Record<View['who'], string>> = {};

beforeAll(async () => {
  tokens.newcomer = (await stack.signIn('newcomer@example.com')).token;
  tokens.member = (await stack.signIn('member@example.com')).token;
  await stack.call('POST /api/user/accept-terms', { token: tokens.member });
});

const SIGHTS = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 1440 },
  { colorScheme: 'dark', width: 390 },
] as const;

it.each(views)(
  '$name: nothing for axe to find, nothing too wide, light and dark',
  async ({ path, who, until }) => {
    allow(/502/);
    const page = await visit(path, { token: tokens[who] });
    await until(page);
    for (const { colorScheme, width } of SIGHTS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      expect(await accessibilityFaults(page), `${colorScheme}, ${width}`).toEqual([]);
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(tooWide, `${colorScheme}, ${width}`).toBeLessThanOrEqual(0);
    }
  },
);
