import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cursorFor } from '#core/id.ts';
import { viewOf } from '#core/list/list-member/pages.ts';
import type { ListMembersQuery } from '#shared/list-member.ts';
import { apiStack } from '../support/handlers.ts';
import { newList, newProgrammedList } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';

const stack = apiStack();
const { call } = stack;

let owner: Person;
let list: Awaited<ReturnType<typeof newProgrammedList>>;
beforeAll(async () => {
  owner = await newMember(stack);
});
beforeEach(async () => {
  list = await newProgrammedList(stack, owner);
});

const as = () => ({ token: owner.token, organization: owner.home.id });
const drain = () => stack.fetchJson('POST', '/_local/drain');
const emails = (body: { data: { email: string }[] }) => body.data.map(({ email }) => email.split('@')[0]);

const add = (fields: object) =>
  call('POST /api/list-members', { ...as(), body: { email_list_id: list.id, ...fields } });
const read = (member: string) =>
  call('GET /api/list-members/{listMember}', { ...as(), params: { listMember: member } });
const change = (member: string, body: object) =>
  call('PUT /api/list-members/{listMember}', { ...as(), params: { listMember: member }, body });
const page = () => call('GET /api/email-lists/{list}/members', { ...as(), params: { list: list.id } });

describe('A member added by hand', () => {
  it('is subscribed unless said otherwise, and can be read', async () => {
    const { status, body } = await add({ email: 'Ann@Example.com', metadata: { signed_up: '2030-01-05' } });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      email: 'ann@example.com',
      is_subscribed: true,
      email_list_id: list.id,
      email_list: { id: list.id, name: 'Readers' },
      metadata: [{ key: 'signed_up', type: 'datetime', value: '2030-01-05' }],
    });
    expect((await read(body.id)).body).toEqual(body);
    expect((await add({ email: 'ben@example.com', is_subscribed: false })).body.is_subscribed).toBe(false);
  });

  it.each([
    [{ email: 'ann@example.com' }, 'email', 'This email is already in the list'],
    [{ email: '' }, 'email', 'Email is required'],
    [{}, 'email', 'Email is required'],
    [{ email: 'ann' }, 'email', 'Enter a valid email address'],
    [
      { email: 'ben@example.com', is_subscribed: 'yes' },
      'is_subscribed',
      'is_subscribed must be true or false',
    ],
    [{ email: 'ben@example.com', metadata: { d: '2026-02-30' } }, 'metadata.d', 'This date does not exist'],
    [{ email: 'ben@example.com', metadata: [] }, 'metadata', 'Metadata must be an object of keys and values'],
    [{ email: 'ben@example.com', email_list_id: 'nothing' }, 'email_list_id', 'Email list not found'],
    [{ email: 'ben@example.com', email_list_id: 7 }, 'email_list_id', 'The list is required'],
  ])('cannot be %j', async (fields, field, text) => {
    await add({ email: 'ann@example.com' });
    const { status, body } = await add(fields);
    expect([status, body.errors[field]]).toEqual([422, [text]]);
    expect(emails((await page()).body)).toEqual(['ann']);
  });
});

it('a date that is not in ISO 8601 stays text, and the answer has a warning at its path', async () => {
  const added = await add({
    email: 'ann@example.com',
    metadata: { signed_up: '22.11.2026', trial_ends: '2026-12-24', plan: '1.2.3' },
  });
  const { warnings, ...member } = added.body;
  expect([added.status, warnings]).toEqual([
    201,
    { 'metadata.signed_up': ['22.11.2026 is not read as a date. Write 2026-11-22.'] },
  ]);
  expect(member.metadata).toContainEqual({ key: 'signed_up', type: 'string', value: '22.11.2026' });
  expect((await read(member.id)).body).toEqual(member);
  const changed = await change(member.id, { metadata: { renews: '03/04/2027', created: 1893456000000 } });
  expect([changed.status, changed.body.warnings]).toEqual([
    200,
    {
      'metadata.renews': ['03/04/2027 is not read as a date. Write 2027-03-04 or 2027-04-03.'],
      'metadata.created': [expect.stringContaining('not as a date')],
    },
  ]);
  expect((await change(member.id, { metadata: { renews: '2027-03-04' } })).body.warnings).toBeUndefined();
});

const dates = (from: number, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`date_${from + at}`, '2030-01-05']));
const TOO_MANY_DATES = { metadata: ['At most 40 values of metadata can be dates'] };

