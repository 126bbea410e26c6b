import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { listWith, names } from '../support/browser/members-table.ts';
import { answer, press, says } from '../support/browser/page.ts';
import { people } from '../support/list.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit } = sharedBrowser(stack.url);

it('selected members are unsubscribed until Undo, and deleted', async () => {
  const { page, storedWith } = await listWith(stack, visit, people(12));
  await page.getByLabel('Select all on this page').check();
  await press(page, 'Next page');
  await page.getByLabel('Select person0010@example.com').check();
  await press(page, 'Unsubscribe');
  await says(page, '11 members unsubscribed.');
  expect(await storedWith('subscribed')).toEqual(['person0011']);
  await press(page, 'Undo');
  await says(page, '11 members subscribed again.');
  expect(await storedWith('unsubscribed')).toEqual([]);
  await page.getByLabel('Select all on this page').check();
  await press(page, 'Delete members');
  await answer(page, 'Delete 2 members');
  await says(page, '2 members deleted.');
  await expect.poll(() => names(page)).toEqual(await storedWith('subscribed'));
  expect(await names(page)).toHaveLength(10);
});
