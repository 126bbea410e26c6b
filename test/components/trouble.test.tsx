import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import { startPage } from '../../web/src/app/start-page.ts';
import { DOWN, fakeApi, held, refusal, unreachable } from '../support/components/api.ts';
import {
  ada,
  automation,
  invitation,
  list,
  organization,
  profile,
  session,
  signedIn,
  user,
} from '../support/components/examples.ts';
import { button, heading, isGone, says } from '../support/components/page.ts';
import { allow, open, show } from '../support/components/render.tsx';

const aroundThem = {
  'GET /api/email-lists/{list}/datetime-metadata-columns': { columns: [], stats: {} },
  'GET /api/email-lists/{list}/members': refusal(404),
  'GET /api/list-member-actions': [],
  'GET /api/automations-for-templates': [],
  'GET /api/automations/{automation}/forecast': DOWN,
};

describe('a page that does not exist', () => {
  it('says so within the app to who is signed in, and leads home', async () => {
    open('/nothing/here');
    await expect.element(heading('Page not found')).toBeVisible();
    expect(document.title).toBe('Page not found - Letterflow');
    await says("The page you're looking for doesn't exist.");
    const home = page.getByRole('link', { name: 'Go to Home' });
    await expect.element(home).toHaveAttribute('href', '/');
  });
});

describe('what an address names that could not be loaded', () => {
  it.each([
    [
      '/email-lists/l1',
      'GET /api/email-lists/{list}',
      list,
      'Failed to fetch email list details',
      'Customers',
    ],
    [
      '/list-members/m1',
      'GET /api/list-members/{listMember}',
      ada,
      'Failed to fetch member details',
      ada.email,
    ],
    [
      '/automations/a1',
      'GET /api/automations/{automation}',
      automation,
      /^Failed to fetch automation/,
      'welcome',
    ],
  ] as const)('%s is tried again in its place', async (path, route, found, message, name) => {
    const { api, router } = open(path, { ...aroundThem, [route]: DOWN });
    await says(message);
    expect(router.state.location.pathname).toBe(path);
    api.answer({ [route]: found });
    await button('Try again').click();
    await expect.element(heading(name)).toBeVisible();
  });

  it('is left for the lists where there is none', async () => {
    const { router } = open('/list-members/m1', {
      ...aroundThem,
      'GET /api/list-members/{listMember}': refusal(404, 'Not found'),
      'GET /api/email-lists': [],
    });
    await says('Member not found');
    await expect.poll(() => router.state.location.pathname).toBe('/email-lists');
  });
});

it('where the storage of the tab is blocked, everything works, and invitations can be dismissed', async () => {
  const blocked = vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('It is blocked.', 'SecurityError');
  });
  onTestFinished(() => blocked.mockRestore());
  open('/profile', { ...profile, 'GET /api/user/invitations': { invitations: [invitation] } });
  await says(/^You have been invited to join Depot/);
  await button('Dismiss').click();
  await isGone(page.getByText(/^You have been invited to join Depot/));
});

it('the first page asks for its list together with the user and the organizations, and once', async () => {
  localStorage.setItem('token', 'any');
  localStorage.setItem('activeOrganizationId', String(organization.id));
  const { answer, release } = held<typeof user>();
  const path = '/automations/a1';
  const api = fakeApi({
    ...signedIn,
    ...aroundThem,
    'GET /api/user': answer,
    'GET /api/automations/{automation}': automation,
  });
  startPage(path);
  show(path);
  await expect.poll(() => api.count('GET /api/automations/a1')).toBe(1);
  await expect.element(page.getByRole('status', { name: 'Loading' })).toBeVisible();
  release(user);
  await expect.element(heading('welcome')).toBeVisible();
  expect(api.count('GET /api/automations/a1')).toBe(1);
});

describe('when the API fails', () => {
  it.each([
    ['is down', DOWN],
    ['cannot be reached', unreachable],
  ])('and %s, the page says so, and works again after a retry', async (_, answer) => {
    const { api } = open('/profile', { ...profile, 'GET /api/user': answer });
    await expect.element(heading('Your account could not be loaded')).toBeVisible();
    await expect.element(page.getByRole('alert').getByText(/^Letterflow/)).toBeVisible();
    api.answer({ 'GET /api/user': user });
    await button('Try again').click();
    await expect.element(page.getByText(user.email)).toBeVisible();
  });

  it('slowly, its shape shows until the answer is there', async () => {
    const { answer, release } = held<typeof user>();
    open('/profile', { ...profile, 'GET /api/user': answer });
    await expect.element(page.getByRole('status', { name: 'Loading' })).toBeVisible();
    const shape = () => document.querySelectorAll('[role=status] + [aria-busy=true] > *').length;
    expect(shape()).toBeGreaterThan(0);
    release(user);
    await expect.element(page.getByText(user.email)).toBeVisible();
    expect(shape()).toBe(0);
  });

  it('for a part of a page, the rest of it is shown', async () => {
    const { api } = open('/profile', { ...profile, 'GET /api/user/sessions': DOWN });
    await expect.element(page.getByText(user.email)).toBeVisible();
    api.answer({ 'GET /api/user/sessions': { sessions: [session] } });
    await button('Try again').click();
    await expect.element(page.getByText('This browser')).toBeVisible();
  });

  it('for the organizations, a page of lists says so, why, and works after a retry', async () => {
    const { api } = open('/email-lists', { 'GET /api/email-lists': [], 'GET /api/organizations': DOWN });
    await expect.element(heading('Your organizations could not be loaded')).toBeVisible();
    await says(
      'Failed to load organizations. Letterflow is not answering as it should. Please try again in a moment.',
    );
    api.answer({ 'GET /api/organizations': [organization] });
    await button('Try again').click();
    await expect.element(page.getByText('No email lists yet')).toBeVisible();
    await expect.element(page.getByRole('heading', { name: 'Email Lists', level: 1 })).toBeVisible();
  });
});

it('a page that breaks says what to do, within the app that did not break', async () => {
  allow(/sessions/, /React Router caught/);
  open('/profile', { ...profile, 'GET /api/user/sessions': { sessions: 'none' } as never });
  await expect.element(heading('Something went wrong')).toBeVisible();
  await expect.element(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
});
