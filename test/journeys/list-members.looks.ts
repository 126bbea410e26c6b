import { chosen, type Look } from '../support/browser/look.ts';
import { press } from '../support/browser/page.ts';

export const looks: Look[] = [
  {
    name: 'adding a member to a list',
    path: ({ list }) => `/email-lists/${list}/members/new`,
    async until(page) {
      await press(page, 'Add metadata');
      await page.getByLabel('Value').fill('2026-03-01');
      await press(page, 'Add member');
      await page.getByText('Key is required').waitFor();
    },
  },
  {
    name: 'selected members',
    path: ({ list }) => `/email-lists/${list}?status=subscribed&sort=created_at`,
    async until(page) {
      await page.getByLabel('Select ada@example.com').check();
      await page.getByText('1 selected').waitFor();
    },
  },
  {
    name: 'the columns of the members',
    path: ({ list }) => `/email-lists/${list}`,
    async until(page) {
      await press(page, 'Columns');
      await page.getByRole('dialog').getByText('signed_up_at').waitFor();
    },
  },
  {
    name: 'editing metadata',
    path: ({ listMember }) => `/list-members/${listMember}`,
    until: chosen('signed_up_at', 'Edit'),
  },
];
