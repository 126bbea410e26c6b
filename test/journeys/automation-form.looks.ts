import type { Look } from '../support/browser/look.ts';
import { press } from '../support/browser/page.ts';

export const looks: Look[] = [
  {
    name: 'a new automation that would never send',
    path: '/automations/new',
    who: 'owner',
    async until(page) {
      await page.getByLabel('Customers').check();
      await page.getByLabel('Start after X days').fill('3');
      await page.getByLabel('Stop sending after X days').fill('2');
      await page.getByRole('group', { name: 'Double send' }).getByLabel('1st').check();
      await press(page, 'Save Automation');
      await page.getByText('Please select a trigger column').waitFor();
    },
  },
];
