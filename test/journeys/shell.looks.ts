import { heading, type Look } from '../support/browser/look.ts';
import { DOWN } from '../support/browser/page.ts';

export const looks: Look[] = [
  { name: 'a path that leads nowhere', path: '/nothing', who: null, until: heading('Page not found') },
  {
    name: 'the terms overlay',
    path: '/',
    who: 'newcomer',
    isAround: true,
    async until(page) {
      await page.getByRole('button', { name: 'Read Terms' }).click();
      await page.getByRole('heading', { name: 'Privacy Policy' }).waitFor();
      await page.getByRole('button', { name: 'Accept and Continue' }).click();
    },
  },
  {
    name: 'the folded sidebar',
    path: '/profile',
    isAround: true,
    async until(page) {
      await page.getByText('This browser').waitFor();
      await page.keyboard.press('Control+b');
    },
  },
  {
    name: 'the sidebar, pointed at where one is',
    path: '/profile',
    isAround: true,
    async until(page) {
      await page.getByText('This browser').waitFor();
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profile' }).hover();
    },
  },
  {
    name: 'the open switcher',
    path: '/profile',
    isAround: true,
    async until(page) {
      await page.getByText('This browser').waitFor();
      await page.getByRole('button', { name: 'Active organization:' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Night post' }).waitFor();
    },
  },
  {
    name: 'the command palette',
    path: '/',
    isAround: true,
    async until(page) {
      await heading('Welcome')(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('option').first().waitFor();
    },
  },
  {
    name: 'the drawer of a phone',
    path: '/profile',
    isAround: true,
    async until(page) {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('button', { name: 'Open menu' }).click();
      await page.getByRole('dialog', { name: 'Menu' }).waitFor();
    },
  },
  {
    name: 'a page that failed',
    path: '/profile',
    isAround: true,
    async until(page) {
      await page.route('**/api/user/sessions', route => route.fulfill(DOWN));
      await page.reload();
      await page.getByRole('button', { name: 'Try again' }).waitFor();
    },
  },
];
