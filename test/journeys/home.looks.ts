import { type Look, text } from '../support/browser/look.ts';
import { press } from '../support/browser/page.ts';

export const looks: Look[] = [
  { name: 'the first steps of a new organization', path: '/', who: 'invited', until: text(/of 9 done$/) },
  {
    name: 'the last 30 days as a table',
    path: '/',
    async until(page) {
      await press(page, 'Show as table');
      await page.getByRole('row').nth(30).waitFor();
    },
  },
];
