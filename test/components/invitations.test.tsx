import { beforeEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { Invitation } from '#shared/invitation.ts';
import { DOWN, fakeApi, held, refusal } from '../support/components/api.ts';
import { invitation, organization, profile } from '../support/components/examples.ts';
import { button, heading, isGone, leadsTo, press, says, shows, textsOf } from '../support/components/page.ts';
import { open, reload, show } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

const home = {
  'GET /api/email-lists': [],
  'GET /api/automations': [],
  'GET /api/organizations/{organization}/members': DOWN,
};
const check = { 'GET /api/invitations/validate/{token}': { valid: true, invitation } };

const mismatch = {
  email_mismatch: true,
  invitation_email: 'grace@example.com',
  user_email: 'ada@example.com',
};

it.each([
  ["This invitation was sent to grace@example.com, but you're logged in as ada@example.com.", mismatch],
  [
    'This invitation has expired. Ask for a new one.',
    { message: 'This invitation has expired. Ask for a new one.' },
  ],
])('an invitation that cannot be answered says why, and leads to the dashboard: %s', async (message, why) => {
  const { router } = open('/invitations/accept/t1', {
    'GET /api/invitations/validate/{token}': { valid: false, ...why },
    ...home,
  });
  await expect.element(page.getByRole('heading', { name: 'Invitation Error', level: 1 })).toBeVisible();
  await says(message);
  expect(page.getByText(/^To answer it, log out/).elements()).toHaveLength(why === mismatch ? 1 : 0);
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
  api.answer({ 'POST /api/invitations/accept/{token}': DOWN });
  await press('Accept');
  await says('Failed to accept invitation');
  const { answer, release } = held<{ success: true }>();
  api.answer({ ...pending(), 'POST /api/invitations/reject/{token}': answer });
  await press('Reject');
  await shows(button('Rejecting...'));
  await expect.element(button('Accept')).toBeDisabled();
  await isGone(page.getByText('Failed to accept invitation'));
  release({ success: true });
  await says(/You have rejected the invitation to Depot\./);
  await later(2000);
  await expect.poll(() => router.state.location.pathname).toBe('/');
  await isGone(page.getByText('You have been invited to join Depot as admin'));
});

proof('the banner of invitations counts several, and leads to the profile, which lists them', async () => {
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

proof(
  'the banner of invitations stays dismissed for the session, until there is another invitation',
  async () => {
    const { api, router } = open('/profile', { ...profile, ...pending(toDepot) });
    await press('Dismiss');
    await isGone(button('Dismiss'));
    const again = await reload(router);
    await says(/^Expires /);
    await isGone(button('Dismiss'));
    api.answer(pending(toDepot, toShed));
    await reload(again);
    await says('You have been invited to join Shed as user');
  },
);

proof('the banner of invitations looks for new invitations every 5 minutes', async () => {
  const { api } = open('/profile', { ...profile, ...pending() });
  await says('No API tokens created yet.');
  expect(page.getByText(/invit/i).query()).toBeNull();
  api.answer(pending(toDepot));
  await later(5 * 60_000);
  await says('You have been invited to join Depot as admin');
});

it.each([
  ['You have been invited', { valid: true, invitation: { ...invitation, email: undefined } }],
  ['Invitation', { valid: false, message: 'This invitation has expired.' }],
])(
  'without a session, the page of an invitation asks to sign in, and leads back: %s',
  async (title, check) => {
    fakeApi({ 'GET /api/invitations/validate/{token}': check as never });
    show('/invitations/accept/t1');
    await shows(page.getByRole('heading', { name: title, level: 1, exact: true }));
    await says(/^Please sign in with the invited email address/);
    const signIn = page.getByRole('main').getByRole('link', { name: 'Sign in' });
    await expect.element(signIn).toHaveAttribute('href', '/login?redirect=/invitations/accept/t1');
    expect(textsOf('main dt')).toEqual(check.valid ? ['Organization', 'Invited by', 'Role', 'Expires'] : []);
    await isGone(page.getByText('This invitation has expired.'));
  },
);

proof(
  'invitations that cannot be loaded say so on their page and on the profile, and are tried again',
  async () => {
    const VALIDATE = 'GET /api/invitations/validate/{token}';
    const { api, router } = open('/profile', {
      ...profile,
      ...home,
      'GET /api/user/invitations': DOWN,
      [VALIDATE]: DOWN,
    });
    await says('Failed to load invitations');
    await isGone(button('Dismiss'));
    api.answer(pending(toDepot));
    await press('Try again');
    await shows(heading('Pending Organization Invitations'));
    await router.navigate('/invitations/accept/t1');
    await says('Failed to load invitation details');
    await leadsTo('Go to Home', '/');
    api.answer(check);
    await press('Try again');
    await shows(heading('Join Depot'));
  },
);

proof('an invitation that ends while it is read says why when it is answered', async () => {
  const { api } = open('/invitations/accept/t1', { ...home, ...check });
  await shows(button('Accept'));
  api.answer({
    'POST /api/invitations/accept/{token}': refusal(410, 'Cancelled'),
    'GET /api/invitations/validate/{token}': { valid: false, message: 'It was cancelled.' },
  });
  await press('Accept');
  await says('It was cancelled.');
  await isGone(button('Accept'));
});
