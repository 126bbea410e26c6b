import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { apiStack } from '../support/handlers.ts';
import { put } from '../support/items.ts';
import { newProgrammedList } from '../support/list.ts';
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

const as = () => ({ token: owner.token, organization: owner.home.id, params: { list: list.id } });
const drain = () => stack.fetchJson('POST', '/_local/drain');
const counted = async () => {
  await drain();
  const { body } = await call('GET /api/email-lists/{list}', as());
  return [body.total_members, body.subscribed_members, body.unsubscribed_members, body.members_count];
};
const columns = async () => {
  await drain();
  return (await call('GET /api/email-lists/{list}/datetime-metadata-columns', as())).body;
};
const members = async () => (await call('GET /api/email-lists/{list}/members', as())).body.data;
const rejection = async (member: unknown) => {
  const { status, body } = await list.send([member]);
  expect([status, body.results[0].status]).toEqual([200, 'rejected']);
  return body.results[0].errors;
};

describe('A program that sends members', () => {
  it('gets the status of each row', async () => {
    const ann = { email: ' Ann@Example.COM ', signed_up: '2030-01-05', plan: 'basic', seats: 3, vip: true };
    const first = await list.send([ann, { email: 'ben@example.com', is_subscribed: false }, { email: 'no' }]);
    expect([first.status, first.body.results]).toEqual([
      200,
      [
        { index: 0, email: 'ann@example.com', status: 'created' },
        { index: 1, email: 'ben@example.com', status: 'created' },
        { index: 2, email: 'no', status: 'rejected', errors: { email: ['Enter a valid email address'] } },
      ],
    ]);
    const again = await list.send([
      ann,
      { email: 'ben@example.com', plan: 'pro' },
      { email: 'cleo@example.com' },
    ]);
    expect(again.body.results.map(({ status }: { status: string }) => status)).toEqual([
      'unchanged',
      'updated',
      'created',
    ]);
    expect(await counted()).toEqual([3, 2, 1, 3]);
    expect(await columns()).toEqual({ columns: ['signed_up'], stats: { signed_up: 1 } });
    const [found] = await members();
    expect(
      (await call('GET /api/list-members/{listMember}', { ...as(), params: { listMember: found.id } })).body,
    ).toEqual({
      ...found,
      email: 'ann@example.com',
      is_subscribed: true,
      email_list_id: list.id,
      email_list: { id: list.id, name: 'Readers' },
      suppression: null,
      metadata: [
        { key: 'plan', type: 'string', value: 'basic' },
        { key: 'seats', type: 'number', value: 3 },
        { key: 'signed_up', type: 'datetime', value: '2030-01-05' },
        { key: 'vip', type: 'boolean', value: true },
      ],
      metadata_json: expect.stringContaining('"plan":"basic"'),
    });
  });

  it('may send a hundred members a call, and no more', async () => {
    const some = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ email: `m${at}@example.com` }));
    expect((await list.send(some(101))).body).toMatchObject({
      errors: { members: ['At most 100 members can be sent per call'] },
    });
    expect((await list.send(some(101))).status).toBe(422);
    expect(await counted()).toEqual([0, 0, 0, 0]);
    expect((await list.send(some(100))).body.results).toHaveLength(100);
    expect(await counted()).toEqual([100, 100, 0, 100]);
  });

  it.each([[[]], [undefined], ['ann@example.com'], [{ email: 'ann@example.com' }]])(
    'gets 422 for the members %j',
    async wrong => {
      const { status, body } = await list.send(wrong);
      expect([status, body.errors.members]).toEqual([422, [expect.any(String)]]);
    },
  );
});

