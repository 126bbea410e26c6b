import { useState } from 'react';
import { Outlet } from 'react-router';
import { expect, it, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import { PageError } from '#web/app/error-boundary.tsx';
import { PageLoading } from '#web/app/page-loading.tsx';
import { startPage } from '#web/app/start-page.ts';
import { Button } from '#web/components/button.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { DOWN, fakeApi, held, refusal, unreachable } from '../support/components/api.ts';
import {
  automation,
  invitation,
  list,
  organization,
  profile,
  sendsPage,
  session,
  signedIn,
  user,
} from '../support/components/examples.ts';
import {
  answer,
  button,
  heading,
  isGone,
  keys,
  leadsTo,
  rowAction,
  says,
  warns,
} from '../support/components/page.ts';
import { allow, mount, open, render, show } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

const aroundThem = {
  'GET /api/email-lists/{list}/datetime-metadata-columns': { columns: [], stats: {} },
  'GET /api/email-lists/{list}/members': refusal(404),
  'GET /api/list-member-actions': [],
  'GET /api/email-sends': sendsPage([]),
  'GET /api/automations-for-templates': [],
  'GET /api/automations/{automation}/forecast': DOWN,
};

it('a page that does not exist says so within the app to a signed-in user, and leads home', async () => {
  open('/nothing/here');
  await expect.element(heading('Page not found')).toBeVisible();
  expect(document.title).toBe('Page not found - Letterflow');
  await says("The page you're looking for doesn't exist.");
  const home = page.getByRole('link', { name: 'Go to Home' });
  await expect.element(home).toHaveAttribute('href', '/');
});

it('a path that leads nowhere says so to a visitor too, and offers to sign in', async () => {
  show('/nothing/here');
  await says("The page you're looking for doesn't exist.");
  await isGone(page.getByRole('navigation', { name: 'Main' }));
  await leadsTo('Sign in', '/login');
  await leadsTo('Go to Home', '/');
});

const missing = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));

proof('a dialog or a menu whose code does not arrive says so, each time, and the page stays', async () => {
  const Part = onDemand<{ onClose?: () => void }>(missing);
  function Opener() {
    const [isOpen, setOpen] = useState(false);
    return (
      <>
        <Button onClick={() => setOpen(true)}>Open</Button>
        {isOpen && <Part onClose={() => setOpen(false)} />}
      </>
    );
  }
  render(<Opener />);
  for (let times = 0; times < 2; times++) {
    await button('Open').click();
    await warns('A part of Letterflow could not be loaded. Reload the page to try again.');
    await button('Dismiss').click();
    await isGone(page.getByRole('alert'));
  }
});

it('a page whose code does not arrive shows that it is on the way, after a while a way out, and in the end what is wrong', async () => {
  allow(/React Router caught/, /dynamically imported module/);
  const { promise, reject } = Promise.withResolvers<never>();
  const router = mount(
    [
      {
        element: (
          <>
            <PageLoading />
            <Outlet />
          </>
        ),
        children: [
          {
            errorElement: <PageError />,
            children: [
              { path: '/', element: null },
              { path: '/late', lazy: () => promise },
            ],
          },
        ],
      },
    ],
    '/',
  );
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  void router.navigate('/late');
  const loading = page.getByRole('status', { name: 'Loading the page' });
  await expect.element(loading).toBeVisible();
  const stalled = page.getByText('The page is taking long to load.', { exact: false });
  await vi.advanceTimersByTimeAsync(5000);
  // Takes longer than React, which would have shown it.
  await keys('{Shift}');
  await isGone(stalled);
  await vi.advanceTimersByTimeAsync(5000);
  await expect.element(stalled).toBeVisible();
  await expect.element(button('Reload')).toBeVisible();
  reject(new TypeError('Failed to fetch dynamically imported module'));
  await says(/There may be a newer version/);
  await isGone(loading);
});

