import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { DOWN } from '../support/components/api.ts';
import { invitation, profile } from '../support/components/examples.ts';
import { button, isGone, press, says, warns } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const check = { 'GET /api/invitations/validate/{token}': { valid: true, invitation } };

it('invitations that cannot be loaded are said so on the profile alone, and loaded after a retry', async () => {
  const { api } = open('/profile', { ...profile, 'GET /api/user/invitations': DOWN });
  await says('Failed to load invitations');
  await isGone(page.getByText('Failed to load notifications'));
  api.answer({ 'GET /api/user/invitations': { invitations: [invitation] } });
  await press('Try again');
  await says(/Invited as user/);
});

it.each([
  ['Accept', 'accept', 'Failed to accept invitation'],
  ['Reject', 'reject', 'Failed to reject invitation'],
] as const)('an invitation can be answered again when %s failed', async (name, action, message) => {
  const { api } = open('/invitations/accept/t1', {
    ...check,
    [`POST /api/invitations/${action}/{token}`]: DOWN,
  });
  await press(name);
  await warns(message);
  api.answer({ [`POST /api/invitations/${action}/{token}`]: { success: true } });
  await press(name);
  await says(/Taking you to the dashboard/);
  expect(api.changes().map(({ call }) => call)).toEqual(Array(2).fill(`POST /api/invitations/${action}/t1`));
});

it('an invitation that cannot be looked up is said so, and looked up again', async () => {
  const { api } = open('/invitations/accept/t1', { 'GET /api/invitations/validate/{token}': DOWN });
  await says('Failed to load invitation details');
  api.answer(check);
  await press('Try again');
  await expect.element(button('Accept')).toBeVisible();
});

it.each([
  'This invitation was sent to grace@example.com, but you’re logged in as ada@example.com.',
  'This invitation has expired. Ask for a new one.',
])('an invitation that cannot be answered says why, and leads to the dashboard: %s', async message => {
  const { router } = open('/invitations/accept/t1', {
    'GET /api/invitations/validate/{token}': { valid: false, message },
    'GET /api/email-lists': [],
    'GET /api/organizations/{organization}/members': DOWN,
  });
  await expect.element(page.getByRole('heading', { name: 'Invitation Error', level: 1 })).toBeVisible();
  await says(message);
  await page.getByRole('link', { name: 'Back to dashboard' }).click();
  await expect.poll(() => router.state.location.pathname).toBe('/');
});
