import { expect, it, vi } from 'vitest';

const fail = async () => {
  throw Object.assign(new Error('anna@example.com is refused'), { Item: { email: 'anna@example.com' } });
};
const member = { PK: { S: 'R#1#hash' }, SK: { S: 'IN#readers' } };

it.each([
  ['sending/sweep', () => import('#functions/sending/sweep.ts'), {}],
  [
    'stream/projector',
    () => import('#functions/stream/projector.ts'),
    { shardId: 's', Records: [{ dynamodb: { Keys: member, SequenceNumber: '1' } }] },
  ],
  [
    'stream/dispatcher',
    () => import('#functions/stream/dispatcher.ts'),
    { Records: [{ dynamodb: { Keys: member, NewImage: { status: { S: 'subscribed' } } } }] },
  ],
  [
    'background/purge',
    () => import('#functions/background/purge.ts'),
    { Records: [{ body: '{"organization_id":1}' }] },
  ],
  ['http/origin', () => import('#functions/http/origin.ts'), { headers: {} }],
])('the function %s throws nothing that may not be in the log', async (_, load, event) => {
  vi.resetModules();
  vi.stubEnv('ORIGIN_KEY_SECRET', 'origin-key');
  vi.doMock('#functions/platform/table.ts', () => ({ table: { name: 't', client: { send: fail } } }));
  vi.doMock('#functions/platform/secrets.ts', () => ({ secret: fail }));
  const { handler } = (await load()) as { handler: (...inputs: object[]) => Promise<never> };
  const error: Error = await handler(event, { getRemainingTimeInMillis: () => 1e6 }).catch((it: Error) => it);
  expect(error.message).toBe('[address] is refused');
  expect(error.stack).not.toContain('anna');
  expect(error).not.toHaveProperty('Item');
});
