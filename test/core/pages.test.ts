import { beforeAll, describe, expect, it } from 'vitest';
import type * as list from '../../functions/core/list/list.ts';
import * as listMember from '../../functions/core/list-member/list-member.ts';
import type { Table } from '../../functions/core/table.store.ts';
import { newList } from '../support/core-list.ts';
import { freshTable } from '../support/engine.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');

describe('a page of a list of a million members', () => {
  it('can be opened directly up to 100,000 members from the nearer end', async () => {
    const readers = await newList(table, now);
    const many: list.Found = { ...readers, counts: { total: 1_000_000, subscribed: 1_000_000 } };
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

type Query = {
  ExpressionAttributeValues: Record<string, string>;
  ExclusiveStartKey?: { GSI1SK: string };
  Limit: number;
  Select?: 'COUNT';
};

/** An index with more members than a test would store. It answers queries alone. */
function indexOf(addresses: string[]): Table {
  const send = async ({ input }: { input: Query }) => {
    const { ':prefix': prefix = '', ':after': after = '' } = input.ExpressionAttributeValues;
    const start = input.ExclusiveStartKey?.GSI1SK ?? after;
    const wanted = addresses.filter(email => email.startsWith(prefix) && email > start);
    const page = wanted.slice(0, input.Limit);
    const more = wanted.length > page.length && { LastEvaluatedKey: { GSI1SK: page.at(-1) } };
    if (input.Select) return { Count: page.length, ...more };
    return { Items: page.map(email => ({ email, status: 'subscribed' })), ...more };
  };
  return { name: 'index', client: { send } as never };
}

describe('a search in more members than one call reads', () => {
  const MEMBERS = 12_000;
  const addresses = Array.from({ length: MEMBERS }, (_, at) => `m${String(at).padStart(5, '0')}@example.com`);
  const found = addresses.filter(email => email.includes('77@'));
  const index = indexOf(addresses);
  let readers: list.Found;
  beforeAll(async () => {
    readers = { ...(await newList(table, now)), counts: { total: MEMBERS, subscribed: MEMBERS } };
  });
  const search = (query: { page?: number; cursor?: string }) =>
    listMember.page({ table: index }, readers, { page: 1, per_page: 50, search: '77@', ...query });

  it('says how far it read, and continues there with its cursor', async () => {
    const first = await search({});
    expect(first.data.map(({ email }) => email)).toEqual(found.slice(0, 50));
    const second = await search({ page: 2, cursor: first.next_cursor ?? '' });
    expect(second.data.map(({ email }) => email)).toEqual(found.slice(50, 100));
    const third = await search({ page: 3, cursor: second.next_cursor ?? '' });
    expect(third.data.map(({ email }) => email)).toEqual(found.slice(100));
    expect(third).toMatchObject({
      next_cursor: null,
      searched: { members: MEMBERS, of: MEMBERS, complete: true },
    });
  });

  it('skips the members of earlier pages where no cursor is given, over as many calls as it takes', async () => {
    const far = await search({ page: 3 });
    expect(far).toMatchObject({ data: [], searched: { members: 10_000, of: MEMBERS, complete: false } });
    const rest = await search({ page: 3, cursor: far.next_cursor ?? '' });
    expect(rest.data.map(({ email }) => email)).toEqual(found.slice(100));
    expect(rest.searched).toEqual({ members: MEMBERS, of: MEMBERS, complete: true });
  });
});
