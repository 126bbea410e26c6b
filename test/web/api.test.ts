import { afterEach, expect, it, vi } from 'vitest';
import { api } from '../../web/src/lib/api.ts';
import { onRefusal } from '../../web/src/lib/organization.ts';
import { Problem, TOO_SLOW, UNREACHABLE, UNREADABLE } from '../../web/src/lib/problem.ts';
import { browserGlobals } from './browser-globals.ts';

type Sent = { url: string; method: string; headers: Record<string, string>; body: unknown };

afterEach(() => vi.unstubAllGlobals());

/** A server that answers every request alike; returns the requests. */
function answering(status: number, body: string | null): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', async (url: string, { method, headers, body: written }: RequestInit) => {
    const text = typeof written === 'string' ? JSON.parse(written) : undefined;
    sent.push({ url, method: method ?? '', headers: headers as Record<string, string>, body: text });
    return new Response(body, { status });
  });
  return sent;
}

const failing = (error: Error) => vi.stubGlobal('fetch', () => Promise.reject(error));

const problemOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('The call should have failed'),
    (error: Problem) => error,
  );

it('sends token and body, and answers the parsed response', async () => {
  browserGlobals({ token: 'secret' });
  const sent = answering(200, '{"message":"sent"}');
  expect(await api('POST /api/login/request', { body: { email: 'a@example.com' } })).toEqual({
    message: 'sent',
  });
  expect(sent).toEqual([
    {
      url: '/api/login/request',
      method: 'POST',
      headers: {
        accept: 'application/json',
        authorization: 'Bearer secret',
        'content-type': 'application/json',
      },
      body: { email: 'a@example.com' },
    },
  ]);
});

it('names the organization only in calls that are about one', async () => {
  browserGlobals({ token: 'secret', activeOrganizationId: '7' });
  const sent = answering(200, '[]');
  await api('GET /api/organizations');
  await api('GET /api/organizations', { organization: 7 });
  expect(sent.map(({ headers }) => headers['x-active-organization'])).toEqual([undefined, '7']);
});

it('puts parameters into the path so that they stay one part of it', async () => {
  browserGlobals({ token: 'secret' });
  const sent = answering(204, null);
  expect(await api('DELETE /api/user/sessions/{id}', { params: { id: 'a/../b?c' } })).toBeUndefined();
  expect(sent[0]?.url).toBe('/api/user/sessions/a%2F..%2Fb%3Fc');
});

it('a failed response carries its message and its fields', async () => {
  browserGlobals();
  answering(422, '{"message":"Invalid","errors":{"email":["Taken"]}}');
  const problem = await problemOf(api('POST /api/login/request', { body: { email: '' } }));
  expect(problem).toBeInstanceOf(Problem);
  expect(problem).toMatchObject({ status: 422, message: 'Invalid', fields: { email: ['Taken'] } });
});

it.each([
  ['HTML instead of JSON', 200, '<!doctype html><title>Hello</title>'],
  ['an empty body', 200, ''],
  ['an HTML error page', 502, '<html>Bad gateway</html>'],
  ['an empty error', 500, ''],
  ['an error that is no object', 500, '"no"'],
  ['an error without a message', 500, '{}'],
])('%s becomes a message', async (_, status, body) => {
  browserGlobals();
  answering(status, body);
  expect((await problemOf(api('GET /api/user'))).message).toBe(UNREADABLE);
});

it('a server that cannot be reached, and one that takes too long, become messages', async () => {
  browserGlobals();
  failing(new TypeError('Failed to fetch'));
  expect((await problemOf(api('GET /api/user'))).message).toBe(UNREACHABLE);
  failing(new DOMException('The operation timed out.', 'TimeoutError'));
  expect((await problemOf(api('GET /api/user'))).message).toBe(TOO_SLOW);
});

it('401 clears the session and goes to /login', async () => {
  const { storage, visited } = browserGlobals({
    token: 'old',
    activeOrganizationId: '7',
    sidebarCollapsed: 'true',
    membersPageSize: '50',
    membersColumns: '{}',
  });
  answering(401, '{"message":"Please sign in."}');
  void api('GET /api/user');
  await expect.poll(() => visited).toEqual(['/login']);
  expect([...storage.keys()]).toEqual(['sidebarCollapsed', 'membersPageSize', 'membersColumns']);
});

it('401 on /login is a message there', async () => {
  const { visited } = browserGlobals({}, '/login');
  answering(401, '{"message":"No"}');
  expect((await problemOf(api('GET /api/user'))).message).toBe('No');
  expect(visited).toEqual([]);
});

it('401 on the page of an invitation leads back to it after signing in', async () => {
  const { visited } = browserGlobals({ token: 'old' }, '/invitations/accept/a-b');
  answering(401, '{"message":"Please sign in."}');
  void api('GET /api/user');
  await expect.poll(() => visited).toEqual(['/login?redirect=/invitations/accept/a-b']);
});

it.each([
  [403, { organization: 7 }, 1],
  [404, { organization: 7 }, 1],
  [422, { organization: 7 }, 0],
  [403, {}, 0],
  [404, { organization: 7, isRefusalExpected: true }, 0],
])('%i to a call with %j emits %i refusals', async (status, input, refusals) => {
  browserGlobals();
  answering(status, '{"message":"No"}');
  let heard = 0;
  const stop = onRefusal(() => {
    heard += 1;
  });
  await problemOf(api('GET /api/email-lists', input));
  stop();
  expect(heard).toBe(refusals);
});
