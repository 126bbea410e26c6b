import { afterEach, expect, it, vi } from 'vitest';
import { mailgun } from '#functions/providers/mailgun/mailgun.ts';
import { freePort } from '#local/server.ts';
import { answering } from '../support/answering.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

function probe(url: string) {
  vi.stubEnv('MAILGUN_EU_URL', url);
  return mailgun.probe({ organization: 1, key: 'key-one', domain: 'example.com', region: 'eu' });
}

it.each([
  [400, true],
  [401, false],
  [403, false],
  [404, false],
])('a sending key is tested by a message without a recipient: after %i, valid is %s', async (code, valid) => {
  const { url, asked } = await answering((_, response) => response.writeHead(code).end('Forbidden'));
  expect(await probe(url)).toMatchObject({ valid });
  expect(asked).toEqual(['/v3/example.com/messages']);
});

it.each([200, 429, 500, 503])('no verdict follows from the status %i', async code => {
  const { url } = await answering((_, response) => response.writeHead(code).end('{}'));
  expect(await probe(url)).toMatchObject({ valid: undefined });
});

it.each([301, 302, 307, 308])('the key is taken nowhere else: after a redirect with %i', async code => {
  const elsewhere = await answering((_, response) => response.writeHead(400).end());
  const { url, asked } = await answering((_, response) =>
    response.writeHead(code, { location: `${elsewhere.url}/v3/example.com/messages` }).end(),
  );
  expect(await probe(url)).toMatchObject({ valid: undefined });
  expect(asked).toHaveLength(1);
  expect(elsewhere.asked).toEqual([]);
});

it('a test of the connection ends where Mailgun never answers, before the function that waits for it does', async () => {
  const FUNCTION_TIMEOUT = 10_000;
  const waits: number[] = [];
  const { timeout } = AbortSignal;
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(ms => {
    waits.push(ms);
    return timeout.call(AbortSignal, 50);
  });
  const { url } = await answering(() => {});
  expect(await probe(url)).toMatchObject({ valid: undefined });
  expect(waits).toHaveLength(1);
  expect(waits[0]).toBeLessThan(FUNCTION_TIMEOUT);
});

it('no verdict follows where Mailgun cannot be reached', async () => {
  expect(await probe('http://127.0.0.1:1')).toMatchObject({ valid: undefined });
});

const section = { section: ['Hello'], values: [] };
const email = {
  subject: section,
  html: [section],
  text: [section],
  headers: {},
  to: 'a@example.com',
  from: 'b@example.com',
};

function post(url: string) {
  vi.stubEnv('MAILGUN_US_URL', url);
  const access = { organization: 1, key: 'key-one', domain: 'example.com', region: 'us' } as const;
  return mailgun.post(access, [email], async () => true);
}

it('what could not be connected was certainly not sent', async () => {
  expect(await post(`http://127.0.0.1:${await freePort()}`)).toEqual([
    { kind: 'not_sent', reason: 'unreachable', seconds: 0 },
  ]);
});

it('of an answer that is longer than any of Mailgun’s nothing is known, and not all of it is read', async () => {
  const { url } = await answering((_, response) =>
    response.writeHead(200).end(JSON.stringify({ id: 'one', more: 'x'.repeat(100_000) })),
  );
  expect(await post(url)).toEqual([{ kind: 'unknown' }]);
});

it.each<[string, Parameters<typeof answering>[0]]>([
  ['before the answer', request => request.socket.resetAndDestroy()],
  ['within the answer', (_, response) => void response.writeHead(200).write('{', () => response.destroy())],
])('what was connected, and broke off %s, may have been sent', async (_, answer) => {
  const { url } = await answering(answer);
  expect(await post(url)).toEqual([{ kind: 'unknown' }]);
});
