import { beforeEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { Invitation } from '#shared/invitation.ts';
import { DOWN } from '../support/components/api.ts';
import { invitation, organization, profile } from '../support/components/examples.ts';
import { button, heading, isGone, press, says, shows } from '../support/components/page.ts';
import { open, reload } from '../support/components/render.tsx';

const home = {
  'GET /api/email-lists': [],
  'GET /api/automations': [],
  'GET /api/organizations/{organization}/members': DOWN,
};
const check = { 'GET /api/invitations/validate/{token}': { valid: true, invitation } };

it.each([
  'This invitation was sent to grace@example.com, but you’re logged in as ada@example.com.',
  'This invitation has expired. Ask for a new one.',
])('an invitation that cannot be answered says why, and leads to the dashboard: %s', async message => {
  const { router } = open('/invitations/accept/t1', {
    'GET /api/invitations/validate/{token}': { valid: false, message },
    ...home,
  });
  await expect.element(page.getByRole('heading', { name: 'Invitation Error', level: 1 })).toBeVisible();
  await says(message);
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await expect.poll(() => router.state.location.pathname).toBe('/');
});

const toDepot: Invitation = { ...invitation, role: 'ADMIN' };
const toShed: Invitation = { ...invitation, id: 'i2', token: 't2', organization: { name: 'Shed' } };
const pending = (...invitations: Invitation[]) => ({ 'GET /api/user/invitations': { invitations } });
const follow = (name: string) => page.getByRole('link', { name }).click();

const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return () => void vi.useRealTimers();
});

it('the banner of invitations shows one invitation, leads to it, and is gone once it is rejected', async () => {
  const { api, router } = open('/profile', { ...profile, ...home, ...check, ...pending(toDepot) });
  await says('You have been invited to join Depot as admin');
  await follow('View invitation');
  await expect.element(button('Reject')).toBeVisible();
  expect(router.state.location.pathname).toBe('/invitations/accept/t1');
  expect(document.title).toBe('Invitation - Letterflow');
  await isGone(page.getByText('You have been invited to join Depot as admin'));
  api.answer({ ...pending(), 'POST /api/invitations/reject/{token}': { success: true } });
  await press('Reject');
  await says(/You have rejected the invitation to Depot\./);
  await later(2000);
  await expect.poll(() => router.state.location.pathname).toBe('/');
  await isGone(page.getByText('You have been invited to join Depot as admin'));
});

it('the banner of invitations counts several, and leads to the profile, which lists them', async () => {
  const { api, router } = open('/profile', {
    ...profile,
    ...home,
    ...check,
    ...pending(invitation, { ...toShed, role: 'ADMIN' }),
  });
  await says('You have 2 pending organization invitations');
  await follow('View all invitations');
  await expect.element(heading('Pending Organization Invitations')).toBeVisible();
  const entry = page.getByRole('listitem').filter({ hasText: 'Depot' });
  await expect.element(entry.getByText('Invited as user')).toBeVisible();
  await expect.element(entry.getByText(/^Expires [A-Z][a-z]{2} \d{1,2}, \d{4}$/)).toBeVisible();
  await entry.getByRole('link', { name: 'View' }).click();
  api.answer({
    ...pending({ ...toShed, role: 'ADMIN' }),
    'GET /api/organizations': [organization, { ...organization, id: 2, name: 'Depot', is_default: false }],
    'POST /api/invitations/accept/{token}': { success: true },
  });
  await press('Accept');
  await says(/You have joined Depot\./);
  await shows(button('Active organization: Depot'));
  await later(2000);
  await expect.poll(() => router.state.location.pathname).toBe('/');
  await says('You have been invited to join Shed as admin');
});

it('the banner of invitations stays dismissed for the session, until there is another invitation', async () => {
  const { api, router } = open('/profile', { ...profile, ...pending(toDepot) });
  await press('Dismiss');
  await isGone(button('Dismiss'));
  const again = await reload(router);
  await says(/^Expires /);
  await isGone(button('Dismiss'));
  api.answer(pending(toDepot, toShed));
  await reload(again);
  await says('You have been invited to join Shed as user');
});

it('the banner of invitations looks for new invitations every 5 minutes', async () => {
  const { api } = open('/profile', { ...profile, ...pending() });
  await says('No API tokens created yet.');
  expect(page.getByText(/invit/i).query()).toBeNull();
  api.answer(pending(toDepot));
  await later(5 * 60_000);
  await says('You have been invited to join Depot as admin');
});
