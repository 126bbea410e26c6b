import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { beforeAll, expect, it, vi } from 'vitest';
import { eventAbout, signed } from '../support/provider-event.ts';

const body = JSON.stringify({
  signature: signed('a key', new Date()),
  'event-data': eventAbout('1-AAAAAAAAAAAAAAAAAAAAAA-1', 'hard', { recipient: 'ann@example.com' }),
});
type Handler = typeof import('#functions/sending/provider-events.ts').handler;
let handler: Handler;
beforeAll(async () => {
  vi.resetModules();
  const send = async () => {
    throw new Error('The table does not answer');
  };
  vi.doMock('#functions/platform/table.ts', () => ({ table: { name: 'none', client: { send } } }));
  ({ handler } = await import('#functions/sending/provider-events.ts'));
  vi.doUnmock('../../functions/platform/table.ts');
});

const call = (more: object = {}) =>
  handler({
    pathParameters: { organization: '1', list: 'aaaaaaaaaaaa' },
    headers: { 'content-type': 'application/json' },
    body,
    ...more,
  } as unknown as APIGatewayProxyEventV2);

it('a failure of ours is one, so that the provider calls again', async () => {
  expect(await call()).toMatchObject({ statusCode: 500, headers: { 'cache-control': 'no-store' } });
});

it.each([
  [413, { body: 'x'.repeat(256 * 1024 + 1) }],
  [413, { body: Buffer.alloc(256 * 1024 + 1).toString('base64'), isBase64Encoded: true }],
  [415, { headers: {} }],
  [415, { headers: { 'content-type': 'application/jsonp' } }],
  [406, { body: '{' }],
  [406, { body: undefined }],
  [406, { pathParameters: undefined }],
  [406, { pathParameters: { organization: '1#LOG', list: 'aaaaaaaaaaaa' } }],
])('what cannot be an event is refused with %i, and reads nothing', async (statusCode, more) => {
  expect(await call(more)).toMatchObject({ statusCode });
});
