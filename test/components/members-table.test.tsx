import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { formatMoment } from '#web/lib/format.ts';
import { type Answers, DOWN } from '../support/components/api.ts';
import { fakeMembers, type Members, pageOf, people, person } from '../support/components/members.ts';
import {
  answer,
  button,
  dialog,
  field,
  keys,
  press,
  pressInDialog,
  says,
} from '../support/components/page.ts';
import { open, reload } from '../support/components/render.tsx';

const MEMBERS = 'GET /api/email-lists/{list}/members';
const header = (name: string) => page.getByRole('columnheader').getByRole('button', { name });
const names = () =>
  [...document.querySelectorAll('tbody a')].map(({ textContent }) => textContent?.split('@')[0]);
const headers = () =>
  [...document.querySelectorAll<HTMLElement>('thead th')].map(({ textContent }) => textContent);

/** Opens a list of members; `shows` waits for those of them. */
function openList(members: ReturnType<typeof people>, search = '', answers: Answers = {}) {
  const asked: URLSearchParams[] = [];
  const fake = fakeMembers(members);
  const opened = open(`/email-lists/l1${search}`, {
    ...fake.answers,
    [MEMBERS]: ({ query }) => {
      asked.push(query);
      return pageOf([...fake.stored.values()], query);
    },
    ...answers,
  });
  const shows = (from: number, to: number) =>
    expect.poll(names).toEqual(members.slice(from, to).map(({ id }) => id));
  const lastAsked = () => ['page', 'cursor'].map(name => asked.at(-1)?.get(name));
  return { ...opened, shows, lastAsked };
}

describe('the pages of members', () => {
  it('are asked for by their neighbours, by the ends, and by the address of a page', async () => {
    const { router, shows, lastAsked } = openList(people(47));
    await shows(0, 10);
    await says('47 members');
    await press('Next page');
    await shows(10, 20);
    expect(lastAsked()).toEqual(['2', 'after 1']);
    expect(router.state.location.search).toBe('?page=2');
    await reload(router);
    await shows(10, 20);
    expect(lastAsked()).toEqual(['2', 'after 1']);
    await press('Last page');
    await shows(40, 47);
    expect(lastAsked()).toEqual(['5', null]);
    await says('Page 5 of 5');
    await press('Previous page');
    await shows(30, 40);
    expect(lastAsked()).toEqual(['4', 'before 5']);
    await press('First page');
    await shows(0, 10);
  });

  it('end with the last one, whatever the address says', async () => {
    const { shows } = openList(people(23), '?page=9');
    await says('Page 3 of 3');
    await press('First page');
    await shows(0, 10);
  });

  it('have the size that was chosen last', async () => {
    const { router, shows } = openList(people(47));
    await page.getByRole('combobox', { name: 'Rows per page' }).selectOptions('25');
    await shows(0, 25);
    await router.navigate('?page=2');
    await shows(25, 47);
    await reload(router);
    await shows(25, 47);
  });

  it('are shown from their first row, however many rows they have', async () => {
    const { shows } = openList(people(90), '?per_page=50');
    await shows(0, 50);
    const top = () => page.getByRole('grid', { name: 'Members' }).element().getBoundingClientRect().top;
    button('Next page').element().scrollIntoView();
    expect(top()).toBeLessThan(0);
    await press('Next page');
    await shows(50, 90);
    expect(top()).toBeGreaterThanOrEqual(0);
  });
});

describe('a search of members', () => {
  it('begins at its first page, has pages, and says how far it has looked', async () => {
    const { router, shows, lastAsked } = openList(people(23), '?page=2');
    await shows(10, 20);
    const search = field('Search members');
    await search.fill(' person ');
    await says('23 found in 23 members');
    await shows(0, 10);
    expect(router.state.location.search).toBe('?search=+person+');
    await press('Next page');
    await shows(10, 20);
    expect(lastAsked()).toEqual(['2', 'after 1']);
    await search.fill('person13');
    await shows(3, 4);
    await says('1 found in 23 members');
    await search.fill('nobody');
    await says('No member of this list has “nobody” in the address.');
    await press('Clear search');
    await says('23 members');
  });

  it('has its pages in the address', async () => {
    const { shows } = openList(people(23), '?search=person&page=3');
    await shows(20, 23);
    await expect.element(button('Next page')).toBeDisabled();
    await press('Previous page');
    await shows(10, 20);
  });

  describe('in a long list', () => {
    /** Each answer has a page that its cursor names. */
    const found = ({ query }: { query: URLSearchParams }): Members => {
      const at = Number(query.get('cursor') ?? 1);
      const data = Array.from({ length: 10 }, (_, index) => person(`found${at}.${index}`));
      const searched = { members: 0, of: 1_000_000, complete: false };
      return {
        data,
        searched,
        current_page: at,
        last_page: at + 1,
        next_cursor: `${at + 1}`,
        total: 1_000_000,
        found: null,
        previous_cursor: null,
      };
    };
    const openLong = () => openList([], '?search=found', { [MEMBERS]: found });
    const shows = (at: number) => expect.poll(() => names()[0]).toBe(`found${at}.0`);
    const failed = () => says('Failed to fetch list members. Please try again');

    it('goes back by the pages before, also from one that could not be loaded', async () => {
      const { api, router } = openLong();
      await shows(1);
      await says('Addresses that begin with this text');
      await press('Next page');
      await shows(2);
      expect(button('Last page').query()).toBeNull();
      await reload(router);
      await shows(2);
      api.answer({ [MEMBERS]: DOWN });
      await press('Next page');
      await failed();
      await expect.element(page.getByText('Page 3', { exact: true })).toBeVisible();
      api.answer({ [MEMBERS]: found });
      await press('Previous page');
      await shows(2);
      await press('Previous page');
      await shows(1);
    });

    it('goes on from a first page that could not be loaded', async () => {
      const { api, router } = openLong();
      await shows(1);
      await press('Next page');
      await shows(2);
      const again = await reload(router);
      await shows(2);
      api.answer({ [MEMBERS]: DOWN });
      await press('First page');
      await failed();
      api.answer({ [MEMBERS]: found });
      await press('Next page');
      await shows(1);
      expect(again.state.location.search).toBe('?search=found');
      await press('Next page');
      await shows(2);
    });
  });
});

