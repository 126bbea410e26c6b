import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { press } from '../support/browser/page.ts';
import { addMembers, newList } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const lists = (page: Page) => page.getByRole('group', { name: 'Email Lists' });

it('an automation is created by the dates of the members of two lists', async () => {
  const owner = await newMember(stack);
  const [customers, readers] = [
    await newList(stack, owner),
    await newList(stack, owner, { name: 'Readers' }),
  ];
  await addMembers(stack, owner, customers, [{ email: 'ada@example.com', trial_ends: '2026-03-01' }]);
  await addMembers(stack, owner, readers, [{ email: 'cem@example.com', trial_ends: '2026-03-03' }]);
  const page = await visit('/automations/new', owner);
  await lists(page).getByLabel('Customers example.com').check();
  await lists(page).getByLabel('Readers').check();
  await page.getByLabel('Trigger Column').selectOption('trial_ends (2 members, in 2 of 2 lists)');
  await field(page, 'Name').fill('win_back');
  await field(page, 'Run every X days').fill('7');
  await field(page, 'Start after X days').fill('3');
  await page.getByRole('group', { name: 'Double send' }).getByLabel('2nd').check();
  await press(page, 'Save Automation');
  await page.getByRole('link', { name: 'win_back' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/automations');
  const [created] = (await stack.call('GET /api/automations', { token: owner.token })).body;
  expect(created).toMatchObject({
    ...{ name: 'win_back', active: true, every_x_days: 7, delay_days: 3, stop_after_days: null },
    ...{ metadata_trigger: 'trial_ends', double_send_second: true, triple_send_second: false },
  });
  expect(created.email_lists.map(({ id }: { id: string }) => id).sort()).toEqual([customers, readers].sort());
});
