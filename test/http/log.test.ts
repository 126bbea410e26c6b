import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import type { RouteTable } from '#shared/route.ts';

const routes = {
  'GET /api/things/{token}': {
    id: 'read',
    permission: 'public',
    query: z.object({ search: z.optional(z.string()) }),
    summary: '',
  },
} as const satisfies RouteTable;

const lines: string[] = [];
let call: (fails: () => never) => Promise<void>;

beforeAll(async () => {
  vi.resetModules();
  vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'INFO');
  const { serve } = await import('#functions/http/serve.ts');
  vi.spyOn(process.stderr, 'write').mockImplementation(text => lines.push(String(text)) > 0);
  call = async fails => {
    const handler = serve(routes, { 'GET /api/things/{token}': async () => fails() });
    const event = {
      routeKey: 'GET /api/things/{token}',
      headers: {},
      pathParameters: { token: 'my token' },
      queryStringParameters: { search: 'anna' },
    };
    await handler(event as never, {} as Context);
  };
});
afterAll(() => vi.unstubAllEnvs());

it('the log has the words and the place of an unexpected error, and nothing that the request named', async () => {
  await call(() => {
    const cause = new Error('anna@example.com is known');
    throw new RangeError('No my token for anna: code ABC234', { cause });
  });
  const { level, message, route, error } = JSON.parse(lines.pop() ?? '');
  expect({ level, message, route }).toEqual({
    level: 'ERROR',
    message: 'request failed',
    route: 'GET /api/things/{token}',
  });
  expect(error).toMatchObject({
    name: 'RangeError',
    message: 'No [hidden] for [hidden]: code [code]',
    stack: expect.stringContaining('log.test.ts'),
    cause: { name: 'Error', message: '[address] is known' },
  });
  expect(lines).toEqual([]);
});
