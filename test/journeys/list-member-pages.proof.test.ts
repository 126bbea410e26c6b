import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { listWith, member, names, table } from '../support/browser/members-table.ts';
import { answer, press, says } from '../support/browser/page.ts';
import { people } from '../support/list.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

it('members are paged, sorted, searched and filtered, and shown with columns of their metadata', async () => {
  const { page } = await listWith(stack, visit, [
    ...people(22),
    member('zoe', { is_subscribed: false, signed_up: '2026-02-28' }),
  ]);
  const shows = (...expected: string[]) => expect.poll(() => names(page)).toEqual(expected);
  await press(page, 'Next page');
  await expect.poll(async () => (await names(page))[0]).toBe('person0010');
  await press(page, 'Last page');
  await shows('person0020', 'person0021', 'zoe');
  await press(page, 'Previous page');
  await expect.poll(async () => (await names(page))[0]).toBe('person0010');
  await press(page, 'Email');
  await press(page, 'Last page');
  await shows('person0002', 'person0001', 'person0000');
  await page.getByLabel('Search members').fill(' SON001 ');
  await says(page, '10 found in 23 members');
  await page.getByLabel('Search members').fill('');
  await page.getByLabel('Status').selectOption('Unsubscribed');
  await shows('zoe');
  await press(page, 'Columns');
  await page.getByRole('checkbox', { name: 'signed_up' }).check();
  await answer(page, 'Show columns');
  await table(page).getByText('Feb 28, 2026').waitFor();
});
