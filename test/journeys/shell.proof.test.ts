import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { press, stored } from '../support/browser/page.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visitor } = sharedBrowser(stack.url);

it('signing in as another user and logging out take the other tabs along, and nothing is left to go back to', async () => {
  const [one, two] = [await newMember(stack), await newMember(stack)];
  const { open } = await visitor({ ...one, stored: { sidebarCollapsed: 'false' } });
  const page = await open('/profile');
  await page.getByText(one.email).waitFor();
  const elsewhere = await open('/terms-and-conditions');
  await elsewhere.evaluate(value => localStorage.setItem('token', value), two.token);
  await page.getByText(two.email).waitFor();
  await elsewhere.goto('/');
  await elsewhere.getByRole('heading', { name: 'Welcome' }).waitFor();

  await press(page, 'Logout');
  await page.waitForURL('**/login');
  await elsewhere.waitForURL('**/login');
  expect(await stored(page)).toEqual({ sidebarCollapsed: 'false' });
  expect((await stack.call('GET /api/user', { token: two.token })).status).toBe(401);
  await page.goBack();
  await page.waitForURL(/\/login$|^about:blank$/);
});
