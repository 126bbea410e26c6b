import { type Look, text } from '../support/browser/look.ts';
import { press } from '../support/browser/page.ts';

const invitationsShown = text(/^invited@/);

export const looks: Look[] = [
  {
    name: 'organizations, to a user',
    path: '/access-control',
    who: 'colleague',
    until: text('contact an admin or owner'),
  },
  {
    name: 'inviting a member',
    path: '/access-control?open=invite',
    async until(page) {
      await invitationsShown(page);
      await press(page, 'Send invitation');
      await page.getByText('Email is required').waitFor();
    },
  },
  {
    name: 'deleting an organization',
    path: '/access-control',
    async until(page) {
      await invitationsShown(page);
      await press(page, 'Delete organization');
      await page.getByRole('dialog').waitFor();
    },
  },
];
