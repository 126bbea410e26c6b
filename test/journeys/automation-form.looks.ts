import type { Look } from '../support/browser/look.ts';
import { press } from '../support/browser/page.ts';

export const looks: Look[] = [
  {
    name: 'a new automation that would never send',
    path: '/automations/new',
    async until(page) {
      await page.getByLabel('Customers').check();
      await page.getByLabel('Start after X days').fill('3');
      await page.getByLabel('Stop sending after X days').fill('2');
      await page.getByRole('group', { name: 'Double send' }).getByLabel('1st').check();
      await press(page, 'Save Automation');
      await page.getByText('Please select a trigger column').waitFor();
    },
  },
  {
    name: 'a new automation with a fixed time and days off',
    path: '/automations/new',
    async until(page) {
      await page.getByLabel('Time of day').selectOption('fixed');
      await page.getByLabel('Time zone').selectOption('member');
      await page.getByLabel('Days off').selectOption('other');
      await page.getByLabel('Dates off').fill('2030-12-24');
      await press(page, 'Add date');
      for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])
        await page.getByRole('checkbox', { name: day }).check();
      await page.getByLabel('Send at').fill('25');
      await press(page, 'Save Automation');
      await page.getByText('Leave at least one day of the week').waitFor();
    },
  },
];
