import { beforeAll, describe, expect, it } from 'vitest';
import { type Route, statusOf, twinKeyOf } from '#shared/route.ts';
import { type RouteKey, routes } from '#shared/routes.ts';
import type { ProgramKey } from '../support/client.ts';
import { apiStack } from '../support/handlers.ts';
import { newMember } from '../support/member.ts';
import { join } from '../support/organization.ts';
import { type Belongings, mutates, newBelongings, VALID } from '../support/valid-calls.ts';

const stack = apiStack();
const isOfPrograms = (key: RouteKey) => (routes[key] as Route).credential === 'token';
const WRITING = (Object.keys(routes) as RouteKey[]).filter(key => isOfPrograms(key) && mutates(key));
/** Some calls that the app has too. */
const TWINS: RouteKey[] = ['POST /api/list-members', 'POST /api/automations', 'PUT /api/sending-hours'];

let caller: Belongings;
beforeAll(async () => {
  caller = await newBelongings(stack);
});

it('there are such calls', () => {
  expect(WRITING).toEqual([
    'POST /api/v1/email-lists/{list}/members',
    'POST /api/v1/events',
    'POST /api/v1/value',
  ]);
});

describe.each([...WRITING, ...TWINS])('%s with an Idempotency-Key', route => {
  const key = (isOfPrograms(route) ? route : twinKeyOf(route)) as ProgramKey;
  const newCall = (name: string) => {
    const { body, ...rest } = VALID[route](caller.ids);
    return (more: object = {}) =>
      stack.call(key, {
        token: caller.apiToken,
        organization: caller.owner.home.id,
        ...rest,
        body: { ...(body as object), ...more },
        headers: { 'idempotency-key': `${name}-${routes[route].id}` },
      });
  };
  const done = statusOf(routes[route]);
  const isReplayed = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed') === 'true';

  it('is answered alike where it is repeated, and refused where its body is another one', async () => {
    const call = newCall('again');
    const [first, second, other] = [await call(), await call(), await call({ note: 'another' })];
    expect([first, second].map(({ status }) => status)).toEqual([done, done]);
    expect([second.text, isReplayed(first), isReplayed(second)]).toEqual([first.text, false, true]);
    expect([other.status, other.body]).toEqual([
      409,
      { message: 'This Idempotency-Key belongs to another call: use a new one for each.' },
    ]);
  });

  it('is done once where several come at once: the others get its answer, or are told to repeat it', async () => {
    const call = newCall('at-once');
    const all = await Promise.all(Array.from({ length: 6 }, () => call()));
    const answered = all.filter(({ status }) => status === done);
    expect(answered.filter(one => !isReplayed(one))).toHaveLength(1);
    expect(new Set(answered.map(({ text }) => text)).size).toBe(1);
    for (const { status, body, headers } of all.filter(one => !answered.includes(one))) {
      expect([status, headers.get('retry-after')]).toEqual([409, '1']);
      expect(body.message).toContain('still being answered');
    }
    expect((await call()).text).toBe(answered[0]?.text);
  });

  it('is kept by no refusal, such as of what is too large', async () => {
    const call = newCall('large');
    const large = await call({ note: 'x'.repeat(1024 * 1024) });
    expect([large.status, large.body.message]).toEqual([
      413,
      'The request is too large: at most 1 MB is accepted.',
    ]);
    expect((await call()).status).toBe(done);
  });
});

it('a deletion is answered alike where it is repeated with its key, and is one of nothing with another key', async () => {
  const as = { token: caller.apiToken, organization: caller.owner.home.id };
  const { body } = await stack.call('POST /api/v1/automations', { ...as, body: { name: 'for_a_while' } });
  const remove = (key: string) =>
    stack.call('DELETE /api/v1/automations/{automation}', {
      ...as,
      params: { automation: body.id },
      headers: { 'idempotency-key': key },
    });
  const [first, second] = [await remove('delete'), await remove('delete')];
  expect([first, second].map(({ status, text }) => [status, text])).toEqual([
    [204, ''],
    [204, ''],
  ]);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect((await remove('another')).status).toBe(404);
});

it('a key is that of its user: another user neither gets its answer nor takes the key away', async () => {
  const { ids, owner, apiToken } = caller;
  const other = await newMember(stack);
  await join(stack, owner, owner.home.id, other, 'USER');
  const body = { name: 'other', scopes: ['contacts'], expiration: null };
  const created = await stack.call('POST /api/tokens', {
    token: other.token,
    organization: owner.home.id,
    body,
  });
  const post = (token: string, email: string) =>
    stack.call('POST /api/v1/email-lists/{list}/members', {
      token,
      organization: owner.home.id,
      params: { list: ids.list ?? '' },
      body: { members: [{ email }] },
      headers: { 'idempotency-key': 'order-1001' },
    });
  const first = await post(created.body.token, 'taken@example.com');
  const own = await post(apiToken, 'own@example.com');
  const same = await post(apiToken, 'taken@example.com');
  expect([first, own, same].map(({ status }) => status)).toEqual([200, 200, 409]);
  expect(own.headers.get('idempotent-replayed')).toBe(null);
  expect((await post(created.body.token, 'taken@example.com')).text).toBe(first.text);
});

it('a read has its present answer, whatever its key', async () => {
  // The calls of a program are counted for ten seconds.
  await stack.advance(11, { outage: true });
  const { ids, owner, apiToken } = caller;
  const at = {
    token: apiToken,
    organization: owner.home.id,
    params: { list: ids.list ?? '' },
    headers: { 'idempotency-key': 'read' },
  };
  const read = () => stack.call('GET /api/v1/email-lists/{list}', at);
  expect((await read()).status).toBe(200);
  await stack.call('PUT /api/email-lists/{list}', {
    ...at,
    token: owner.token,
    body: { name: 'Renamed since' },
  });
  const again = await read();
  expect([again.body.name, again.headers.get('idempotent-replayed')]).toEqual(['Renamed since', null]);
});

it('a call with another query is another call', async () => {
  const key = 'POST /api/v1/automations/forecast';
  const { owner, apiToken, ids } = caller;
  const forecast = (query: Record<string, string>) =>
    stack.call(key, {
      token: apiToken,
      organization: owner.home.id,
      ...VALID['POST /api/automations/forecast'](ids),
      query,
      headers: { 'idempotency-key': 'forecast' },
    });
  const answers = [
    await forecast({}),
    await forecast({}),
    await forecast({ automation: ids.automation ?? '' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 409]);
});
