import type { Look } from '../support/browser/look.ts';
import { press } from '../support/browser/page.ts';

export const looks: Look[] = [
  {
    name: 'erasing a person',
    path: '/access-control',
    async until(page) {
      await page.getByLabel('Address of a person').fill('ada@example.com');
      await press(page, 'Erase person…');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'a person of whom nothing is stored',
    path: '/access-control',
    async until(page) {
      await page.getByLabel('Address of a person').fill('nobody@example.com');
      await press(page, 'Export data');
      await page.getByRole('alert').getByText('Nothing is stored').waitFor();
    },
  },
  {
    name: 'an export of members that failed',
    path: ({ list }) => `/email-lists/${list}`,
    async until(page) {
      await page.route('**/export', route =>
        route.fulfill({ status: 429, json: { message: 'Too many calls' } }),
      );
      await press(page, 'Export to CSV');
      await page.getByRole('button', { name: 'Continue' }).waitFor();
    },
  },
];
