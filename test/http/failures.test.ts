import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import type { RouteTable } from '#shared/route.ts';
import { freshTable } from '../support/engine.ts';
import { intercepted } from '../support/intercepted.ts';

const table = freshTable();
let requests = 0;
const counting = intercepted(table, send => {
  requests++;
  return send();
});

const routes = {
  'GET /api/things': {
    id: 'read',
    permission: 'public',
    answer: z.object({ name: z.string() }),
    summary: '',
  },
  'DELETE /api/things': { id: 'remove', permission: 'public', summary: '' },
  'GET /api/mine': { id: 'readMine', permission: 'session', summary: '' },
  'GET /api/v1/mine': { id: 'readByToken', permission: 'lists:read', credential: 'token', summary: '' },
} as const satisfies RouteTable;

afterAll(() => vi.unstubAllEnvs());

type Answer = { status: number | undefined; headers: Record<string, unknown>; text: string };
const logged: string[] = [];
let call: (routeKey: keyof typeof routes, error?: Error, authorization?: string) => Promise<Answer>;

beforeAll(async () => {
  vi.resetModules();
  vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'ERROR');
  vi.spyOn(process.stderr, 'write').mockImplementation(text => logged.push(String(text)) > 0);
  vi.doMock('#functions/platform/table.ts', () => ({ table: counting }));
  const { serve } = await import('#functions/http/serve.ts');
  call = async (routeKey, error, authorization) => {
    const act = async () => {
      if (error) throw error;
      return { name: 'thing' };
    };
    const handler = serve(routes, {
      'GET /api/things': act,
      'DELETE /api/things': act,
      'GET /api/mine': act,
      'GET /api/v1/mine': act,
    });
    const event = { routeKey, headers: authorization === undefined ? {} : { authorization } };
    const response = (await handler(event as never, {} as Context)) as APIGatewayProxyStructuredResultV2;
    return { status: response.statusCode, headers: response.headers ?? {}, text: response.body ?? '' };
  };
});

/** Of the class that the functions of this test know. */
async function refusal(): Promise<Error> {
  const { Refusal } = await import('#core/refusal.ts');
  return new Refusal('too-many', 'Later', { retryAfter: 7 });
}

const named = (name: string) => Object.assign(new Error('anna@example.com is 7 years old'), { name });

describe('an error that is not the caller’s', () => {
  it.each(['Error', 'TypeError', 'ValidationException', 'AccessDeniedException', 'ConditionFailed'])(
    'is 500 without its words: %s',
    async name => {
      const { status, text } = await call('GET /api/things', named(name));
      expect([status, JSON.parse(text)]).toEqual([
        500,
        { message: 'Something went wrong on our side. Please try again.' },
      ]);
    },
  );

  it.each([
    'ThrottlingException',
    'ProvisionedThroughputExceededException',
    'RequestLimitExceeded',
    'TransactionConflictException',
    'TransactionContended',
  ])('is 429 where the table is overloaded, with when to try again: %s', async name => {
    const { status, headers, text } = await call('GET /api/things', named(name));
    expect([status, headers['retry-after'], JSON.parse(text)]).toEqual([
      429,
      '1',
      { message: 'Too much is going on at once. Please try again.' },
    ]);
  });
});

it('the log of an error names the route, and no address or secret of the error', async () => {
  logged.length = 0;
  const secret = 'x'.repeat(43);
  const error = Object.assign(new Error(`anna@example.com has ${secret}`), { email: 'ben@example.com' });
  await call('GET /api/things', Object.assign(error, { cause: new Error('carl@example.com') }));
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain('GET /api/things');
  expect(logged[0]).not.toMatch(new RegExp(`@example\\.com|${secret}`));
});

it('no answer may be kept by a browser or on the way to it', async () => {
  const answers = await Promise.all([
    call('GET /api/things'),
    call('DELETE /api/things'),
    call('GET /api/mine'),
    call('GET /api/things', await refusal()),
    call('GET /api/things', named('Error')),
    call('GET /api/things', named('TransactionContended')),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 204, 401, 429, 500, 429]);
  expect(answers[3]?.headers['retry-after']).toBe('7');
  for (const { headers } of answers) expect(headers['cache-control']).toBe('no-store');
});

describe.each(['GET /api/mine', 'GET /api/v1/mine'] as const)('%s', key => {
  it.each([
    ['a longer secret than any', `Bearer ${'x'.repeat(101)}`],
    ['characters that no secret has', 'Bearer a/b+c='],
    ['a space', 'Bearer abc def'],
    ['another scheme', `Basic ${'x'.repeat(43)}`],
    ['no secret', 'Bearer '],
  ])('is 401 without a request to the table for %s', async (_, authorization) => {
    requests = 0;
    expect((await call(key, undefined, authorization)).status).toBe(401);
    expect(requests).toBe(0);
  });

  it('looks for a secret of any length that one may have', async () => {
    requests = 0;
    expect((await call(key, undefined, `bearer ${'x'.repeat(100)}`)).status).toBe(401);
    expect(requests).toBe(1);
  });
});
