import { beforeAll, describe, expect, it } from 'vitest';
import type * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import { newList } from '#test/support/core-list.ts';
import { freshTable } from '#test/support/engine.ts';
import { indexOf } from '#test/support/index.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');

describe('a page of a list of a million members', () => {
  it('can be opened directly up to 100,000 members from the nearer end', async () => {
    const readers = await newList(table, now);
    const many: list.CountedList = { ...readers, counts: { total: 1_000_000, subscribed: 1_000_000 } };
    const page = (page: number) => listMember.page({ table }, many, { page, per_page: 10 });
    await expect(page(10_001)).resolves.toMatchObject({ current_page: 10_001 });
    await expect(page(90_000)).resolves.toMatchObject({ current_page: 90_000 });
    const search = (page: number) =>
      listMember.page({ table }, many, { page, per_page: 10, search: 'person' });
    for (const far of [10_002, 50_000, 89_999]) {
      const refused = { errors: { page: [expect.stringContaining('Search')] } };
      await expect(page(far)).rejects.toMatchObject(refused);
      await expect(search(far)).rejects.toMatchObject(refused);
    }
  });
});

const MEMBERS = 12_000;
const addresses = Array.from({ length: MEMBERS }, (_, at) => `m${String(at).padStart(5, '0')}@example.com`);
const index = indexOf(addresses);
let readers: list.CountedList;
beforeAll(async () => {
  readers = { ...(await newList(table, now)), counts: { total: MEMBERS, subscribed: MEMBERS } };
});

const page = (page: number, cursor?: string | null, on = index) =>
  listMember.page({ table: on }, readers, { page, per_page: 50, ...(cursor && { cursor }) });

it.each([101, 139, 240])('a page is found behind more members than one request counts: %i', async number => {
  const { data } = await page(number);
  expect(data.map(({ email }) => email)).toEqual(addresses.slice(50 * number - 50, 50 * number));
});

it('the page before is the first one where less than a page is left before it', async () => {
  const { previous_cursor } = await page(3);
  const first = await page(2, previous_cursor, indexOf(addresses.slice(95)));
  expect(first.data.map(({ email }) => email)).toEqual(addresses.slice(95, 145));
  expect([first.current_page, first.previous_cursor]).toEqual([1, null]);
  expect((await page(1, previous_cursor)).data.map(({ email }) => email)).toEqual(addresses.slice(0, 50));
});

it('there is a next page where more members are stored than are counted yet', async () => {
  const uncounted = { ...readers, counts: { total: 0, subscribed: 0 } };
  const first = await listMember.page({ table: index }, uncounted, { page: 1, per_page: 50 });
  expect(first).toMatchObject({ last_page: 2, next_cursor: expect.any(String) });
});

describe('a search in more members than one call reads', () => {
  const found = addresses.filter(email => email.includes('77@'));
  type Query = { page?: number; per_page?: number; cursor?: string; search?: string };
  const search = (query: Query, of = readers) =>
    listMember.page({ table: index }, of, { page: 1, per_page: 50, search: '77@', ...query });

  it('skips the members of earlier pages where no cursor is given, over as many calls as it takes', async () => {
    const far = await search({ page: 3 });
    expect(far).toMatchObject({ data: [], searched: { members: 10_000, of: MEMBERS, complete: false } });
    const rest = await search({ page: 3, cursor: far.next_cursor ?? '' });
    expect(rest.data.map(({ email }) => email)).toEqual(found.slice(100));
    expect(rest.searched).toEqual({ members: MEMBERS, of: MEMBERS, complete: true });
  });

  it('skips in the next call what is left to skip', async () => {
    const far = await search({ page: 4, per_page: 35 });
    const rest = await search({ page: 4, per_page: 35, cursor: far.next_cursor ?? '' });
    expect([...far.data, ...rest.data].map(({ email }) => email)).toEqual(found.slice(105));
  });

  it('continues with its cursor, whatever page that is', async () => {
    const first = await search({ search: 'm' });
    for (const page of [2, 1_000_000]) {
      const next = await search({ search: 'm', page, cursor: first.next_cursor ?? '' });
      expect(next.data.map(({ email }) => email)).toEqual(addresses.slice(50, 100));
      expect(next.current_page).toBe(page);
    }
  });

  it('says that it read more members than are counted yet', async () => {
    const uncounted = { ...readers, counts: { total: 0, subscribed: 0 } };
    expect((await search({}, uncounted)).searched).toMatchObject({ members: 5_077, of: 5_077 });
  });
});
