import { beforeAll, describe, expect, it } from 'vitest';
import { zoneNamed } from '#core/automation/due/zone.ts';
import type * as list from '#core/list/list.ts';
import * as listMember from '#core/list/list-member/list-member.ts';
import * as upsert from '#core/list/list-member/rows.ts';
import * as recipientKey from '#core/recipient/recipient.key.ts';
import { batchWrite } from '#core/storage/table.store.ts';
import type { ListMembersPage, ListMembersQuery } from '#shared/list-member.ts';
import { newList } from '#test/support/core-list.ts';
import { freshTable } from '#test/support/engine.ts';
import { indexOf } from '#test/support/index.ts';
import { intercepted } from '#test/support/intercepted.ts';

type View = Omit<ListMembersQuery, 'page' | 'per_page' | 'cursor'>;

const table = freshTable();
const emailsOf = ({ data }: ListMembersPage) => data.map(({ email }) => email);

async function pagesOf(read: (query: ListMembersQuery) => Promise<ListMembersPage>, view: View) {
  const pages: ListMembersPage[] = [];
  let cursor: string | undefined;
  do {
    const page = await read({ ...view, page: pages.length + 1, per_page: 10, ...(cursor && { cursor }) });
    pages.push(page);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return pages;
}

describe('a list that one call reads as a whole', () => {
  const MEMBERS = Array.from({ length: 47 }, (_, at) => {
    const name = `${at % 3 === 0 ? 'ann' : 'jo.ann'}${String(at).padStart(2, '0')}`;
    return {
      email: `${name}@example.com`,
      is_subscribed: at % 4 !== 0,
      // Several on each day, in another order than the addresses.
      created_at: `2030-01-${String(((at * 7) % 20) + 10)}T12:00:00.000Z`,
      plan: `plan ${at}`,
    };
  });
  let readers: list.CountedList;
  beforeAll(async () => {
    readers = await newList(table, new Date('2030-01-01T12:00:00Z'));
    for (const { created_at, ...member } of MEMBERS) {
      await upsert.upsertAll({ table, now: new Date(created_at) }, readers, [member]);
    }
    readers = { ...readers, counts: { total: 47, subscribed: 35 } };
  });
  const read = (query: ListMembersQuery) => listMember.page({ table }, readers, query);

  function expected({ search = '', status, sort = 'email', direction = 'asc' }: View): string[] {
    const found = MEMBERS.filter(
      ({ email, is_subscribed }) =>
        email.includes(search) && (!status || is_subscribed === (status === 'subscribed')),
    );
    const keyOf = ({ email, created_at }: (typeof MEMBERS)[number]) =>
      sort === 'email' ? email : `${created_at} ${email}`;
    found.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    if (direction === 'desc') found.reverse();
    const isUsual = sort === 'email' && direction === 'asc';
    const begins = isUsual ? found.filter(({ email }) => email.startsWith(search)) : found;
    return [...begins, ...found.filter(member => !begins.includes(member))].map(({ email }) => email);
  }

  const SEARCHES = [undefined, 'ann', 'jo.', 'nobody'];
  const STATUSES = [undefined, 'subscribed', 'unsubscribed'] as const;
  const ORDERS = [
    {},
    { sort: 'email', direction: 'desc' },
    { sort: 'created_at' },
    { sort: 'created_at', direction: 'desc' },
    { direction: 'desc' },
  ] as const;
  const VIEWS: View[] = SEARCHES.flatMap(search =>
    STATUSES.flatMap(status =>
      ORDERS.map(order => ({ ...order, ...(search && { search }), ...(status && { status }) })),
    ),
  );

  it.each(VIEWS)('has exact pages of %j, by number and by cursor, back and forth', async view => {
    const all = expected(view);
    const last_page = Math.max(1, Math.ceil(all.length / 10));
    const isPartial = view.search !== undefined || view.status !== undefined;
    const found = isPartial ? all.length : null;
    const slice = (page: number) => all.slice(10 * page - 10, 10 * page);

    const pages = await pagesOf(read, view);
    expect(pages.map(emailsOf)).toEqual(Array.from({ length: last_page }, (_, at) => slice(at + 1)));
    for (const [at, page] of pages.entries()) {
      expect(page).toMatchObject({ current_page: at + 1, last_page, found });
      expect(page.searched).toEqual(isPartial ? { members: 47, of: 47, complete: true } : null);
    }
    for (let page = last_page; page > 1; page--) {
      const numbered = await read({ ...view, page, per_page: 10 });
      expect([emailsOf(numbered), numbered.current_page]).toEqual([slice(page), page]);
      const cursor = numbered.previous_cursor ?? '';
      const previous = await read({ ...view, page: page - 1, per_page: 10, cursor });
      expect([emailsOf(previous), previous.current_page]).toEqual([slice(page - 1), page - 1]);
    }
    const beyond = await read({ ...view, page: 99, per_page: 10 });
    expect([emailsOf(beyond), beyond.current_page]).toEqual([slice(last_page), last_page]);
  });

  it('has exact pages of those who match conditions, of two requests', async () => {
    const any = [
      { field: 'plan', op: 'is' as const, value: 'PLAN 3' },
      { field: '@email', op: 'starts_with' as const, value: 'jo.ann' },
    ];
    const when = { at: new Date('2030-02-01T12:00:00Z'), zone: zoneNamed('UTC') };
    const sent: string[] = [];
    const counted = intercepted(table, (send, command) => {
      sent.push(command.constructor.name.replace('Command', ''));
      return send();
    });
    const filtered = (query: ListMembersQuery) =>
      listMember.page({ table: counted }, readers, query, { audience: { any }, whenOf: () => when });
    const all = expected({}).filter(email => email.startsWith('jo.ann') || email.startsWith('ann03'));
    const pages = await pagesOf(filtered, {});
    expect(pages.flatMap(emailsOf)).toEqual(all);
    expect(pages[0]).toMatchObject({ found: all.length, searched: { members: 47, complete: true } });
    expect(sent.slice(0, 2)).toEqual(['Query', 'BatchGet']);
    expect(sent).toHaveLength(2 * pages.length);
    const latest: View = { sort: 'created_at', direction: 'desc', status: 'subscribed' };
    const wanted = expected(latest).filter(email => all.includes(email));
    expect((await pagesOf(filtered, latest)).flatMap(emailsOf)).toEqual(wanted);
  });

  it('has those who are on another list or not, whatever their status there', async () => {
    const buyers = await newList(table, new Date('2030-01-01T12:00:00Z'), {
      organization: readers.organization_id,
    });
    const both = MEMBERS.slice(0, 3).map(({ email }, at) => ({ email, is_subscribed: at !== 0 }));
    await upsert.upsertAll({ table, now: new Date('2030-01-01T12:00:00Z') }, buyers, [
      ...both,
      { email: 'buyer@example.com' },
    ]);
    const when = { at: new Date('2030-02-01T12:00:00Z'), zone: zoneNamed('UTC') };
    const foundBy = async (op: 'on' | 'not_on', value: string) => {
      const audience = { all: [{ field: '@list', op, value }] };
      const query = { page: 1, per_page: 100 };
      return emailsOf(await listMember.page({ table }, readers, query, { audience, whenOf: () => when }));
    };
    const all = expected({});
    const shared = both.map(({ email }) => email).sort();
    expect(await foundBy('on', buyers.id)).toEqual(shared);
    expect(await foundBy('not_on', buyers.id)).toEqual(all.filter(email => !shared.includes(email)));
    expect(await foundBy('on', readers.id)).toEqual(all);
  });

  it('shows the chosen columns of the metadata, and of the unsubscribed why nobody mails them', async () => {
    const [{ email } = { email: '' }] = MEMBERS;
    const { hash } = recipientKey.keyOf(readers.organization_id, email);
    const PK = `R#${readers.organization_id}#${hash}`;
    await batchWrite(table, { puts: [{ PK, SK: 'HEAD', email, suppression: 'bounce' }] });
    const query = { page: 1, per_page: 2, columns: ['plan', 'city'], status: 'unsubscribed' as const };
    const { data } = await read(query);
    expect(data.map(({ metadata, suppression }) => [metadata, suppression])).toEqual([
      [[{ key: 'plan', value: 'plan 0', type: 'string' }], 'bounce'],
      [[{ key: 'plan', value: 'plan 12', type: 'string' }], null],
    ]);
    expect((await read({ page: 1, per_page: 1 })).data[0]).not.toHaveProperty('metadata');
  });

  it('counts the members with a status', async () => {
    const totalOf = async (status?: 'subscribed' | 'unsubscribed') =>
      (await read({ page: 1, per_page: 10, ...(status && { status }) })).total;
    expect([await totalOf(), await totalOf('subscribed'), await totalOf('unsubscribed')]).toEqual([
      47, 35, 12,
    ]);
  });

  it('shows the first page where fewer than a page of members is left before a cursor', async () => {
    const view: View = { sort: 'created_at' };
    const second = await read({ ...view, page: 2, per_page: 10 });
    const previous = await read({ ...view, page: 7, per_page: 25, cursor: second.previous_cursor ?? '' });
    expect(emailsOf(previous)).toEqual(expected(view).slice(0, 25));
    expect([previous.current_page, previous.previous_cursor]).toEqual([1, null]);
  });

  it.each<[View, string[]]>([
    [{}, ['Query']],
    [{ direction: 'desc' }, ['Query']],
    [{ status: 'unsubscribed' }, ['Query', 'BatchGet']],
    [{ status: 'unsubscribed', search: 'nobody' }, ['Query']],
    [{ sort: 'created_at', search: 'ann' }, ['Query']],
    [{ columns: ['plan'] }, ['Query', 'BatchGet']],
    [{ columns: ['plan'], status: 'subscribed' }, ['Query', 'BatchGet']],
    [{ columns: ['plan'], search: 'nobody' }, ['Query']],
  ])('costs for a page of %j the requests %j', async (view, commands) => {
    const sent: string[] = [];
    const counted = intercepted(table, (send, command) => {
      sent.push(command.constructor.name.replace('Command', ''));
      return send();
    });
    await listMember.page({ table: counted }, readers, { ...view, page: 1, per_page: 100 });
    expect(sent).toEqual(commands);
  });
});

describe('a list of more members than one call reads', () => {
  const addresses = Array.from(
    { length: 12_000 },
    (_, at) => `${at % 2 === 0 ? 'a' : 'z'}${String(at).padStart(5, '0')}@example.com`,
  ).sort();
  const rare = new Set(addresses.filter((_, at) => at % 700 === 50));
  const index = () => indexOf(addresses, email => (rare.has(email) ? 'unsubscribed' : 'subscribed'));
  let readers: list.CountedList;
  beforeAll(async () => {
    const counts = { total: addresses.length, subscribed: addresses.length - rare.size };
    readers = { ...(await newList(table, new Date('2030-01-01T12:00:00Z'))), counts };
  });
  const read = (query: ListMembersQuery, on = index()) => listMember.page({ table: on }, readers, query);
  const first = { page: 1, per_page: 10 };

  it('is filtered as far as one call reads, and on from there by the cursor', async () => {
    const on = index();
    const page = await read({ ...first, per_page: 50, status: 'unsubscribed' }, on);
    expect(page).toMatchObject({ total: rare.size, found: null, last_page: 2 });
    expect(page.searched).toEqual({ members: 10_000, of: 12_000, complete: false });
    expect(on.reads.reduce((sum, read) => sum + read)).toBe(10_000);
    const cursor = page.next_cursor ?? '';
    const rest = await read({ page: 1, per_page: 50, status: 'unsubscribed', cursor });
    expect([...emailsOf(page), ...emailsOf(rest)]).toEqual([...rare]);
    expect(rest).toMatchObject({ next_cursor: null, searched: { members: 12_000, complete: true } });
  });

  it.each<View>([
    { status: 'unsubscribed' },
    { status: 'unsubscribed', search: 'a' },
    { status: 'unsubscribed', search: 'z0' },
    { status: 'unsubscribed', search: '@example' },
    { status: 'subscribed', search: '77' },
    { search: '77@' },
  ])('has every member of %j on its pages, and each once', async view => {
    const { search = '', status } = view;
    const found = addresses.filter(
      email => email.includes(search) && (!status || rare.has(email) === (status === 'unsubscribed')),
    );
    const begins = found.filter(email => email.startsWith(search));
    const pages = await pagesOf(read, view);
    expect(pages.flatMap(emailsOf)).toEqual([...begins, ...found.filter(email => !begins.includes(email))]);
  });

  it('is searched for those who match conditions as far as one call reads', async () => {
    const all = [{ field: 'plan', op: 'is' as const, value: 'rare' }];
    const when = { at: new Date('2030-02-01T12:00:00Z'), zone: zoneNamed('UTC') };
    const on = indexOf(
      addresses,
      () => 'subscribed',
      email => ({ plan: rare.has(email) ? 'rare' : '' }),
    );
    const filtered = (query: ListMembersQuery) =>
      listMember.page({ table: on }, readers, query, { audience: { all }, whenOf: () => when });
    const page = await filtered({ ...first, per_page: 50 });
    expect(page.searched).toEqual({ members: 10_000, of: 12_000, complete: false });
    const rest = await filtered({ page: 1, per_page: 50, cursor: page.next_cursor ?? '' });
    expect([...emailsOf(page), ...emailsOf(rest)]).toEqual([...rare]);
    expect(rest).toMatchObject({ next_cursor: null, searched: { members: 12_000, complete: true } });
    expect(Math.max(...on.reads)).toBe(500);
  });

  it('is read no further than it takes to fill a page with a usual status', async () => {
    const on = index();
    const page = await read({ ...first, status: 'subscribed' }, on);
    expect([page.data.length, page.last_page, on.reads]).toEqual([10, 2, [44]]);
  });

  it('counts the members of earlier pages where a filter has no cursor', async () => {
    const second = await read({ page: 2, per_page: 5, status: 'unsubscribed' });
    expect(emailsOf(second)).toEqual([...rare].slice(5, 10));
  });

  it('is sorted by descending address: first, next, previous, last and any other page', async () => {
    const descending = [...addresses].reverse();
    const slice = (page: number) => descending.slice(10 * page - 10, 10 * page);
    const at = async (page: number, cursor?: string | null) => {
      const on = index();
      const answer = await read({ page, per_page: 10, direction: 'desc', ...(cursor && { cursor }) }, on);
      expect([emailsOf(answer), answer.current_page]).toEqual([slice(page), page]);
      return { ...answer, requests: on.reads.length };
    };
    const one = await at(1);
    const two = await at(2, one.next_cursor);
    const three = await at(3, two.next_cursor);
    const last = await at(1_200);
    for (const page of [one, two, three, last]) expect(page.requests).toBe(1);
    expect((await at(2, three.previous_cursor)).requests).toBe(1);
    expect((await at(1, two.previous_cursor)).requests).toBe(1);
    expect((await at(1_199, last.previous_cursor)).requests).toBe(1);
    expect(last).toMatchObject({ last_page: 1_200, next_cursor: null });
    await at(300);
    await at(900);
  });

  it.each<[View, string, string]>([
    [{ sort: 'created_at' }, 'sort', 'A list of more than 10,000 members can be sorted by email only.'],
    [{ sort: 'created_at', status: 'subscribed' }, 'sort', 'can be sorted by email only'],
    [{ direction: 'desc', search: 'ann' }, 'direction', 'a search or a filter can only be sorted ascending'],
    [{ direction: 'desc', status: 'subscribed' }, 'direction', 'can only be sorted ascending'],
  ])('cannot be sorted for %j, which is said before it is read', async (view, field, message) => {
    const on = index();
    const refused = { errors: { [field]: [expect.stringContaining(message)] } };
    await expect(read({ ...first, ...view }, on)).rejects.toMatchObject(refused);
    expect(on.reads).toEqual([]);
  });

  it('is searched and filtered, but not sorted by date, where it has more members than are counted yet', async () => {
    const uncounted = { ...readers, counts: { total: 9_000, subscribed: 9_000 } };
    const at = (view: View) => listMember.page({ table: index() }, uncounted, { ...first, ...view });
    expect(emailsOf(await at({ status: 'unsubscribed' }))).toEqual([...rare].slice(0, 10));
    await expect(at({ sort: 'created_at' })).rejects.toMatchObject({ errors: { sort: expect.anything() } });
  });

  it('is searched to its end where fewer members are left of it than are counted still', async () => {
    const on = indexOf(addresses.slice(0, 25));
    for (const page of [1, 2, 3, 9]) {
      const answer = await read({ page, per_page: 10, search: 'a' }, on);
      expect(emailsOf(answer)).toEqual(addresses.slice(0, 25).slice(10 * page - 10, 10 * page));
      const isLast = page > 2;
      expect(answer).toMatchObject({
        found: isLast ? 25 : null,
        last_page: isLast ? 3 : page + 1,
        searched: { complete: isLast },
      });
    }
  });

  it('refuses the cursor of a search that began when the list was read as a whole', async () => {
    const small = { ...readers, counts: { total: 20, subscribed: 20 } };
    const on = indexOf(addresses.slice(0, 20));
    const { next_cursor } = await listMember.page({ table: on }, small, { ...first, search: 'a' });
    const next = { page: 2, per_page: 10, search: 'a', cursor: next_cursor ?? '' };
    expect(emailsOf(await listMember.page({ table: on }, small, next))).toEqual(addresses.slice(10, 20));
    await expect(read(next)).rejects.toMatchObject({ errors: { cursor: expect.anything() } });
  });
});
