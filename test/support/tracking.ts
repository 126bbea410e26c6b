import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { vi } from 'vitest';
import { keyFor, type Purpose, sign, type Token } from '#core/recipient/tracking.ts';
import type { Table } from '#core/storage/table.store.ts';
import { BROWSER } from './mail.ts';

const KEY = 'a key that signs';
const CLOUDFRONT = '203.0.113.200';

type Call = {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  base64?: boolean;
  ip?: string;
};
type Handler = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

export const signed = <P extends Purpose>(purpose: P, token: Token<P>, key = KEY) =>
  sign(key, purpose, token);

/** The same, on a domain of a list. */
export const signedFor = <P extends Purpose>(domain: string, purpose: P, token: Token<P>) =>
  sign(keyFor(KEY, domain), purpose, token);

export async function trackingHandlers(given: { table: Table; now: Date; secret?: () => Promise<string> }) {
  vi.resetModules();
  vi.doMock('#functions/platform/table.ts', () => ({
    table: {
      name: given.table.name,
      get client() {
        return given.table.client;
      },
    },
  }));
  vi.doMock('#functions/platform/runtime.ts', async original => ({
    ...(await original<object>()),
    now: () => given.now,
  }));
  vi.doMock('#functions/platform/secrets.ts', () => ({ secret: given.secret ?? (async () => KEY) }));
  vi.stubEnv('TRACKING_KEY_SECRET', 'tracking-key');
  vi.stubEnv('EARLIEST_VISIT', '5');
  const call =
    (handler: Handler) =>
    async (
      token: string,
      { method = 'GET', headers = {}, body, base64 = false, ip = '198.51.100.7' }: Call = {},
    ) =>
      handler({
        version: '2.0',
        rawQueryString: 'url=https://evil.test&u=https://evil.test',
        queryStringParameters: { url: 'https://evil.test', u: 'https://evil.test' },
        headers: { 'user-agent': BROWSER, 'x-forwarded-for': `${ip},${CLOUDFRONT}`, ...headers },
        pathParameters: { token },
        requestContext: { http: { method, sourceIp: CLOUDFRONT } },
        isBase64Encoded: base64,
        ...(body !== undefined && { body: base64 ? Buffer.from(body).toString('base64') : body }),
      } as unknown as APIGatewayProxyEventV2);
  const [open, click, unsubscribe] = await Promise.all([
    import('#functions/tracking/open.ts'),
    import('#functions/tracking/click.ts'),
    import('#functions/tracking/unsubscribe.ts'),
  ]);
  for (const mocked of ['table', 'clock', 'secrets']) vi.doUnmock(`../../functions/platform/${mocked}.ts`);
  return { open: call(open.handler), click: call(click.handler), unsubscribe: call(unsubscribe.handler) };
}
