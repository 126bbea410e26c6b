import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { list } from '../support/components/examples.ts';
import { fakeMembers, people } from '../support/components/members.ts';
import { button, dialog, focus, heading, keys } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const answers = {
  ...fakeMembers(people(1)).answers,
  'GET /api/email-lists': [list],
  'GET /api/email-lists/{list}/metadata-columns': {
    columns: [],
    searched: { members: 1, of: 1, complete: true },
  },
};

it('the focus goes to the heading after going back, also to the page that was opened first', async () => {
  const { router } = open('/email-lists', answers);
  await page.getByRole('grid').getByRole('link', { name: list.name }).click();
  await expect.element(heading(list.name)).toBeVisible();
  await focus(button('Columns'));
  await keys('{Enter}');
  await expect.element(dialog().getByText(/^No metadata yet\./)).toBeVisible();
  await router.navigate(-1);
  await expect.element(page.getByRole('heading', { name: 'Email Lists', level: 1 })).toHaveFocus();
});

it('the focus stays where it is on the page that is opened first', async () => {
  open('/email-lists/l1', answers);
  await expect.element(heading(list.name)).toBeVisible();
  expect(document.activeElement).toBe(document.body);
});
