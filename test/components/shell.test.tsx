import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { member, profile, user } from '../support/components/examples.ts';
import { answer, button, dialog, heading, isGone, keys, press, says } from '../support/components/page.ts';
import { open, reload } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

const home = {
  ...profile,
  'GET /api/email-lists': [],
  'GET /api/automations': [],
  'GET /api/organizations/{organization}/members': {
    members: [member],
    next_cursor: null,
    pending_invitations: [],
  },
};
const READ = 'Read Terms and Conditions & Privacy Policy';
const navigation = () => page.getByRole('navigation', { name: 'Main' });
const current = () => document.querySelector('nav [aria-current=page]')?.textContent;

it('the terms lie over everything until they are read, ticked and accepted', async () => {
  const { api } = open('/profile', {
    ...profile,
    'GET /api/user': { ...user, terms_accepted: false },
    'POST /api/user/accept-terms': user,
  });
  await expect.element(dialog()).toBeVisible();
  await keys('{Escape}{Escape}');
  await press(READ);
  await expect.element(dialog().getByText('Last updated: April 15th, 2025').first()).toBeVisible();
  await press('Back');
  await press(READ);
  await press('Accept and Continue');
  await says('Please confirm that you have read the terms and conditions.');
  expect(api.changes()).toEqual([]);
  await page
    .getByRole('checkbox', { name: 'I have read and agree to the Terms and Conditions and Privacy Policy' })
    .click();
  await answer('Accept and Continue');
  await says(user.email);
  expect(api.changes()).toHaveLength(1);
});

it('the sidebar folds from 300 to 64 pixels, by button and by Ctrl-B, and remembers it', async () => {
  const width = () => document.querySelector('[data-sidebar]')?.getBoundingClientRect().width;
  const { router } = open('/profile', profile);
  await says(user.email);
  expect(width()).toBe(300);
  await press('Collapse sidebar');
  await expect.poll(width).toBe(64);
  await reload(router);
  await says(user.email);
  expect(width()).toBe(64);
  await expect.element(page.getByRole('link', { name: 'T&C' })).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'PP' })).toBeVisible();
  await keys('{Control>}b{/Control}');
  await expect.poll(width).toBe(300);
  expect(localStorage.getItem('sidebarCollapsed')).toBe('false');
});

it('below 1180 pixels the sidebar is folded until it is opened, which is not remembered', async () => {
  await page.viewport(1179, 900);
  open('/profile', profile);
  await says(user.email);
  await press('Expand sidebar');
  await expect.element(button('Collapse sidebar')).toBeVisible();
  expect(localStorage.getItem('sidebarCollapsed')).toBeNull();
  await press('Collapse sidebar');
  await page.viewport(1180, 900);
  await expect.element(button('Collapse sidebar')).toBeVisible();
});

it('the theme is chosen on the profile, shown at once and remembered', async () => {
  const ink = () => getComputedStyle(document.body).color;
  open('/profile', profile);
  await says(user.email);
  const system = ink();
  await press('Dark');
  await expect.poll(ink).not.toBe(system);
  expect(localStorage.getItem('theme')).toBe('dark');
  await press('System');
  await expect.poll(ink).toBe(system);
  expect(localStorage.getItem('theme')).toBeNull();
});

it('the sidebar leads to each page and says where one is, and is skipped by a link', async () => {
  const { router } = open('/', home);
  await expect.element(heading('Welcome, Ada')).toBeVisible();
  await expect.poll(() => document.title).toBe('Home - Letterflow');
  expect(current()).toBe('Home');
  await navigation().getByRole('link', { name: 'Profile' }).click();
  await expect.element(page.getByRole('heading', { name: 'Profile', level: 1 })).toHaveFocus();
  expect(current()).toBe('Profile');
  page.getByRole('link', { name: 'Skip to content' }).element().focus();
  await keys('{Enter}');
  await expect.poll(() => document.activeElement?.id).toBe('main');
  expect(router.state.location.hash).toBe('');
  const terms = page.getByRole('link', { name: 'Terms and Conditions' });
  await expect.element(terms).toHaveAttribute('href', '/terms-and-conditions');
  await expect.element(terms).toHaveAttribute('target', '_blank');
});

proof('the sidebar becomes a drawer on a phone, which keeps the focus and gives it back', async () => {
  await page.viewport(390, 900);
  open('/profile', home);
  await says(user.email);
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  await press('Open menu');
  await expect.element(drawer).toBeVisible();
  for (let tab = 0; tab < 12; tab++) {
    await keys('{Tab}');
    expect(document.activeElement?.closest('main')).toBeNull();
  }
  await keys('{Escape}');
  await isGone(drawer);
  await expect.element(button('Open menu')).toHaveFocus();
  await press('Open menu');
  await drawer.getByRole('link', { name: 'Home' }).click();
  await expect.element(heading('Welcome, Ada')).toBeVisible();
  await isGone(drawer);
});
