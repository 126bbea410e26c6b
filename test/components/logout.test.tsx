import { expect, it, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { DOWN } from '../support/components/api.ts';
import { profile } from '../support/components/examples.ts';
import { answer, field, press } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

/** The documents that the app would have loaded: the one of the tests stays. */
function stay() {
  const left: string[] = [];
  const keep = (event: NavigateEvent) => {
    left.push(new URL(event.destination.url).pathname);
    event.preventDefault();
  };
  navigation.addEventListener('navigate', keep);
  onTestFinished(() => navigation.removeEventListener('navigate', keep));
  return left;
}

it('logging out works when the API fails, and keeps only how the app looks', async () => {
  const left = stay();
  localStorage.setItem('sidebarCollapsed', 'false');
  localStorage.setItem('activeOrganizationId', '1');
  sessionStorage.setItem('dismissed', 'i1');
  open('/profile', { ...profile, 'GET /api/user': DOWN, 'POST /api/logout': DOWN });
  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click();
  await expect.poll(() => left).toEqual(['/login']);
  expect({ ...localStorage }).toEqual({ sidebarCollapsed: 'false' });
  expect(sessionStorage).toHaveLength(0);
});

it('logging out asks before what is typed is lost, and ends nothing before the answer', async () => {
  const left = stay();
  const { api } = open('/email-lists/new', { 'GET /api/email-lists': [], 'POST /api/logout': undefined });
  await field('Name').fill('Spring');
  await press('Logout');
  await expect.element(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
  await answer('Keep editing');
  await expect.element(field('Name')).toHaveValue('Spring');
  expect([api.changes(), left]).toEqual([[], []]);
  expect(localStorage.getItem('token')).toBe('any');
  const asksBeforeUnload = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(asksBeforeUnload()).toBe(true);
  await press('Logout');
  await answer('Leave');
  await expect.poll(() => left).toEqual(['/login']);
  expect(api.changes().map(({ call }) => call)).toEqual(['POST /api/logout']);
  // The browser does not ask again.
  expect(asksBeforeUnload()).toBe(false);
});
