import type { Look } from '../support/browser/look.ts';
import { press } from '../support/browser/page.ts';

export const looks: Look[] = [
  {
    name: 'safeguards',
    path: '/safeguards',
    who: 'owner',
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
    until: page => page.getByText('Only the owner and the admins').waitFor(),
  },
];
