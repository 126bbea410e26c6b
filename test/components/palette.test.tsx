import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Answer } from '#shared/routes.ts';
import { refusal } from '../support/components/api.ts';
import { ada, list, profile, sendsPage, user } from '../support/components/examples.ts';
import { button, dialog, field, isGone, keys, press, says } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const commands = {
  'GET /api/email-lists': [list],
  'GET /api/automations': [],
  'GET /api/email-templates': [],
};
const palette = () => page.getByRole('combobox', { name: 'Search pages and commands' });
const openPalette = () => keys('{Control>}k{/Control}');
const highlighted = () =>
  expect.poll(() => document.querySelector('[role=option][data-highlighted]')?.textContent);

/** Runs a command of the palette that leaves the page as it is. */
async function foldSidebar() {
  await openPalette();
  await palette().fill('collapse');
  await highlighted().toContain('Collapse');
  await keys('{Enter}');
  await isGone(dialog());
}

it('the palette takes Enter for itself, and not for the form that had the focus before', async () => {
  const { api } = open('/email-lists/l1/members/new', { ...commands, 'GET /api/email-lists/{list}': list });
  await field('Email').fill('ada@example.com');
  await foldSidebar();
  await expect.element(field('Email')).toHaveFocus();
  expect(api.changes()).toEqual([]);
});

it.each(['/', '/access-control'])(
  'before the terms are accepted, %s asks nothing that is refused, and Ctrl-K opens nothing',
  async path => {
    // Another call than those of every page would be one without an answer.
    open(path, { 'GET /api/user': { ...user, terms_accepted: false } });
    await expect.element(dialog().getByRole('button', { name: 'Logout' })).toBeVisible();
    await openPalette();
    expect(dialog().elements()).toHaveLength(1);
    await isGone(page.getByRole('alert'));
  },
);

it('the focus goes to the texts of the terms, and back to the button that opened them', async () => {
  open('/', { 'GET /api/user': { ...user, terms_accepted: false } });
  const read = 'Read Terms and Conditions & Privacy Policy';
  await press(read);
  await expect.element(page.getByLabelText('Terms and Conditions and Privacy Policy')).toHaveFocus();
  await press('Back');
  await expect.element(button(read)).toHaveFocus();
});

it('the palette finds a page by keyboard, and goes there', async () => {
  const { router } = open('/profile', { ...profile, ...commands });
  await openPalette();
  await palette().fill('zzz');
  await says('Nothing is called “zzz”.');
  await expect.element(page.getByRole('status', { name: 'Command palette' })).toBeVisible();
  await palette().fill('list');
  await highlighted().toBe('Email Lists');
  await keys('{Enter}');
  await expect.poll(() => router.state.location.pathname).toBe('/email-lists');
  await isGone(palette());
});

it('the arrow keys move through the palette, and Escape closes it', async () => {
  open('/profile', { ...profile, ...commands });
  await press('Search');
  await highlighted().toBe('Home');
  await keys('{ArrowUp}');
  await highlighted().toBe('Privacy Policy');
  await keys('{ArrowDown}{ArrowDown}');
  await highlighted().toBe('Email Lists');
  await keys('{Escape}');
  await isGone(dialog());
});

it('the palette finds members by the beginning of their address, with one call for each of the largest lists', async () => {
  const asked: string[] = [];
  const sizes = [9, 0, 1, 7, 2, 8, 3];
  const { router } = open('/profile', {
    ...profile,
    ...commands,
    'GET /api/email-lists': sizes.map(size => ({
      ...list,
      id: `l${size}`,
      name: `List ${size}`,
      members_count: size,
    })),
    'GET /api/email-lists/{list}/members': ({ params, query }) => {
      asked.push(`${params.list} ${query}`);
      if (params.list === 'l9') return refusal(404);
      const found = [ada, { ...ada, id: 'm2', email: 'nevada@example.com' }];
      const data = params.list === 'l2' ? found : [];
      return { ...({} as Answer<'GET /api/email-lists/{list}/members'>), data };
    },
    'GET /api/list-members/{listMember}': ada,
    'GET /api/list-member-actions': [],
    'GET /api/email-sends': sendsPage([]),
    'GET /api/automations-for-templates': [],
  });
  await openPalette();
  await palette().fill('ad');
  await palette().fill(' ADA@ex');
  const option = page.getByRole('option', { name: ada.email });
  await expect.element(option).toBeVisible();
  await isGone(page.getByRole('option', { name: 'nevada@example.com' }));
  const query = 'search=ada%40ex&per_page=5';
  expect(asked.toSorted()).toEqual([2, 3, 7, 8, 9].map(size => `l${size} ${query}`));
  await option.click();
  await expect.poll(() => router.state.location.pathname).toBe('/list-members/m1');
});
