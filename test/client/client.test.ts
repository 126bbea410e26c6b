import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { transformSync } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { operationsModule } from '../../bin/client.ts';
import { type Client, createClient, LetterflowError } from '../../client/index.ts';

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });

/** A client, and the requests that it makes; each is answered by the next answer, the last one again and again. */
function clientOf(...answers: (() => Response)[]) {
  const requests: Request[] = [];
  const fetch = async (url: URL, init: RequestInit) => {
    requests.push(new Request(url, init));
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    if (!answer) throw new TypeError('fetch failed');
    return answer();
  };
  const options = { token: 'lf_token', url: 'https://app.example.com', organization: 7 };
  return { client: createClient({ ...options, fetch }), requests };
}

const MEMBERS = { list: 'a/b', body: { members: [{ email: 'ada@example.com', plan: 'team' }] } };
const keysOf = (requests: Request[]) =>
  new Set(requests.map(({ headers }) => headers.get('idempotency-key')));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('The client', () => {
  it('is written from the OpenAPI document', async () => {
    await expect(operationsModule()).toMatchFileSnapshot('../../client/operations.ts');
  });

  it('calls with token, organization, path and body', async () => {
    const { client, requests } = clientOf(() => json(200, { results: [] }));
    expect(await client.upsertListMembers(MEMBERS)).toEqual({ results: [] });
    const [request] = requests as [Request];
    expect([request.method, request.url]).toEqual([
      'POST',
      'https://app.example.com/api/v1/email-lists/a%2Fb/members',
    ]);
    expect(Object.fromEntries(request.headers)).toEqual({
      authorization: 'Bearer lf_token',
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/^[\w-]{36}$/),
      'x-active-organization': '7',
    });
    expect(await request.json()).toEqual(MEMBERS.body);
  });

  it('sends what is left out of a query not at all, and all else as it is', async () => {
    const { client, requests } = clientOf(() => json(200, []));
    await client.listAutomations({ page: 0 });
    await client.listAutomations({ page: undefined } as object);
    expect(requests.map(({ url }) => new URL(url).search)).toEqual(['?page=0', '']);
  });

  it.each(['', '.', '..', undefined])('calls nothing else where an id is %j', async list => {
    const { client, requests } = clientOf(() => json(200, {}));
    const call = client.updateEmailListLook({ list: list as string, body: { look: null } });
    await expect(call).rejects.toThrow('list must be an id');
    expect(requests).toEqual([]);
  });

  it('follows no redirect, which would take token and people to another address', async () => {
    const { client, requests } = clientOf(() => json(200, { results: [] }));
    await client.upsertListMembers(MEMBERS);
    expect(requests[0]?.redirect).toBe('error');
  });

  it('throws the texts of what was refused, at once', async () => {
    const errors = { members: ['Send at least one member'] };
    const { client, requests } = clientOf(() => json(422, { message: 'Not valid', errors }));
    const error = await client.upsertListMembers(MEMBERS).catch(error => error);
    expect(error).toBeInstanceOf(LetterflowError);
    expect(error).toMatchObject({ status: 422, message: 'Not valid', errors });
    expect(requests).toHaveLength(1);
  });

  it('waits as long as it is told, and calls again with the same key', async () => {
    const later = () => json(429, { message: 'Too many' }, { 'retry-after': '7' });
    const { client, requests } = clientOf(later, () => json(200, { results: [] }));
    const answer = client.upsertListMembers({ ...MEMBERS, idempotencyKey: 'mine' });
    await vi.advanceTimersByTimeAsync(6_999);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await answer).toEqual({ results: [] });
    expect(keysOf(requests)).toEqual(new Set(['mine']));
  });

  it('makes a call again that is still under way, and no other one that meets a conflict', async () => {
    const { client, requests } = clientOf(
      () => json(409, { message: 'Still being answered' }, { 'retry-after': '1' }),
      () => json(200, { results: [] }),
      () => json(409, { message: 'Changed meanwhile' }),
    );
    const answer = client.upsertListMembers(MEMBERS);
    await vi.runAllTimersAsync();
    expect(await answer).toEqual({ results: [] });
    expect(keysOf(requests).size).toBe(1);
    await expect(client.upsertListMembers(MEMBERS)).rejects.toMatchObject({ status: 409 });
    expect(requests).toHaveLength(3);
  });

  it.each<[method: string, call: (client: Client) => Promise<unknown>]>([
    ['POST', client => client.upsertListMembers(MEMBERS)],
    ['PUT', client => client.updateAutomation({ automation: 'a1', body: {} })],
    ['DELETE', client => client.deleteAutomation({ automation: 'a1' })],
  ])('makes a %s again of which the answer was lost, twice at most, with the same key', async (_, call) => {
    const { client, requests } = clientOf();
    const answer = call(client).catch(error => error);
    await vi.runAllTimersAsync();
    expect(await answer).toMatchObject({ message: 'fetch failed' });
    expect(requests).toHaveLength(3);
    expect([...keysOf(requests)]).toEqual([expect.any(String)]);
  });

  it('says the status of an answer that is no JSON', async () => {
    const { client } = clientOf(() => new Response('<html>', { status: 502 }));
    const answer = client.listEmailListsByToken().catch(error => error);
    await vi.runAllTimersAsync();
    expect(await answer).toMatchObject({ status: 502, message: 'The API answered with 502.' });
  });

  it('is over at once when it is aborted under way', async () => {
    const controller = new AbortController();
    const { client, requests } = clientOf(() => {
      controller.abort();
      throw controller.signal.reason;
    });
    const answer = client.listEmailListsByToken({ signal: controller.signal }).catch(error => error);
    await vi.advanceTimersByTimeAsync(0);
    expect(await Promise.race([answer, 'waits'])).toMatchObject({ name: 'AbortError' });
    expect(requests).toHaveLength(1);
  });

  it('stops waiting when it is aborted', async () => {
    const { client, requests } = clientOf(() => json(429, {}));
    const controller = new AbortController();
    const answer = client.listEmailListsByToken({ signal: controller.signal }).catch(error => error);
    await vi.advanceTimersByTimeAsync(500);
    controller.abort();
    expect(await answer).toMatchObject({ name: 'AbortError' });
    expect(requests).toHaveLength(1);
  });

  it('has at most 10 KB, compressed, and needs no package', () => {
    expect(JSON.parse(readFileSync('client/package.json', 'utf8'))).not.toHaveProperty('dependencies');
    const code = ['index', 'operations'].map(name => readFileSync(`client/${name}.ts`, 'utf8'));
    const scripts = code.map(text => transformSync(text, { loader: 'ts' }).code);
    expect(gzipSync(scripts.join('\n')).length).toBeLessThanOrEqual(10_000);
  });
});

it('every block of its documentation is a region of the example that is compiled', () => {
  const example = readFileSync('client/example.ts', 'utf8');
  const regions = [...example.matchAll(/^\/\/ region \w+\n(.*?)\n\/\/ endregion$/gms)].map(
    ([, code]) => code,
  );
  const blocks = [...readFileSync('docs/client.md', 'utf8').matchAll(/^```ts\n(.*?)\n```$/gms)];
  expect(blocks.map(([, code]) => code).sort()).toEqual(regions.sort());
});
