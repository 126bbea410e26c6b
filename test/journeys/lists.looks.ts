import type { Look } from '../support/browser/look.ts';
import { press, rowAction } from '../support/browser/page.ts';

export const looks: Look[] = [
  {
    name: 'a new email list',
    path: '/email-lists/new',
    who: 'owner',
    async until(page) {
      await press(page, 'Create list');
      await page.getByText('List name is required').waitFor();
    },
  },
  {
    name: 'the example of the API',
    path: ({ list }) => `/email-lists/${list}?open=example`,
    who: 'owner',
    until: page => page.getByRole('tab', { name: 'curl' }).waitFor(),
  },
  {
    name: 'deleting an email list',
    path: '/email-lists',
    who: 'owner',
    async until(page) {
      await rowAction(page, 'Customers', 'Delete');
      await page.getByRole('dialog').waitFor();
    },
  },
];
