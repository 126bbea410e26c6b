import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { DOWN, held, unreachable } from '../support/components/api.ts';
import { organization, profile, session, user } from '../support/components/examples.ts';
import { button, heading, says } from '../support/components/page.ts';
import { allow, open } from '../support/components/render.tsx';

describe('a page that does not exist', () => {
  it('says so within the app to who is signed in, and leads home', async () => {
    open('/nothing/here');
    await expect.element(heading('Page not found')).toBeVisible();
  });
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

  it('slowly, a spinner shows until the answer is there', async () => {
    const { answer, release } = held<typeof user>();
    open('/profile', { ...profile, 'GET /api/user': answer });
    await expect.element(page.getByRole('status', { name: 'Loading' })).toBeVisible();
    release(user);
    await expect.element(page.getByText(user.email)).toBeVisible();
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