describe('A member', () => {
  let ann: string;
  beforeEach(async () => {
    ann = (await add({ email: 'ann@example.com', metadata: { plan: 'basic' } })).body.id;
  });

  it('has keys of its metadata added, changed and removed', async () => {
    const { body } = await change(ann, {
      metadata: { plan: null, trial_ends: '2030-02-01T10:30:00Z', seats: 3 },
    });
    expect(body.metadata).toEqual([
      { key: 'seats', type: 'number', value: 3 },
      { key: 'trial_ends', type: 'datetime', value: '2030-02-01T10:30:00Z' },
    ]);
    const { was_subscribed, ...member } = body;
    expect(was_subscribed).toBe(true);
    expect((await read(ann)).body).toEqual(member);
  });

  it.each([
    [{ metadata: { d: '0000-00-00' } }, 'metadata.d'],
    [{ metadata: { d: { a: 1 } } }, 'metadata.d'],
    [{ metadata: { 'a/b': 1 } }, 'metadata.a/b'],
    [{ metadata: 'text' }, 'metadata'],
    [{ is_subscribed: 'yes' }, 'is_subscribed'],
  ])('is not changed by %j', async (wrong, field) => {
    const before = (await read(ann)).body;
    const { status, body } = await change(ann, wrong);
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
    expect((await read(ann)).body).toEqual(before);
  });

  it('may have 40 dates and no more, those it has already included', async () => {
    const count = async () => {
      const { metadata } = (await read(ann)).body;
      return metadata.filter(({ type }: { type: string }) => type === 'datetime').length;
    };
    expect((await change(ann, { metadata: dates(0, 41) })).body.errors).toEqual(TOO_MANY_DATES);
    expect((await change(ann, { metadata: dates(0, 30) })).status).toBe(200);
    const refused = await change(ann, { metadata: dates(30, 11) });
    expect([refused.status, refused.body.errors, await count()]).toEqual([422, TOO_MANY_DATES, 30]);
    expect((await change(ann, { metadata: dates(30, 10) })).status).toBe(200);
    expect((await change(ann, { metadata: { date_40: '2030-01-05' } })).body.errors).toEqual(TOO_MANY_DATES);
    expect((await change(ann, { metadata: { date_40: '2030-01-05', date_0: null } })).status).toBe(200);
    expect((await change(ann, { metadata: { date_0: 'soon' } })).status).toBe(200);
    expect(await count()).toBe(40);
  });

  it('is unsubscribed and subscribed again, which its actions show and an event publishes', async () => {
    expect((await change(ann, { is_subscribed: false })).body.is_subscribed).toBe(false);
    expect((await change(ann, { is_subscribed: false })).body.is_subscribed).toBe(false);
    expect((await change(ann, { is_subscribed: true })).body.is_subscribed).toBe(true);
    const { body } = await stack.fetchJson('GET', `/api/list-member-actions?list_member_id=${ann}`, {
      headers: { authorization: `Bearer ${owner.token}`, 'x-active-organization': String(owner.home.id) },
    });
    expect(body).toMatchObject([
      { type: 'subscribe', metadata: { source: 'app' } },
      { type: 'unsubscribe', formatted_metadata: { source: 'Changed in the app' } },
      { type: 'subscribe', formatted_metadata: { source: 'Added' } },
    ]);
    await drain();
    const published = stack.events().filter(({ detail }) => JSON.stringify(detail).includes(ann));
    expect(published).toMatchObject([{ detail: { list_member_id: ann, source: 'app' } }]);
  });

  it('is removed', async () => {
    const remove = () =>
      call('DELETE /api/list-members/{listMember}', { ...as(), params: { listMember: ann } });
    expect((await remove()).status).toBe(204);
    expect(await read(ann)).toMatchObject({ status: 404, body: { message: 'Member not found' } });
    expect((await remove()).status).toBe(404);
    expect((await change(ann, { is_subscribed: true })).status).toBe(404);
    await drain();
    expect((await page()).body).toMatchObject({ data: [], total: 0 });
  });
});

it('several members are changed in one call, which has a result for each', async () => {
  const { body: ann } = await add({ email: 'ann@example.com' });
  const { body: ben } = await add({ email: 'ben@example.com' });
  const act = (action: string, ids: string[]) =>
    call('POST /api/email-lists/{list}/members/actions', {
      ...as(),
      params: { list: list.id },
      body: { action, ids },
    });
  const { status, body } = await act('unsubscribe', [ann.id, 'nobody']);
  expect([status, body.results]).toEqual([
    200,
    [
      { id: ann.id, status: 'changed' },
      { id: 'nobody', status: 'not_found', message: 'Member not found' },
    ],
  ]);
  const subscribed = async (id: string) => (await read(id)).body.is_subscribed;
  expect([await subscribed(ann.id), await subscribed(ben.id)]).toEqual([false, true]);
  expect((await act('delete', [ann.id])).body.results).toEqual([{ id: ann.id, status: 'changed' }]);
  expect([(await read(ann.id)).status, (await read(ben.id)).status]).toEqual([404, 200]);
});

