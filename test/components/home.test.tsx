import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { navigation } from '../../web/src/app/navigation.ts';
import { DOWN } from '../support/components/api.ts';
import { member, organization } from '../support/components/examples.ts';
import { press, says } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const home = {
  'GET /api/organizations': [organization],
  'GET /api/email-lists': [],
  'GET /api/automations': [],
  'GET /api/organizations/{organization}/members': {
    members: [member],
    next_cursor: null,
    pending_invitations: [],
  },
};

it.each([
  ['Failed to fetch data. Please try again', 'GET /api/email-lists'],
  ['Failed to load organizations', 'GET /api/organizations'],
] as const)(
  'when the server does not answer, home says: %s. The other pages stay within reach',
  async (message, route) => {
    const { api } = open('/', { ...home, [route]: DOWN });
    await says(message);
    const pages = () => page.getByRole('navigation', { name: 'Pages' }).getByRole('link').elements();
    await expect.poll(pages).toHaveLength(navigation.length - 1);
    api.answer(home);
    await press('Try again');
    await says('0 of 4 done');
  },
);

it('without knowing the colleagues, home shows the other first steps', async () => {
  open('/', { ...home, 'GET /api/organizations/{organization}/members': DOWN });
  await says('0 of 3 done');
});