const keysFrom = (from: number, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${from + at}`, 1]));

describe('A row that cannot be stored', () => {
  it.each([
    ['two addresses', { email: 'ann@example.com, ben@example.com' }],
    ['a number', { email: 7 }],
    ['nothing', {}],
    ['an object', { email: { $gt: '' } }],
  ])('has an address with %s', async (_, member) => {
    expect((await rejection(member)).email).toHaveLength(1);
    expect(await members()).toEqual([]);
  });

  it.each([
    ['no object', 'ann@example.com'],
    ['null', null],
    ['a list', [{ email: 'ann@example.com' }]],
  ])('is %s', async (_, member) => {
    expect((await rejection(member)).member).toEqual(['A member must be an object with an email']);
  });

  it.each([
    ['a date that does not exist', { d: '2026-02-30' }, 'd', 'This date does not exist'],
    ['an object', { d: { a: 1 } }, 'd', 'A value must be text, a number, true or false'],
    ['an empty key', { '': 1 }, '', /letters from a to z, digits/],
    ['the key constructor', { constructor: 1 }, 'constructor', 'A key must not be called constructor'],
    [
      '90,000 keys, which are not looked at',
      Object.fromEntries(Array.from({ length: 90_000 }, (_, at) => [`?${at}`, 1])),
      'metadata',
      'At most 50 keys of metadata can be kept',
    ],
    ['51 keys', keysFrom(0, 51), 'metadata', 'At most 50 keys of metadata can be kept'],
    [
      'values of 17 KB',
      Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, 'x'.repeat(1_000)])),
      'metadata',
      'Metadata must be at most 16 KB in all',
    ],
    ['an is_subscribed that is no boolean', { is_subscribed: 'yes' }, 'is_subscribed', /true or false/],
  ])('has metadata with %s', async (_, fields, field, text) => {
    const errors = await rejection({ email: 'ann@example.com', ...fields });
    expect(errors).toEqual({ [field]: [typeof text === 'string' ? text : expect.stringMatching(text)] });
    expect(await members()).toEqual([]);
  });

  it('has the key __proto__', async () => {
    const { body } = await stack.fetchJson('POST', `/api/v1/email-lists/${list.id}/members`, {
      headers: { authorization: `Bearer ${list.apiToken}`, 'content-type': 'application/json' },
      body: '{"members": [{"email": "ann@example.com", "__proto__": {"is_subscribed": false}}, {"email": "ben@example.com", "d": 1e999}]}',
    });
    const results = body.results.map(({ status, errors }: { status: string; errors: object }) => [
      status,
      Object.keys(errors),
    ]);
    expect(results).toEqual([
      ['rejected', ['__proto__']],
      ['rejected', ['d']],
    ]);
    expect(await members()).toEqual([]);
  });

  it('has more keys than allowed, together with those that are stored', async () => {
    await list.send([{ email: 'ann@example.com', ...keysFrom(0, 40) }]);
    expect(await rejection({ email: 'ann@example.com', ...keysFrom(40, 11) })).toEqual({
      metadata: ['At most 50 keys of metadata can be kept'],
    });
  });

  it('has an address that is in the call twice; the first counts', async () => {
    const { body } = await list.send([
      { email: 'ann@example.com', plan: 'basic' },
      { email: 'ANN@example.com', plan: 'pro' },
    ]);
    expect(body.results).toEqual([
      { index: 0, email: 'ann@example.com', status: 'created' },
      {
        index: 1,
        email: 'ann@example.com',
        status: 'rejected',
        errors: { email: ['This address is in the call twice: see row 0'] },
      },
    ]);
  });

  it('has a hundred faults, and the answer tells twenty of them', async () => {
    const faults = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${at}/${'k'.repeat(90)}`, 1]));
    const good = Array.from({ length: 99 }, (_, at) => ({ email: `m${at}@example.com` }));
    const { body } = await list.send([{ email: 'ann@example.com', ...faults }, ...good]);
    const [{ errors }, ...others] = body.results;
    expect([Object.keys(errors).length, errors['…']]).toEqual([21, ['and 80 more']]);
    expect(others.filter(({ status }: { status: string }) => status === 'created')).toHaveLength(99);
    expect(JSON.stringify(body).length).toBeLessThan(20_000);
  });
});

describe('What is stored', () => {
  it('is text where a date is not in ISO 8601, with a warning at each such field', async () => {
    const ann = { email: 'ann@example.com', signed_up: '11/22/2026', born: '03/04/1990' };
    const warnings = {
      signed_up: ['11/22/2026 is not read as a date. Write 2026-11-22.'],
      born: ['03/04/1990 is not read as a date. Write 1990-03-04 or 1990-04-03.'],
    };
    const ben = { email: 'ben@example.com', signed_up: '2026-11-22' };
    for (const status of ['created', 'unchanged']) {
      expect((await list.send([{ ...ann, version: '1.2.3' }, ben])).body.results).toEqual([
        { index: 0, email: ann.email, status, warnings },
        { index: 1, email: ben.email, status },
      ]);
    }
    expect(await columns()).toEqual({ columns: ['signed_up'], stats: { signed_up: 1 } });
    const [{ id }] = await members();
    const { body } = await call('GET /api/list-members/{listMember}', {
      ...as(),
      params: { listMember: id },
    });
    expect(body.metadata).toContainEqual({ key: 'signed_up', type: 'string', value: '11/22/2026' });
  });
});

describe('The public API', () => {
  it('lists the lists of the organization', async () => {
    const { body } = await call('GET /api/v1/email-lists', { token: list.apiToken });
    expect(body).toContainEqual({
      id: list.id,
      name: 'Readers',
      domain: 'example.com',
      active: true,
      members_count: 0,
      public_name: null,
    });
  });

  it('limits the calls of an organization, and says when to retry', async () => {
    const ask = () => call('GET /api/v1/email-lists', { token: list.apiToken });
    const { body: clock } = await stack.fetchJson('GET', '/_local/clock');
    const window = Math.floor(new Date(clock.now).getTime() / 10_000) * 10_000;
    // Also of the next ten seconds, which may begin meanwhile.
    for (const begin of [window, window + 10_000]) {
      await put(stack, { PK: `RATE#${owner.home.id}`, SK: new Date(begin).toISOString(), calls: 80 });
    }
    const refused = await ask();
    expect([refused.status, refused.body.message]).toEqual([429, expect.stringContaining('80 calls')]);
    const retryAfter = Number(refused.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(10);
    expect((await call('GET /api/email-lists/{list}', as())).status).toBe(200);
    await stack.advance(21, { outage: true });
    expect((await ask()).status).toBe(200);
  });
});
