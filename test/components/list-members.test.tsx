import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import type { ListMember } from '#shared/list-member.ts';
import { SUPPRESSED } from '#shared/suppression.ts';
import { formatMoment } from '#web/lib/format.ts';
import { toast } from '#web/lib/toasts.ts';
import { type Answers, DOWN, held, refusal } from '../support/components/api.ts';
import { ada, list } from '../support/components/examples.ts';
import { fakeMembers, type Members, pageOf, people, person } from '../support/components/members.ts';
import {
  answer,
  button,
  dialog,
  field,
  heading,
  keys,
  press,
  pressInDialog,
  rowAction,
  says,
} from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

let { answers: withMembers, stored } = fakeMembers(people(15));
beforeEach(() => {
  ({ answers: withMembers, stored } = fakeMembers(people(15)));
});
const link = (name: string) => page.getByRole('link', { name });

it('when the server does not answer, a member stays as it is, and the page says so', async () => {
  open('/list-members/m1', {
    'GET /api/list-members/{listMember}': ada,
    'GET /api/list-member-actions': [],
    'GET /api/automations-for-templates': [],
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

const bar = () => page.getByRole('region', { name: 'Selected members' });

it('all members that a search finds are selected beyond the page, and unsubscribed', async () => {
  const { api } = open('/email-lists/l1?search=person', withMembers);
  await field('Select person10@example.com').click();
  await says('1 selected');
  expect(bar().getByText('Select all').query()).toBeNull();
  await field('Select all on this page').click();
  await bar().getByText('Select all 15').click();
  await says('15 selected, 10 on this page');
  expect(bar().getByText('Select all').query()).toBeNull();
  await bar().getByText('Unsubscribe').click();
  await says('15 members unsubscribed.');
  const [{ body = {} } = {}, ...others] = api.changes();
  expect(others).toEqual([]);
  expect(body).toEqual({ action: 'unsubscribe', ids: people(15).map(({ id }) => id) });
});

it('no more members are selected than can be changed at once, which the button says', async () => {
  const total = 2345;
  open('/email-lists/l1', {
    ...withMembers,
    'GET /api/email-lists/{list}/members': ({ query }) => {
      const [number, size] = [Number(query.get('page')), Number(query.get('per_page'))];
      const ids = Array.from({ length: size }, (_, index) => `m${(number - 1) * size + index}`);
      const data = ids.map(id => ({ ...ada, id, email: `${id}@example.com` }));
      return {
        ...pageOf(people(15), query),
        data,
        total,
        current_page: number,
        last_page: Math.ceil(total / size),
      };
    },
  });
  await field('Select all on this page').click();
  await bar().getByText('Select 1,000, the most at once, of 2,345').click();
  await says('1,000 selected, 10 on this page');
});

describe('the Undo of an unsubscription', () => {
  /** The first member of the table has unsubscribed themselves since it was loaded. */
  async function openTable() {
    const { api } = open('/email-lists/l1', withMembers);
    await expect.element(link('person10@example.com')).toBeVisible();
    stored.set('person10', { ...person('person10'), is_subscribed: false });
    return api;
  }

  it('of several members subscribes only those again who were subscribed until then', async () => {
    const api = await openTable();
    await field('Select person10@example.com').click();
    await field('Select person12@example.com').click({ modifiers: ['Shift'] });
    await page.getByRole('region', { name: 'Selected members' }).getByText('Unsubscribe').click();
    await says('3 members unsubscribed.');
    await press('Undo');
    await says('2 members subscribed again.');
    expect(api.changes().slice(1)).toEqual([
      {
        call: 'POST /api/email-lists/l1/members/actions',
        body: { action: 'subscribe', ids: ['person11', 'person12'] },
      },
    ]);
  });

  it('is offered in the menu of a row only for who was subscribed until then', async () => {
    const api = await openTable();
    await rowAction('person10@example.com', 'Unsubscribe');
    await says('person10@example.com had unsubscribed already.');
    expect(button('Undo').query()).toBeNull();
    await rowAction('person11@example.com', 'Unsubscribe');
    await press('Undo');
    await says('person11@example.com is subscribed again.');
    expect(api.changes().at(-1)).toEqual({
      call: 'PUT /api/list-members/person11',
      body: { is_subscribed: true },
    });
  });

  it('is offered on the page of a member only if they were subscribed until then', async () => {
    open('/list-members/m1', {
      'GET /api/list-members/{listMember}': ada,
      'GET /api/list-member-actions': [],
      'GET /api/automations-for-templates': [],
      'PUT /api/list-members/{listMember}': { ...ada, is_subscribed: false, was_subscribed: false },
    });
    await press('Unsubscribe');
    await says('Unsubscribed.');
    expect(button('Undo').query()).toBeNull();
  });
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
  // A press in the same frame as the one before would still be that of the tab that has the focus.
  await keys('{ArrowRight}');
  await expect.element(tab('Date columns')).toHaveFocus();
  await keys('{ArrowRight}');
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
  await says(/^No date columns yet\. A date in the metadata/);
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

it('a search of two words can be typed slowly, and is asked for without the space at its end', async () => {
  const asked: (string | null)[] = [];
  open('/email-lists/l1', {
    ...withMembers,
    'GET /api/email-lists/{list}/members': ({ query }) => {
      asked.push(query.get('search'));
      return pageOf(people(15), query);
    },
  });
  const search = field('Search members');
  await search.fill('person1 ');
  await expect.poll(() => asked.at(-1)).toBe('person1');
  await expect.element(search).toHaveValue('person1 ');
  await userEvent.type(search, 'x');
  await expect.poll(() => asked).toEqual([null, 'person1', 'person1 x']);
});

it('columns are found by their names, say first how many can be chosen, and are confirmed without scrolling', async () => {
  const columns = Array.from({ length: 40 }, (_, index) => `column ${index}`);
  open('/email-lists/l1', {
    ...withMembers,
    'GET /api/email-lists/{list}/metadata-columns': {
      columns,
      searched: { members: 15, of: 15, complete: true },
    },
  });
  await press('Columns');
  await says('0 of at most 8 chosen');
  const box = (index: number) => page.getByRole('checkbox', { name: `column ${index}`, exact: true });
  const offered = () =>
    [...document.querySelectorAll('fieldset label')].map(({ textContent }) => textContent);
  await expect.poll(offered).toEqual(columns);
  const { bottom } = button('Show columns').element().getBoundingClientRect();
  expect(bottom).toBeLessThan(innerHeight);
  for (const index of [0, 1, 2, 3, 4, 5, 6]) await box(index).click();
  await field('Search columns').fill('39');
  await expect.poll(offered).toEqual(['column 39']);
  await box(39).click();
  await says('8 of at most 8 chosen');
  await field('Search columns').fill('');
  await expect.element(box(38)).toBeDisabled();
  await press('Show columns');
  const stored = () => JSON.parse(localStorage.getItem('membersColumns') ?? '{}').l1;
  await expect.poll(stored).toEqual([...columns.slice(0, 7), 'column 39']);
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

it('a member who was just added is counted at once, while the counts of the server follow', async () => {
  const added: ListMember = {
    ...ada,
    metadata: [{ key: 'signed_up_at', type: 'datetime', value: '2026-01-05T08:00:00.000Z' }],
  };
  const { api } = open('/email-lists/l1/members/new', {
    ...withMembers,
    'GET /api/email-lists/{list}': list,
    'GET /api/email-lists': [list],
    'POST /api/list-members': added,
    'GET /api/list-member-actions': [],
    'GET /api/automations-for-templates': [],
  });
  await field('Email').fill(ada.email);
  await press('Add member');
  await says('1 member · 1 subscribed · 0 unsubscribed');
  await page.getByRole('tab', { name: 'Date columns' }).click();
  const columns = page.getByRole('tabpanel', { name: 'Date columns' });
  await expect.element(columns.getByRole('listitem')).toHaveTextContent('signed_up_at1 member');
  expect(api.count('GET /api/email-lists/l1')).toBeGreaterThan(1);
});

describe('a search of a list of a million', () => {
  const shown = () => [...document.querySelectorAll('tbody a')].map(({ textContent }) => textContent);
  const stepOf = (query: URLSearchParams) => Number(query.get('cursor') ?? 1);
  const pageAt = (step: number, emails: string[], searched: number): Members => ({
    ...pageOf([], new URLSearchParams()),
    data: emails.map(email => ({ ...ada, id: email, email })),
    current_page: step,
    last_page: step + 1,
    total: 1_000_000,
    next_cursor: `${step + 1}`,
    searched: { members: searched, of: 1_000_000, complete: false },
  });

  it('goes on until it is stopped', async () => {
    const { answer: fourth, release } = held<Members>();
    let isAsked = false;
    open('/email-lists/l1?search=rare', {
      ...withMembers,
      'GET /api/email-lists/{list}/members': ({ query }) => {
        const step = stepOf(query);
        isAsked = step === 4;
        if (isAsked) return fourth();
        return pageAt(step, step === 1 ? [] : [`rare${step}@example.com`], step * 40_000);
      },
    });
    await says('Searched 40,000 of 1,000,000 members');
    await says('Nothing found so far');
    expect(button('Clear search').query()).toBeNull();
    await press('Search further');
    await says('Searching: 120,000 of 1,000,000 members');
    expect(shown()).toEqual(['rare2@example.com', 'rare3@example.com']);
    await expect.poll(() => isAsked).toBe(true);
    await press('Stop');
    await says('Searched 120,000 of 1,000,000 members');
    await expect.element(button('Search further')).toBeVisible();
    release(pageAt(4, [], 160_000));
  });
});

it('after a page that could not be loaded, the pager says the page of the address', async () => {
  const { api, router } = open('/email-lists/l1', withMembers);
  await expect.element(link('person10@example.com')).toBeVisible();
  api.answer({ 'GET /api/email-lists/{list}/members': DOWN });
  await press('Next page');
  await says('Failed to fetch list members. Please try again');
  expect(router.state.location.search).toBe('?page=2');
  await says('Page 2 of 2');
  api.answer(withMembers);
  await press('Previous page');
  await expect.element(link('person10@example.com')).toBeVisible();
});

const fact = (name: string) =>
  [...document.querySelectorAll('dl > div')]
    .find(one => one.querySelector('dt')?.textContent === name)
    ?.querySelector('dd')?.innerText;

it('a list and a member show what the table knew of them until they are loaded', async () => {
  const { api } = open('/email-lists', { ...withMembers, 'GET /api/email-lists': [list] });
  const [loadedList, loadedMember] = [held<typeof list>(), held<ListMember>()];
  api.answer({
    'GET /api/email-lists/{list}': loadedList.answer,
    'GET /api/list-members/{listMember}': loadedMember.answer,
    'GET /api/list-member-actions': [],
    'GET /api/automations-for-templates': [],
    'PUT /api/list-members/{listMember}': { ...ada, is_subscribed: false, was_subscribed: true },
  });
  await page.getByRole('grid').getByRole('link', { name: list.name }).click();
  await expect.element(heading(list.name)).toBeVisible();
  await page.getByRole('tab', { name: 'Settings' }).click();
  await expect
    .poll(() => [fact('Domain'), fact('Sender')])
    .toEqual(['example.com', 'The shop\nhello@example.com']);
  await says('This list cannot send yet: it has no sending key.');
  loadedList.release({ ...list, sender_name: 'The other shop' });
  await expect.poll(() => fact('Sender')).toBe('The other shop\nhello@example.com');

  await page.getByRole('tab', { name: 'Members' }).click();
  await link('person10@example.com').click();
  await expect.element(heading('person10@example.com')).toBeVisible();
  expect([fact('List'), fact('Status'), fact('Added')]).toEqual(['Customers', 'Subscribed', 'Jan 5, 2026']);
  await expect.element(button('Unsubscribe')).toBeDisabled();
  await expect.element(button('Delete')).toBeDisabled();
  expect(page.getByText('No metadata').query()).toBeNull();
  loadedMember.release({ ...ada, email: 'person10@example.com' });
  await press('Unsubscribe');
  await expect.poll(() => fact('Status')).toBe('Unsubscribed');
});

const adding: Answers = {
  'GET /api/email-lists/{list}': list,
  'GET /api/email-lists': [list],
  'POST /api/list-members': ada,
};

it('a member is added with what is known of them', async () => {
  const { api } = open('/email-lists/l1/members/new', adding);
  const [key, value] = [field('Key'), field('Value')];
  await field('Email').fill(ada.email);
  await press('Add metadata');
  await press('Remove row 1');
  await expect.element(button('Add metadata')).toHaveFocus();
  await press('Add metadata');
  await key.fill('plan');
  await value.fill('007');
  await says('Text');
  await press('Add metadata');
  await key.nth(1).fill('plan');
  await value.nth(1).fill('2026-02-30');
  await press('Add and continue');
  await says('This key is there already');
  await key.nth(1).fill('signed_up');
  await press('Add and continue');
  await says('This date does not exist');
  await value.nth(1).fill('2026-02-28T09:30:00Z');
  await says('Date');
  expect(api.changes()).toEqual([]);
  await press('Add and continue');
  await says('ada@example.com was added.');
  expect(key.elements()).toEqual([]);
  expect(api.changes()).toMatchObject([
    { body: { email: ada.email, metadata: { plan: '007', signed_up: '2026-02-28T09:30:00Z' } } },
  ]);
});

it('a date that is not in ISO 8601 is offered so, and may be kept as text', async () => {
  const { api } = open('/email-lists/l1/members/new', adding);
  const [key, value] = [field('Key'), field('Value')];
  await field('Email').fill(ada.email);
  await press('Add metadata');
  await key.fill('signed_up');
  await value.fill('11/22/2026');
  await says('Text: not read as a date.');
  await press('Use 2026-11-22');
  await expect.element(value).toHaveValue('2026-11-22');
  await expect.element(value).toHaveFocus();
  const hint = `Starts at 00:00 UTC: ${formatMoment('2026-11-22')} in your time zone`;
  await says(hint.replaceAll(/\s/g, ' '));
  expect(page.getByText('not read as a date').query()).toBeNull();
  await press('Add metadata');
  await key.nth(1).fill('born');
  await value.nth(1).fill('03/04/1990');
  await expect.element(button('Use 1990-03-04')).toBeVisible();
  await expect.element(button('Use 1990-04-03')).toBeVisible();
  await press('Add and continue');
  await says('ada@example.com was added.');
  expect(api.changes()).toMatchObject([
    { body: { metadata: { signed_up: '2026-11-22', born: '03/04/1990' } } },
  ]);
});

it('a stored date that is not in ISO 8601 is offered so where it is edited', async () => {
  const { api } = open('/list-members/m1', {
    'GET /api/list-members/{listMember}': {
      ...ada,
      metadata: [{ key: 'signed_up', type: 'string', value: '22.11.2026' }],
    },
    'GET /api/list-member-actions': [],
    'GET /api/automations-for-templates': [],
    'PUT /api/list-members/{listMember}': { ...ada, was_subscribed: true },
  });
  await rowAction('signed_up', 'Edit');
  await pressInDialog('Use 2026-11-22');
  await expect.element(field('Value')).toHaveFocus();
  await pressInDialog('Save');
  await says('Metadata saved.');
  expect(api.changes()).toMatchObject([{ body: { metadata: { signed_up: '2026-11-22' } } }]);
});

it('an email of the activity and its trigger are in the same time zone', async () => {
  const at = '2026-11-25T00:03:00Z';
  open('/list-members/m1', {
    'GET /api/list-members/{listMember}': ada,
    'GET /api/list-member-actions': [
      {
        id: 'x1',
        type: 'email_sent',
        created_at: at,
        metadata: {},
        formatted_metadata: { subject: 'Hello', trigger_metadata: '2026-11-25T09:30:00Z' },
      },
    ],
    'GET /api/automations-for-templates': [],
  });
  const row = page.getByRole('grid', { name: 'Activity' }).getByRole('row', { name: /Email sent/ });
  const shown = () => row.query()?.textContent;
  await expect.poll(shown).toContain(`Trigger ${formatMoment('2026-11-25T09:30:00Z')}`);
  expect(shown()).toContain(formatMoment(at));
  expect(shown()).not.toContain('UTC');
});

it('a member who unsubscribed and was deleted is added as unsubscribed, and the page says so', async () => {
  open('/email-lists/l1/members/new', {
    ...adding,
    'POST /api/list-members': { ...ada, is_subscribed: false },
  });
  await field('Email').fill(ada.email);
  await press('Add and continue');
  await says(`${ada.email} unsubscribed before, and was therefore added as unsubscribed.`);
});

it('what is known of a member is added to, changed, removed, and brought back by Undo', async () => {
  let stored: ListMember['metadata'] = [
    { key: 'plan', type: 'string', value: '12.5' },
    { key: 'signed_up', type: 'datetime', value: '2026-02-28T09:30:00Z' },
  ];
  const typed = (key: string, value: unknown) => {
    if (typeof value === 'number') return { key, type: 'number', value } as const;
    const type = String(value).startsWith('2026') ? 'datetime' : 'string';
    return { key, type, value: String(value) } as const;
  };
  const { api } = open('/list-members/m1', {
    'GET /api/list-members/{listMember}': () => ({ ...ada, metadata: stored }),
    'GET /api/list-member-actions': [],
    'GET /api/automations-for-templates': [],
    'PUT /api/list-members/{listMember}': ({ body: { metadata = {} } }) => {
      const others = stored.filter(({ key }) => !(key in metadata));
      const set = Object.entries(metadata).filter(([, value]) => value !== null);
      stored = [...others, ...set.map(([key, value]) => typed(key, value))].toSorted((a, b) =>
        a.key.localeCompare(b.key),
      );
      return { ...ada, metadata: stored, was_subscribed: true };
    },
  });
  const shown = () =>
    [...document.querySelectorAll('[aria-label=Metadata] tbody tr')].map(({ textContent }) => textContent);
  const sent = () => api.changes().map(({ body }) => (body as { metadata: object }).metadata);
  const [plan, signedUp] = ['planText12.5', 'signed_upDateFeb 28, 2026, 09:30 UTC'];
  await expect.poll(shown).toEqual([plan, signedUp]);
  await press('Add metadata');
  await field('Key').fill('plan');
  await keys('{Escape}');
  await says('What you entered has not been saved.');
  await field('Value').fill('12.5');
  await pressInDialog('Save');
  await says('This key is there already');
  await field('Key').fill('orders');
  await says('Kept as: number');
  await pressInDialog('Save');
  await says('Metadata added.');
  await rowAction('plan', 'Edit');
  await answer('Save');
  expect(shown()).toContain(plan);
  await rowAction('signed_up', 'Edit');
  await field('Value').fill('2026-03-01');
  await pressInDialog('Save');
  await says('Metadata saved.');
  await rowAction('plan', 'Remove');
  await says('plan was removed.');
  const isNextFocused = () => expect.poll(() => document.activeElement?.textContent).toContain('signed_up');
  await isNextFocused();
  await expect.poll(shown).toEqual(['ordersNumber12.5', 'signed_upDateMar 1, 2026']);
  await press('Undo');
  await isNextFocused();
  await expect.poll(shown).toHaveLength(3);
  expect(sent()).toEqual([{ orders: 12.5 }, { signed_up: '2026-03-01' }, { plan: null }, { plan: '12.5' }]);
});

it('a suppressed member cannot be subscribed, and the page says why', async () => {
  open('/list-members/m1', {
    'GET /api/list-members/{listMember}': {
      ...ada,
      is_subscribed: false,
      suppression: 'bounce',
      metadata: [{ key: 'plan', type: 'string', value: 'team' }],
    },
    'GET /api/list-member-actions': [],
    'GET /api/automations-for-templates': [],
  });
  await says(SUPPRESSED.bounce);
  expect(fact('Status')).toBe('Bounced');
  await expect.element(button('Subscribe')).toBeDisabled();
  await expect.element(page.getByRole('row', { name: /plan Text team/ })).toBeVisible();
});
