import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { beforeAll, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import type { RouteTable } from '#shared/route.ts';

const LONG = 'Wörter '.repeat(1_000);
const answer = z.object({ text: z.string() });
const routes = {
  'GET /api/long': { id: 'long', permission: 'public', answer, summary: '' },
  'GET /api/short': { id: 'short', permission: 'public', answer, summary: '' },
} as const satisfies RouteTable;

let get: (path: string, accepted?: string) => Promise<APIGatewayProxyStructuredResultV2>;
beforeAll(async () => {
  vi.resetModules();
  const { serve } = await import('#functions/http/serve.ts');
  const handler = serve(routes, {
    'GET /api/long': async () => ({ text: LONG }),
    'GET /api/short': async () => ({ text: 'short' }),
  });
  get = async (path, accepted) =>
    (await handler(
      {
        routeKey: `GET ${path}`,
        headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
      } as never,
      {} as Context,
    )) as APIGatewayProxyStructuredResultV2;
});

it.each(['gzip', 'gzip, deflate, br, zstd', 'br;q=1.0, gzip;q=0.8', 'GZIP'])(
  'a long answer is compressed for who accepts %s, and may not be kept all the same',
  async accepted => {
    const { headers, body = '', isBase64Encoded } = await get('/api/long', accepted);
    expect(headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'accept-encoding',
      'cache-control': 'no-store',
    });
    expect(isBase64Encoded).toBe(true);
    expect(body.length).toBeLessThan(LONG.length / 10);
    expect(JSON.parse(gunzipSync(Buffer.from(body, 'base64')).toString())).toEqual({ text: LONG });
  },
);

it.each([
  ['/api/long', undefined],
  ['/api/long', 'br'],
  ['/api/long', 'gzip;q=0, br'],
  ['/api/long', 'br, gzip; q=0.000'],
  ['/api/long', 'gzipped'],
  ['/api/short', 'gzip'],
])('%s is not compressed for who accepts %s', async (path, accepted) => {
  const { headers, body = '', isBase64Encoded } = await get(path, accepted);
  expect(headers).not.toHaveProperty('content-encoding');
  expect(isBase64Encoded).toBeFalsy();
  expect(JSON.parse(body)).toHaveProperty('text');
});
