import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser/browser.ts';
import { DOWN, press, query, says } from '../support/browser/page.ts';
import { addMembers, newList, people } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { sharedStack } from '../support/stack.ts';

const stack = sharedStack();
const { visit, allow } = sharedBrowser(stack.url);

const addresses = (page: Page) =>
  page.getByRole('grid', { name: 'Members' }).getByRole('link').allTextContents();

/** A list of so many members, and the page of a visitor who looks at it; `shows` waits for members by their order. */
async function listOf(count: number, search: string) {
  const owner = await newMember(stack);
  const list = await newList(stack, owner);
  const members = people(count);
  await addMembers(stack, owner, list, members);
  const asked: URLSearchParams[] = [];
  const page = await visit(`/email-lists/${list}${search}`, owner, async visited => {
    visited.on('request', request => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === `/api/email-lists/${list}/members`) asked.push(searchParams);
    });
  });
  const shows = (from: number, to: number) =>
    expect.poll(() => addresses(page)).toEqual(members.slice(from, to).map(({ email }) => email));
  const lastAsked = () => ({ page: asked.at(-1)?.get('page'), cursor: asked.at(-1)?.has('cursor') });
  return { list, page, shows, lastAsked };
}

it('members are paged by their neighbours, by the ends, and by the address of a page, in the size chosen last', async () => {
  const { list, page, shows, lastAsked } = await listOf(47, '');
  await shows(0, 10);
  await says(page, '47 members');
  await press(page, 'Next page');
  await shows(10, 20);
  expect(lastAsked()).toEqual({ page: '2', cursor: true });
  expect(query(page)).toBe('?page=2');
  await page.reload();
  await shows(10, 20);
  await press(page, 'Last page');
  await shows(40, 47);
  expect(lastAsked()).toEqual({ page: '5', cursor: false });
  await page.getByText('Page 5 of 5').waitFor();
  await press(page, 'Previous page');
  await shows(30, 40);
  expect(lastAsked()).toEqual({ page: '4', cursor: true });
  await page.goBack();
  await shows(40, 47);
  await press(page, 'First page');
  await shows(0, 10);

  await page.getByLabel('Rows per page').selectOption('25');
  await shows(0, 25);
  await page.goto(`/email-lists/${list}?page=2`);
  await shows(25, 47);
  await page.goto(`/email-lists/${list}?page=9`);
  await page.getByText('Page 2 of 2').waitFor();
  await press(page, 'First page');
  await shows(0, 25);
});

it('the next page of many members is shown from its first row', async () => {
  const { page, shows } = await listOf(200, '?per_page=100');
  await shows(0, 100);
  const table = page.getByRole('grid', { name: 'Members' });
  const top = async () => (await table.boundingBox())?.y ?? Number.NaN;
  await page.getByRole('button', { name: 'Next page' }).scrollIntoViewIfNeeded();
  expect(await top()).toBeLessThan(0);
  await press(page, 'Next page');
  await shows(100, 200);
  expect(await top()).toBeGreaterThanOrEqual(0);
});

it('a search begins at once and at its first page, and says how far it has looked', async () => {
  const { page, shows } = await listOf(13, '?page=2');
  await page.getByText('Page 2 of 2').waitFor();
  const field = page.getByLabel('Search members');
  await field.fill(' PERSON0012 ');
  await shows(12, 13);
  expect(query(page)).toBe('?search=+PERSON0012+');
  await field.fill('son0003');
  await shows(3, 4);
  await says(page, '1 found in 13 members');
  await field.fill('nobody');
  await says(page, 'No member of this list has “nobody” in the address.');
  await press(page, 'Clear search');
  await says(page, '13 members');
});

const MEMBER = {
  is_subscribed: true,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};
const PAGE = { current_page: 1, last_page: 2, total: 1_000_000, found: null, previous_cursor: null };

it('a search has pages too, and says how many it found', async () => {
  const { page, list, shows } = await listOf(23, '?search=person');
  await shows(0, 10);
  await says(page, '23 found in 23 members');
  await press(page, 'Next page');
  await shows(10, 20);
  await press(page, 'Last page');
  await shows(20, 23);
  expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
  await press(page, 'Previous page');
  await shows(10, 20);
  await page.reload();
  await shows(10, 20);
  await press(page, 'Previous page');
  await shows(0, 10);
  await page.goto(`/email-lists/${list}?search=person&page=3`);
  await shows(20, 23);
});

const MEMBERS = '**/members?*';

/** A search of a million members, of which each answer has a page that its cursor names; `shows` waits for such a page. */
async function searchOfMany() {
  const { page, shows: showsMembers } = await listOf(23, '');
  await showsMembers(0, 10);
  await page.route(MEMBERS, async route => {
    const at = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 1);
    const data = Array.from({ length: 10 }, (_, index) => {
      const email = `found${at}.${index}@example.com`;
      return { ...MEMBER, id: email, email };
    });
    const searched = { members: 0, of: 1_000_000, complete: false };
    const json = { ...PAGE, data, searched, current_page: at, last_page: at + 1, next_cursor: `${at + 1}` };
    await route.fulfill({ json });
  });
  await page.getByLabel('Search members').fill('found');
  const shows = (at: number) =>
    expect.poll(async () => (await addresses(page))[0]).toBe(`found${at}.0@example.com`);
  await shows(1);
  return { page, shows };
}

it('a search of a long list goes back by the pages before, also from one that could not be loaded', async () => {
  allow(/502/);
  const { page, shows } = await searchOfMany();
  const down = (route: Route) => route.fulfill(DOWN);
  const failed = () => says(page, 'Failed to fetch list members. Please try again');
  await says(page, 'Addresses that begin with this text');
  await press(page, 'Next page');
  await shows(2);
  expect(await page.getByRole('button', { name: 'Last page' }).count()).toBe(0);
  await page.reload();
  await shows(2);
  await press(page, 'Previous page');
  await shows(1);
  await press(page, 'Next page');
  await shows(2);
  await page.route(MEMBERS, down);
  await press(page, 'Next page');
  await failed();
  await page.getByText('Page 3', { exact: true }).waitFor();
  await page.unroute(MEMBERS, down);
  await press(page, 'Previous page');
  await shows(2);
  await press(page, 'Next page');
  await shows(3);

  await page.reload();
  await shows(3);
  await page.route(MEMBERS, down);
  await press(page, 'First page');
  await failed();
  await page.unroute(MEMBERS, down);
  await press(page, 'Next page');
  await shows(1);
  expect(query(page)).toBe('?search=found');
  await press(page, 'Next page');
  await shows(2);
});
