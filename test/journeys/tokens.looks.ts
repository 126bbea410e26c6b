import type { Look } from '../support/browser/look.ts';
import { press } from '../support/browser/page.ts';

export const looks: Look[] = [
  {
    name: 'the profile of somebody invited, with tokens',
    path: '/profile',
    who: 'invited',
    async until(page) {
      await page.getByText('You have 2 pending').waitFor();
      await page.getByText('crm_import').waitFor();
    },
  },
  {
    name: 'a new token',
    path: '/profile?open=token',
    who: 'invited',
    async until(page) {
      await page.getByText('crm_import').waitFor();
      await page.getByLabel('Token name').fill('crm_import');
      await page.getByText('already exists').waitFor();
    },
  },
  {
    name: 'the value of a new token',
    path: '/profile?open=token',
    async until(page) {
      await page.getByLabel('Token name').fill('shown_once');
      await press(page, 'Create');
      await page.getByRole('button', { name: 'Copy' }).waitFor();
    },
  },
];
