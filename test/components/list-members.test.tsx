import { expect, it, onTestFinished } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import type { ListMember } from '../../shared/list-member.ts';
import type { Answer } from '../../shared/routes.ts';
import { toast } from '../../web/src/lib/toasts.ts';
import { DOWN, refusal } from '../support/components/api.ts';
import { list } from '../support/components/examples.ts';
import { button, dialog, field, heading, keys, press, says } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

const ada: ListMember = {
  id: 'm1',
  email: 'ada@example.com',
  email_list_id: list.id,
  email_list: { id: list.id, name: list.name },
  is_subscribed: true,
  created_at: '2026-01-05T08:00:00Z',
  updated_at: '2026-01-05T08:00:00Z',
  metadata: [],
  metadata_json: '{}',
  suppression: null,
};

type Members = Answer<'GET /api/email-lists/{list}/members'>;
const PER_PAGE = 10;

/** A page of 15 members, by what was asked. */
function pageOf(query: URLSearchParams): Members {
  const all = Array.from({ length: 15 }, (_, index) => `person${index + 10}@example.com`);
  const found = all.filter(email => email.includes(query.get('search') ?? ''));
  const number = Number(query.get('page') ?? 1);
  const shown = found.slice((number - 1) * PER_PAGE, number * PER_PAGE);
  return {
    data: shown.map(email => ({ ...ada, id: email, email })),
    current_page: number,
    last_page: Math.max(1, Math.ceil(found.length / PER_PAGE)),
    total: all.length,
    found: query.has('search') ? found.length : null,
    previous_cursor: null,
    next_cursor: null,
    searched: query.has('search') ? { members: 15, of: 15, complete: true } : null,
  };
}

const withMembers = {
  'GET /api/email-lists/{list}': { ...list, members_count: 15, total_members: 15 },
  'GET /api/email-lists/{list}/datetime-metadata-columns': { columns: [], stats: {} },
  'GET /api/email-lists/{list}/members': ({ query }: { query: URLSearchParams }) => pageOf(query),
};
const link = (name: string) => page.getByRole('link', { name });

it('when the server does not answer, a member stays as it is, and the page says so', async () => {
  open('/list-members/m1', {
    'GET /api/list-members/{listMember}': ada,
    'GET /api/list-member-actions': [],
    'PUT /api/list-members/{listMember}': DOWN,
    'DELETE /api/list-members/{listMember}': DOWN,
  });
  await expect.element(heading(ada.email)).toBeVisible();
  await press('Unsubscribe');
  await says('Failed to update subscription status');
  await expect.element(button('Unsubscribe')).toBeEnabled();
  await press('Delete');
  await dialog().getByRole('button', { name: 'Delete member' }).click();
  await says('Failed to delete member');
});

it('members that could not be loaded are said so', async () => {
  open('/email-lists/l1', { ...withMembers, 'GET /api/email-lists/{list}/members': DOWN });
  await says('Failed to fetch list members. Please try again');
});

it('the parts of a list are tabs: the members first, the chosen one in the URL, all reached by keyboard', async () => {
  const { router } = open('/email-lists/l1?search=person1', withMembers);
  const tab = (name: string) => page.getByRole('tab', { name });
  await expect.element(link('person10@example.com')).toBeVisible();
  await page.getByLabelText('Select person10@example.com').click();
  await tab('Members').click();
  await keys('{ArrowRight}');
  await expect.element(tab('Settings')).toHaveFocus();
  await says('Unsubscribe (English)');
  expect(router.state.location.search).toBe('?search=person1&tab=settings');
  await keys('{ArrowRight}{ArrowRight}');
  await says(list.provider_events_url);
  expect(router.state.location.search).toBe('?search=person1&tab=mailgun-events');
  await keys('{Home}');
  await says('1 selected');
  expect(router.state.location.search).toBe('?search=person1');
});

it.each([620, 680, 760])(
  'a toast covers neither the pager nor Logout, in a window of %d pixels',
  async height => {
    await page.viewport(1440, height);
    onTestFinished(() => page.viewport(1440, 900));
    open('/email-lists/l1', withMembers);
    const pager = page.getByRole('navigation', { name: 'Pages of Members' });
    await expect.element(pager).toBeVisible();
    for (const at of [0, 40, 1000]) {
      scrollTo(0, at);
      toast('This is done.');
      toast('This is done as well, and it takes some more words to say so.');
      await says('This is done.');
      const isApart = (other: Locator) => {
        const { top, bottom, left, right } = other.element().getBoundingClientRect();
        const toasts = [...document.querySelectorAll('[data-scope=toast][data-part=root]')];
        return (
          toasts.length > 0 &&
          toasts.every(element => {
            const shown = element.getBoundingClientRect();
            // They come in from below.
            if (shown.bottom > height) return false;
            return shown.top >= bottom || shown.bottom <= top || shown.left >= right || shown.right <= left;
          })
        );
      };
      await expect.poll(() => isApart(pager)).toBe(true);
      expect(isApart(button('Logout'))).toBe(true);
    }
  },
);

it('a link leads to a part of a list', async () => {
  open('/email-lists/l1?tab=date-columns', withMembers);
  await says(/^None yet\. A date in the metadata/);
  await page.getByRole('tab', { name: 'Members' }).click();
  await expect.element(link('person10@example.com')).toBeVisible();
});

it.each([
  [DOWN, 'An unexpected error occurred. Please try again.'],
  [new Response('', { status: 500 }), 'An error occurred: this email may already be in the list'],
  [refusal(500, 'Out of paper.'), 'An error occurred: Out of paper.'],
])(
  'when a member cannot be added, the page says so, in the server’s words where it has some: %#',
  async (reply, message) => {
    const { router } = open('/email-lists/l1/members/new', {
      'GET /api/email-lists/{list}': list,
      'GET /api/email-lists': [list],
      'POST /api/list-members': reply,
    });
    await field('Email').fill('grace@example.com');
    await press('Add member');
    await says(message);
    await link('Email Lists').first().click();
    await press('Leave');
    await expect.poll(() => router.state.location.pathname).toBe('/email-lists');
  },
);

it('the focus stays on the pager at the last page, and goes from Clear search to the search', async () => {
  open('/email-lists/l1', withMembers);
  await press('Next page');
  await expect.element(link('person24@example.com')).toBeVisible();
  await expect.element(button('Next page')).toHaveFocus();
  await expect.element(button('Next page')).toBeDisabled();
  await keys('{Enter}');
  await press('Previous page');
  await expect.element(link('person10@example.com')).toBeVisible();
  await expect.element(button('Previous page')).toHaveFocus();

  await field('Search members').fill('nobody');
  await says('Nothing found');
  await press('Clear search');
  await expect.element(link('person10@example.com')).toBeVisible();
  await expect.element(field('Search members')).toHaveFocus();
});

it('of a list that is too long, only what the API answers exactly is offered', async () => {
  open('/email-lists/l1?sort=created_at', {
    ...withMembers,
    'GET /api/email-lists/{list}': { ...list, members_count: 10_001 },
  });
  const sortable = () => [...document.querySelectorAll('thead button')].map(({ textContent }) => textContent);
  await expect.poll(sortable).toEqual(['Email']);
  await expect.element(page.getByRole('columnheader', { name: 'Email' })).toHaveAttribute('aria-sort');
  await field('Status').selectOptions('Subscribed');
  await expect.poll(sortable).toEqual([]);
});