describe('pages of list members', () => {
  type Query = Record<string, string | number>;
  const page = async (query: Query) => {
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]),
    );
    return stack.fetchJson('GET', `/api/email-lists/${list.id}/members?${search}`, {
      headers: { authorization: `Bearer ${owner.token}`, 'x-active-organization': String(owner.home.id) },
    });
  };
  /** A cursor with parts that one of ours has, each of them valid on its own unless it is given as another. */
  const forged = (kind: number, email: string, searched = 0, skip = 0, ...more: string[]) =>
    Buffer.from(JSON.stringify([kind, email, searched, skip, ...more])).toString('base64url');
  const withItsFilter = ({ cursor, ...query }: Query): Query =>
    cursor === undefined
      ? query
      : { ...query, cursor: cursorFor(viewOf(query as unknown as ListMembersQuery), String(cursor)) };
  const NEW_YEAR = '2030-01-01T00:00:00.000Z';

  describe('The members of a list', () => {
    const name = (at: number) => `m${String(at).padStart(2, '0')}`;
    const fill = async (count: number) => {
      await list.send(Array.from({ length: count }, (_, at) => ({ email: `${name(at)}@example.com` })));
      await drain();
    };

    it('cost at most three table requests, whichever page', async () => {
      await fill(34);
      const requests = async (query: Record<string, string | number>) => {
        await stack.fetchJson('DELETE', '/_local/meter');
        const { body } = await page(query);
        const { body: meter } = await stack.fetchJson('GET', '/_local/meter');
        expect(meter.dynamodb.requests).toBeLessThanOrEqual(3);
        return body;
      };
      const first = await requests({ page: 1 });
      const second = await requests({ page: 2, cursor: first.next_cursor });
      await requests({ page: 3, cursor: second.next_cursor });
      const last = await requests({ page: 4 });
      await requests({ page: 3, cursor: last.previous_cursor });
      await requests({ page: 1, direction: 'desc' });
      await requests({ page: 1, status: 'subscribed', sort: 'created_at' });
      await requests({ page: 1, search: '7@' });
    });

    it('come with the chosen columns of their metadata, for one table request more', async () => {
      await list.send([
        { email: 'ann@example.com', first_name: 'Ann', seats: 3, 'signed up': '2030-01-05' },
        { email: 'ben@example.com', first_name: 'Ben', note: 'never shown' },
        { email: 'cleo@example.com' },
      ]);
      await drain();
      await stack.fetchJson('DELETE', '/_local/meter');
      const { body } = await page({ columns: 'signed up,first_name,seats' });
      const { body: meter } = await stack.fetchJson('GET', '/_local/meter');
      expect(meter.dynamodb.requests).toBeLessThanOrEqual(4);
      expect(body.data.map(({ metadata }: { metadata: unknown }) => metadata)).toEqual([
        [
          { key: 'first_name', type: 'string', value: 'Ann' },
          { key: 'seats', type: 'number', value: 3 },
          { key: 'signed up', type: 'datetime', value: '2030-01-05' },
        ],
        [{ key: 'first_name', type: 'string', value: 'Ben' }],
        [],
      ]);
      expect(body.data.map(({ name }: { name: unknown }) => name)).toEqual(['Ann', 'Ben', null]);
      expect((await page({})).body.data[0]).not.toHaveProperty('metadata');
    });

    it('have the columns of a hundred of them with their usual values, and every column with dates', async () => {
      const columns = async () =>
        (await call('GET /api/email-lists/{list}/metadata-columns', { ...as(), params: { list: list.id } }))
          .body;
      const none = { members: 0, of: 0, complete: true };
      expect(await columns()).toEqual({ columns: [], values: {}, searched: none });
      await list.send([
        { email: 'ann@example.com', first_name: 'Ann', plan: 'basic' },
        { email: 'ben@example.com', first_name: 'Ben', plan: 'pro' },
        { email: 'cleo@example.com', is_subscribed: false, plan: 'pro', note: 'x'.repeat(61) },
      ]);
      await drain();
      const three = { members: 3, of: 3, complete: true };
      expect(await columns()).toEqual({
        columns: ['first_name', 'note', 'plan'],
        values: { first_name: ['Ann', 'Ben'], note: [], plan: ['pro', 'basic'] },
        searched: three,
      });
      await fill(99);
      await list.send([{ email: 'zoe@example.com', nickname: 'Zo', signed_up: '2030-01-05' }]);
      await drain();
      expect(await columns()).toMatchObject({
        columns: ['first_name', 'note', 'plan', 'signed_up'],
        searched: { members: 100, of: 103, complete: false },
      });
    });

    it('are found by the beginning of their address, then by any part of it', async () => {
      await list.send(
        ['ann@example.com', 'anna@example.com', 'joann@example.org', 'ben@example.com'].map(email => ({
          email,
        })),
      );
      await drain();
      const found = (await page({ search: ' ANN' })).body;
      expect(emails(found)).toEqual(['ann', 'anna', 'joann']);
      expect(found).toMatchObject({ searched: { members: 4, of: 4, complete: true }, next_cursor: null });
      expect(emails((await page({ search: 'example.org' })).body)).toEqual(['joann']);
      const none = (await page({ search: 'zoe' })).body;
      expect([none.data, none.searched]).toEqual([[], { members: 4, of: 4, complete: true }]);
      expect((await page({ search: '  ' })).body).toMatchObject({ searched: null, total: 4 });
    });

    it('are found by the conditions of an automation', async () => {
      await list.send([
        { email: 'ann@example.com', plan: 'Pro' },
        { email: 'ben@example.com', plan: 'free' },
      ]);
      await drain();
      const audience = JSON.stringify({
        all: [
          { field: 'plan', op: 'is', value: 'pro' },
          { field: '@added', op: 'after', value: { days_ago: 1 } },
        ],
      });
      const { body } = await page({ audience });
      expect(emails(body)).toEqual(['ann']);
      expect(body).toMatchObject({ found: 1, total: 2, searched: { members: 2, complete: true } });
      const asked = { email_list_ids: [list.id], audience: JSON.parse(audience) };
      const counted = await call('POST /api/audience/count', { ...as(), body: asked });
      expect(counted).toMatchObject({ status: 200, body: { matching: 1, of: 2, sampled: null } });
    });

    it('are found by conditions that count days by the clock of the organization', async () => {
      const owner = await newMember(stack);
      const own = await newList(stack, owner);
      await call('PUT /api/sending-hours', { token: owner.token, body: { time_zone: 'Pacific/Kiritimati' } });
      for (const [name, ends] of Object.entries({
        ann: '2030-01-01T09:00:00Z',
        ben: '2030-01-01T23:00:00Z',
      })) {
        const body = { email_list_id: own, email: `${name}@example.com`, metadata: { ends } };
        await call('POST /api/list-members', { token: owner.token, body });
      }
      await drain();
      // There, the second of January begins at 10:00 in UTC.
      const audience = JSON.stringify({ all: [{ field: 'ends', op: 'before', value: '2030-01-02' }] });
      const asked = { token: owner.token, params: { list: own }, query: { audience } };
      expect(emails((await call('GET /api/email-lists/{list}/members', asked)).body)).toEqual(['ann']);
    });

    it('are found by conditions 240 times a minute, where each list that these name counts too', async () => {
      const refusedAt = async (lists: number) => {
        const owner = await newMember(stack);
        const own = await newList(stack, owner);
        const all = Array.from({ length: 20 }, (_, at) => {
          return { field: '@list', op: 'not_on', value: String(at % lists).padStart(12, '0') };
        });
        const query = { audience: JSON.stringify({ all }) };
        const input = { token: owner.token, params: { list: own }, query };
        const answers = [];
        // They may be of two minutes.
        for (let calls = 0; calls < 23; calls++)
          answers.push((await call('GET /api/email-lists/{list}/members', input)).status);
        return answers.indexOf(429);
      };
      // A list that is named by all of them is one.
      expect(await refusedAt(1)).toBe(-1);
      expect(await refusedAt(20)).toBeGreaterThanOrEqual(11);
    });

    it.each<Record<string, string>>([
      { cursor: forged(0, 'ann@example.com') },
      { cursor: forged(2, 'ann@example.com'), search: 'ann' },
      { cursor: forged(3, ''), search: 'ann' },
      { cursor: forged(3, ''), status: 'subscribed' },
      { cursor: forged(4, 'ann@example.com', 0, 0, NEW_YEAR), sort: 'created_at' },
      { cursor: forged(5, 'ann@example.com', 0, 0, NEW_YEAR), search: 'ann' },
      { columns: 'first name,a.b,a.b' },
      { columns: 'a,b,c,d,e,f,g,h', sort: 'email', direction: 'desc' },
    ])('are shown for %j', async query => {
      expect((await page(withItsFilter(query))).status).toBe(200);
    });

    it('are refused for the cursor of another search, filter or order', async () => {
      await list.send(['ann', 'anna', 'ben'].map(name => ({ email: `${name}@example.com` })));
      await drain();
      const asked = { search: 'example', per_page: 1 };
      const cursor = (await page(asked)).body.next_cursor;
      expect((await page({ ...asked, page: 2, cursor })).status).toBe(200);
      const plan = JSON.stringify({ all: [{ field: 'plan', op: 'not_set' }] });
      const others: Query[] = [
        { search: 'ann' },
        { status: 'subscribed' },
        { audience: plan },
        { direction: 'desc' },
        { sort: 'created_at' },
      ];
      for (const other of others) {
        const { status, body } = await page({ ...asked, ...other, page: 2, cursor });
        expect([status, Object.keys(body.errors)]).toEqual([422, ['cursor']]);
      }
    });

    it.each([
      [{ page: 0 }, 'page'],
      [{ page: '0x10' }, 'page'],
      [{ per_page: 0 }, 'per_page'],
      [{ per_page: 101 }, 'per_page'],
      [{ search: 'x'.repeat(255) }, 'search'],
      [{ cursor: 'nonsense' }, 'cursor'],
      [{ cursor: 'WzEsIiIsMF0' }, 'cursor'],
      [{ cursor: 'W10' }, 'cursor'],
      [{ cursor: forged(3, '') }, 'cursor'],
      [{ cursor: forged(2, 'ann@example.com') }, 'cursor'],
      [{ cursor: forged(4, 'ann@example.com') }, 'cursor'],
      [{ cursor: forged(0, 'a\ud800@example.com') }, 'cursor'],
      [{ cursor: forged(2, 'ann😀'), search: 'ann' }, 'cursor'],
      [{ cursor: forged(2, 'ben@example.com'), search: 'ann' }, 'cursor'],
      [{ cursor: forged(0, 'ann@example.com'), search: 'ann' }, 'cursor'],
      [{ cursor: forged(3, '', -1), search: 'ann' }, 'cursor'],
      [{ cursor: forged(3, '', Number.MAX_SAFE_INTEGER), search: 'ann' }, 'cursor'],
      [{ cursor: forged(3, '', 0, -1), search: 'ann' }, 'cursor'],
      [{ cursor: forged(3, '', 0, Number.MAX_SAFE_INTEGER), search: 'ann' }, 'cursor'],
      [{ cursor: forged(0, 'ann@example.com'), status: 'subscribed' }, 'cursor'],
      [{ cursor: forged(0, 'ann@example.com'), sort: 'created_at' }, 'cursor'],
      [{ cursor: forged(2, 'ann@example.com'), status: 'subscribed' }, 'cursor'],
      [{ cursor: forged(3, ''), sort: 'created_at', status: 'subscribed' }, 'cursor'],
      [{ cursor: forged(3, ''), direction: 'desc', search: 'ann' }, 'cursor'],
      [{ cursor: forged(4, 'ann@example.com', 0, 0, NEW_YEAR) }, 'cursor'],
      [{ cursor: forged(4, 'ann@example.com'), sort: 'created_at' }, 'cursor'],
      [{ cursor: forged(4, 'ann@example.com', 0, 0, 'soon'), sort: 'created_at' }, 'cursor'],
      [{ cursor: forged(4, '', 0, 0, NEW_YEAR), sort: 'created_at' }, 'cursor'],
      [{ audience: '{' }, 'audience'],
      [{ audience: '{"all":[]}' }, 'audience'],
      [{ status: 'pending' }, 'status'],
      [{ status: '' }, 'status'],
      [{ sort: 'updated_at' }, 'sort'],
      [{ direction: 'down' }, 'direction'],
      [{ columns: '' }, 'columns'],
      [{ columns: 'a,,b' }, 'columns'],
      [{ columns: '__proto__' }, 'columns'],
      [{ columns: 'a/b' }, 'columns'],
      [{ columns: 'a,b,c,d,e,f,g,h,i' }, 'columns'],
    ])('are refused for the query %j', async (query, field) => {
      const { status, body } = await page(withItsFilter(query));
      expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
    });
  });
});
