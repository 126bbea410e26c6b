import { type Look, text } from '../support/browser/look.ts';
import { press, rowAction } from '../support/browser/page.ts';

export const looks: Look[] = [
  {
    name: 'email lists',
    path: '/email-lists',
    who: 'owner',
    until: page => page.getByRole('link', { name: 'Customers', exact: true }).waitFor(),
  },
  { name: 'no email lists', path: '/email-lists', who: 'invited', until: text('No email lists yet') },
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
    name: 'an email list',
    path: ({ list }) => `/email-lists/${list}`,
    who: 'owner',
    async until(page) {
      await page.getByText('ada@example.com').waitFor();
      await page.getByText('signed_up_at').waitFor();
    },
  },
  {
    name: 'the example of the API',
    path: ({ list }) => `/email-lists/${list}?open=example`,
    who: 'owner',
    until: page => page.getByRole('tab', { name: 'curl' }).waitFor(),
  },
  {
    name: 'editing an email list',
    path: ({ list }) => `/email-lists/${list}/edit`,
    who: 'owner',
    until: page => page.getByRole('button', { name: 'Save key' }).waitFor(),
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
