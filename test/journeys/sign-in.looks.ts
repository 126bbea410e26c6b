import type { Look } from '../support/browser/look.ts';
import { press } from '../support/browser/page.ts';
import { newAddress } from '../support/client.ts';

export const looks: Look[] = [
  {
    name: 'sign in with the code',
    path: '/login',
    who: null,
    async until(page) {
      await page.getByLabel('Email').fill(newAddress());
      await press(page, 'Send Login Code');
      await page.getByLabel('Login code').fill('AAAAAA');
      await page.getByText('Invalid code. Please try again.').waitFor();
    },
  },
];
