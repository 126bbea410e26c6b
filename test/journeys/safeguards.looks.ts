import { type Look, text } from '../support/browser/look.ts';
import { press } from '../support/browser/page.ts';

export const looks: Look[] = [
  {
    name: 'safeguards',
    path: '/safeguards',
    async until(page) {
      await page.getByLabel('Max emails in 1 hour').fill('0');
      await press(page, 'Save Settings');
      await page.getByText('Value must be at least 1').waitFor();
    },
  },
  {
    name: 'safeguards, as a user sees them',
    path: '/safeguards',
    who: 'colleague',
    until: text('Only the owner and the admins'),
  },
  {
    name: 'quiet hours that begin as they end',
    path: '/safeguards',
    async until(page) {
      await press(page, 'Add quiet hours');
      await page.getByLabel('Until').first().fill('22:00');
      await press(page, 'Save quiet hours');
      await page.getByText('Quiet hours must begin and end at different times').waitFor();
    },
  },
  {
    name: 'the time zones of an organization',
    path: '/safeguards',
    async until(page) {
      await page.getByRole('button', { name: /^Time zone of the organization/ }).click();
      await page.getByPlaceholder('Search time zones').fill('new york');
      await page.getByText(/^America\/New_York/).waitFor();
    },
  },
];