proof('the sessions on the profile are listed, and end one by one or all others at once', async () => {
  let sessions = [session, ...['s2', 's3'].map(id => ({ ...session, id, device: id, current: false }))];
  const { api } = open('/profile', {
    ...profile,
    'GET /api/user/sessions': () => ({ sessions }),
    'DELETE /api/user/sessions/{id}': ({ params }) => {
      sessions = sessions.filter(({ id }) => id !== params.id);
    },
    'DELETE /api/user/sessions': () => {
      sessions = [session];
    },
  });
  const rows = () => document.querySelectorAll('[aria-label="Active sessions"] tbody tr').length;
  await expect.poll(rows).toBe(3);
  await says('This browser');
  await rowAction('s2', 'Sign out');
  await says(/^Signed out on/);
  await expect.poll(rows).toBe(2);
  await button('Sign out everywhere else').click();
  await answer('Sign out everywhere else');
  await says('Signed out everywhere else.');
  await expect.poll(rows).toBe(1);
  expect(api.changes().map(({ call }) => call)).toEqual([
    'DELETE /api/user/sessions/s2',
    'DELETE /api/user/sessions',
  ]);
});

proof('the subject of a page that could not be loaded is tried again in its place', async () => {
  const ROUTE = 'GET /api/email-lists/{list}';
  const { api, router } = open('/email-lists/l1', { ...aroundThem, [ROUTE]: DOWN });
  await says('Failed to fetch email list details');
  expect(router.state.location.pathname).toBe('/email-lists/l1');
  api.answer({ [ROUTE]: list });
  await button('Try again').click();
  await expect.element(heading('Customers')).toBeVisible();
});

proof('the page of a member who does not exist is left for the lists', async () => {
  const { router } = open('/list-members/m1', {
    ...aroundThem,
    'GET /api/list-members/{listMember}': refusal(404, 'Not found'),
    'GET /api/email-lists': [],
  });
  await says('Member not found');
  await expect.poll(() => router.state.location.pathname).toBe('/email-lists');
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

it('a page says that the API cannot be reached, and works again after a retry', async () => {
  const { api } = open('/profile', { ...profile, 'GET /api/user': unreachable });
  await expect.element(heading('Your account could not be loaded')).toBeVisible();
  await expect.element(page.getByRole('alert').getByText(/^Letterflow/)).toBeVisible();
  api.answer({ 'GET /api/user': user });
  await button('Try again').click();
  await expect.element(page.getByText(user.email)).toBeVisible();
});

it('a page shows its shape when the API is slow until the answer is there', async () => {
  const { answer, release } = held<typeof user>();
  open('/profile', { ...profile, 'GET /api/user': answer });
  await expect.element(page.getByRole('status', { name: 'Loading' })).toBeVisible();
  const shape = () => document.querySelectorAll('[role=status] + [aria-busy=true] > *').length;
  expect(shape()).toBeGreaterThan(0);
  release(user);
  await expect.element(page.getByText(user.email)).toBeVisible();
  expect(shape()).toBe(0);
});

proof('the rest of a page is shown when the API fails for a part of it', async () => {
  const { api } = open('/profile', { ...profile, 'GET /api/user/sessions': DOWN });
  await expect.element(page.getByText(user.email)).toBeVisible();
  api.answer({ 'GET /api/user/sessions': { sessions: [session] } });
  await button('Try again').click();
  await expect.element(page.getByText('This browser')).toBeVisible();
});

proof(
  'a page of lists says that the organizations could not be loaded, why, and works after a retry',
  async () => {
    const { api } = open('/email-lists', { 'GET /api/email-lists': [], 'GET /api/organizations': DOWN });
    await expect.element(heading('Your organizations could not be loaded')).toBeVisible();
    await says(
      'Failed to load organizations. Letterflow is not answering as it should. Please try again in a moment.',
    );
    api.answer({ 'GET /api/organizations': [organization] });
    await button('Try again').click();
    await expect.element(page.getByText('No email lists yet')).toBeVisible();
    await expect.element(page.getByRole('heading', { name: 'Email Lists', level: 1 })).toBeVisible();
  },
);

it('a page that breaks says what to do, within the app that did not break', async () => {
  allow(/sessions/, /React Router caught/);
  open('/profile', { ...profile, 'GET /api/user/sessions': { sessions: 'none' } as never });
  await expect.element(heading('Something went wrong')).toBeVisible();
  await expect.element(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
});
