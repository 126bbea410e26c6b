import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { api } from '#web/lib/api.ts';
import { download, type Progress } from '#web/lib/download.ts';
import { onRefusal } from '#web/lib/organization.ts';
import { Problem, TOO_SLOW, UNREACHABLE, UNREADABLE } from '#web/lib/problem.ts';
import { browserGlobals } from './browser-globals.ts';

type Sent = { url: string; method: string; headers: Record<string, string>; body: unknown };

beforeEach(() => void browserGlobals());
afterEach(() => vi.unstubAllGlobals());

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

it('a call sends token and body, and returns the parsed response', async () => {
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

it('a call names the organization only if it is about one', async () => {
  browserGlobals({ token: 'secret', activeOrganizationId: '7' });
  const sent = answering(200, '[]');
  await api('GET /api/organizations');
  await api('GET /api/organizations', { organization: 7 });
  expect(sent.map(({ headers }) => headers['x-active-organization'])).toEqual([undefined, '7']);
});

it('a parameter in the path stays one part of it, whatever it contains', async () => {
  browserGlobals({ token: 'secret' });
  const sent = answering(204, null);
  expect(await api('DELETE /api/user/sessions/{id}', { params: { id: 'a/../b?c' } })).toBeUndefined();
  expect(sent[0]?.url).toBe('/api/user/sessions/a%2F..%2Fb%3Fc');
});

it('a failed response carries its message and its fields', async () => {
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
  ['the words of a gateway', 503, '{"message":"Service Unavailable"}'],
])('an answer with %s becomes a message', async (_, status, body) => {
  answering(status, body);
  expect((await problemOf(api('GET /api/user'))).message).toBe(UNREADABLE);
});

it('a server that cannot be reached, and one that takes too long, become messages', async () => {
  failing(new TypeError('Failed to fetch'));
  expect((await problemOf(api('GET /api/user'))).message).toBe(UNREACHABLE);
  failing(new DOMException('The operation timed out.', 'TimeoutError'));
  expect((await problemOf(api('GET /api/user'))).message).toBe(TOO_SLOW);
});

it('401 clears the session and goes to /login, which leads back', async () => {
  const { storage, visited } = browserGlobals({
    token: 'old',
    activeOrganizationId: '7',
    sidebarCollapsed: 'true',
    theme: 'dark',
    membersPageSize: '50',
    membersColumns: '{}',
  });
  answering(401, '{"message":"Please sign in."}');
  void api('GET /api/user');
  await expect.poll(() => visited).toEqual(['/login?redirect=/profile#expired']);
  expect([...storage.keys()]).toEqual(['sidebarCollapsed', 'theme', 'membersPageSize', 'membersColumns']);
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
  await expect.poll(() => visited).toEqual(['/login?redirect=/invitations/accept/a-b#expired']);
});

it.each([
  [403, { organization: 7 }, 1],
  [404, { organization: 7 }, 1],
  [422, { organization: 7 }, 0],
  [403, {}, 0],
  [404, { organization: 7, isRefusalExpected: true }, 0],
])('%i to a call with %j emits %i refusals', async (status, input, refusals) => {
  answering(status, '{"message":"No"}');
  let heard = 0;
  const stop = onRefusal(() => {
    heard += 1;
  });
  await problemOf(api('GET /api/email-lists', input));
  stop();
  expect(heard).toBe(refusals);
});

async function served(listen: RequestListener) {
  const server = createServer(listen);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init));
}

it('a call is given up after its timeout', async () => {
  await served(() => undefined);
  const problem = await problemOf(api('GET /api/user', { timeout: 20 }));
  expect(problem.message).toBe(TOO_SLOW);
});

it('a call is given up when its answer does not end', async () => {
  await served((_, response) => response.writeHead(200).write('{"name":'));
  expect((await problemOf(api('GET /api/user', { timeout: 50 }))).message).toBe(TOO_SLOW);
});

it('a call that its caller aborts fails at once', async () => {
  const caller = new AbortController();
  await served(() => caller.abort());
  expect((await problemOf(api('GET /api/user', { signal: caller.signal }))).message).toBe(UNREACHABLE);
});

const LISTS = 'GET /api/email-lists';

it('a download is a file with the name and type of the response, and tells how much has come', async () => {
  browserGlobals({ token: 'secret' });
  await served((request, response) => {
    response.writeHead(200, {
      'content-type': 'text/csv',
      'content-disposition': 'attachment; filename="report_2026-11-01.csv"',
      'content-length': 10,
    });
    response.write(request.headers.authorization?.slice(-6));
    response.end(request.headers['x-active-organization']);
  });
  const seen: Progress[] = [];
  const file = await download(LISTS, { organization: 1234 }, { onProgress: one => seen.push(one) });
  expect(file).toMatchObject({ name: 'report_2026-11-01.csv', type: 'text/csv', size: 10 });
  expect(await file.text()).toBe('secret1234');
  expect(seen.at(-1)).toEqual({ loaded: 10, total: 10 });
});

it('the name of a download is no path', async () => {
  const disposition = 'attachment; filename="../../.profile"';
  await served((_, response) => response.writeHead(200, { 'content-disposition': disposition }).end('x'));
  expect((await download(LISTS, {})).name).toBe('.profile');
});

it('a download fails like any other call', async () => {
  await served((_, response) => response.writeHead(403).end('{"message":"Not yours"}'));
  expect(await problemOf(download(LISTS, {}))).toMatchObject({ status: 403, message: 'Not yours' });
});

it('a download may take longer than its timeout, but not without any part of it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let body: ReadableStreamDefaultController<Uint8Array> | undefined;
  vi.stubGlobal('fetch', async (_: string, { signal }: { signal: AbortSignal }) => {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        body = controller;
      },
    });
    signal.addEventListener('abort', () => body?.error(signal.reason));
    return new Response(stream);
  });
  const loaded: number[] = [];
  const onProgress = (one: Progress) => void loaded.push(one.loaded);
  const problem = problemOf(download(LISTS, { timeout: 250 }, { onProgress }));
  await vi.advanceTimersByTimeAsync(0);
  for (let part = 1; part <= 3; part++) {
    body?.enqueue(new Uint8Array(4));
    await vi.advanceTimersByTimeAsync(200);
  }
  expect(loaded).toEqual([4, 8, 12]);
  await vi.advanceTimersByTimeAsync(50);
  expect((await problem).message).toBe(TOO_SLOW);
});

it('a download that is too large is given up before it is there', async () => {
  await served((_, response) =>
    response.writeHead(200, { 'content-length': 101 * 1024 * 1024 }).write('first'),
  );
  expect((await problemOf(download(LISTS, {}))).message).toBe('The file is too large to be downloaded here.');
});

it('a download can be stopped', async () => {
  const caller = new AbortController();
  await served((_, response) => response.writeHead(200).write('first'));
  const stopped = download(LISTS, { signal: caller.signal }, { onProgress: () => caller.abort() });
  expect((await problemOf(stopped)).message).toBe(UNREACHABLE);
});
