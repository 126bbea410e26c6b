import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { depot, organization } from '../support/components/examples.ts';
import { fakeMembers, person } from '../support/components/members.ts';
import { answer, button, menuItem, press, says } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const members = Array.from({ length: 12 }, (_, index) => person(`person${index + 10}`, { plan: 'free' }));
const { answers } = fakeMembers(members);

it('where the storage of the browser is full, everything works', async () => {
  open('/email-lists/l1', {
    ...answers,
    'GET /api/organizations': [organization, depot],
    'GET /api/email-lists': [],
    'GET /api/email-lists/{list}/metadata-columns': {
      columns: ['plan'],
      values: {},
      searched: { members: 12, of: 12, complete: true },
    },
  });
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('It is full.', 'QuotaExceededError');
  });
  await page.getByRole('combobox', { name: 'Rows per page' }).selectOptions('25');
  await expect.element(page.getByRole('link', { name: 'person21@example.com' })).toBeVisible();
  await press('Columns');
  await page.getByRole('checkbox', { name: 'plan' }).click();
  await answer('Show columns');
  await expect.element(page.getByRole('gridcell', { name: 'free' }).first()).toBeVisible();
  await press('Collapse sidebar');
  await press('Expand sidebar');
  await press(`Active organization: ${organization.name}`);
  await menuItem(depot.name).click();
  await expect.element(button(`Active organization: ${depot.name}`)).toBeVisible();
  await says('No email lists yet');
});
