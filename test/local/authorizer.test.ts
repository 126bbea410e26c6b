import { describe, expect, it } from 'vitest';
import { createAuthorizer } from '#local/gateway/authorizer.ts';

describe('The authorizer alone', () => {
  const REQUEST = { method: 'GET', path: '/', query: '', sourceIp: '127.0.0.1', body: Buffer.alloc(0) };
  const PLACE = { apiId: 'api', region: 'eu-central-1', routeKey: 'GET /', now: new Date(), offset: 0 };
  const statusOf = async (key: string, result: unknown) => {
    const pool = {
      entry: 'origin.ts',
      invoke: async () => ({ requestId: '1', result: JSON.stringify(result) }),
    };
    const settings = { IdentitySource: ['$request.header.X-Key'], AuthorizerResultTtlInSeconds: 1 };
    const authorize = createAuthorizer(settings as Parameters<typeof createAuthorizer>[0], pool as never);
    return (await authorize({ ...REQUEST, headers: { 'x-key': key } }, PLACE, {}))?.status;
  };

  it('lets a request pass, or refuses it', async () => {
    expect(await statusOf('key', { isAuthorized: true })).toBeUndefined();
    expect(await statusOf('key', { isAuthorized: false })).toBe(403);
    expect(await statusOf('', { isAuthorized: true })).toBe(401);
    expect(await statusOf('key', { isAuthorized: 'yes' })).toBe(500);
  });
});