describe('the columns of members', () => {
  const METADATA = 'GET /api/email-lists/{list}/metadata-columns';
  const columnsOf = (columns: string[], members: number, of = members): Answers => ({
    [METADATA]: { columns, searched: { members, of, complete: members === of } },
  });
  const tick = async (...columns: string[]) => {
    await press('Columns');
    for (const name of columns) await page.getByRole('checkbox', { name, exact: true }).click();
  };

  it('are chosen from the metadata, names first, and kept for this list in this browser', async () => {
    const signedUp = { key: 'signed_up', type: 'datetime', value: '2026-02-28T09:30:00.000Z' } as const;
    const named = person('ada', { plan: 'team', last_name: 'Lovelace', first_name: 'Ada' });
    const { router } = openList(
      [{ ...named, metadata: [...named.metadata, signedUp] }, person('grace', { first_name: 'Grace' })],
      '',
      columnsOf(['signed_up', 'plan', 'last_name', 'first_name'], 2),
    );
    await expect.poll(names).toEqual(['ada', 'grace']);
    expect(headers()).toEqual(['', 'Email', 'Status', 'Added', 'Actions']);
    await press('Columns');
    const offered = () =>
      [...document.querySelectorAll('fieldset label')].map(({ textContent }) => textContent);
    await expect.poll(offered).toEqual(['first_name', 'last_name', 'plan', 'signed_up']);
    await keys('{Escape}');
    await tick('signed_up', 'first_name');
    await answer('Show columns');
    const row = (name: string) => page.getByRole('row').filter({ hasText: `${name}@example.com` });
    const cells = () =>
      [...(row('ada').query()?.querySelectorAll('td') ?? [])].map(({ textContent }) => textContent);
    // In the reader’s time zone, like the date in the column Added.
    await expect.poll(cells).toContain(formatMoment(signedUp.value));
    const shown = ['', 'Email', 'first_name', 'signed_up', 'Status', 'Added', 'Actions'];
    expect(headers()).toEqual(shown);
    await reload(router);
    await expect.element(row('grace').getByRole('gridcell', { name: 'Grace', exact: true })).toBeVisible();
    expect(headers()).toEqual(shown);
    await tick('signed_up');
    await answer('Cancel');
    expect(headers()).toEqual(shown);
    await tick('signed_up');
    await answer('Show columns');
    await expect.poll(headers).toEqual(['', 'Email', 'first_name', 'Status', 'Added', 'Actions']);
    expect(localStorage.getItem('membersColumns')).toBe(JSON.stringify({ l1: ['first_name'] }));
  });

  it('that no member of the sample has are chosen by their name', async () => {
    openList([person('zoe', { nickname: 'Zo' })], '', columnsOf([], 100, 101));
    await press('Columns');
    await says(/These are the columns of 100 members out of 101/);
    const another = dialog().getByLabelText('Another column');
    await another.fill('nick/name');
    await keys('{Enter}');
    await says(/^A key must consist of letters from a to z/);
    await another.fill('nickname');
    await keys('{Enter}');
    await pressInDialog('Show columns');
    await expect.element(page.getByRole('gridcell', { name: 'Zo', exact: true })).toBeVisible();
  });
});

it('members are filtered by status and sorted, which the URL keeps', async () => {
  const left = (name: string) => ({ ...person(name), is_subscribed: false });
  const late = { ...left('late'), created_at: '2026-02-05T08:00:00Z' };
  const { router } = openList([...people(12), left('ada'), left('zoe'), late]);
  const query = () => router.state.location.search;
  await expect.poll(names).toHaveLength(10);
  await field('Status').selectOptions('Unsubscribed');
  await says('3 unsubscribed members');
  await expect.poll(names).toEqual(['ada', 'late', 'zoe']);
  await header('Added').click();
  await expect.poll(names).toEqual(['late', 'zoe', 'ada']);
  expect(query()).toBe('?status=unsubscribed&sort=created_at&direction=desc');
  await field('Status').selectOptions('All members');
  await says('15 members');
  expect(query()).toBe('?sort=created_at&direction=desc');
});

it('members that are sorted are searched and filtered in this order, from the first page', async () => {
  const members = [...people(12), { ...person('ada'), is_subscribed: false }];
  const { router } = openList(members, '?page=2');
  await says('Page 2 of 2');
  await header('Email').click();
  await expect.poll(() => names()[0]).toEqual('person21');
  await expect.poll(() => router.state.location.search).toBe('?sort=email&direction=desc');
  await field('Search members').fill('person2');
  await says('2 found in 13 members');
  await expect.poll(names).toEqual(['person21', 'person20']);
  await field('Status').selectOptions('Unsubscribed');
  await says('No unsubscribed member of this list has “person2” in the address.');
  await press('Clear search');
  await expect.poll(names).toEqual(['ada']);
});
