import type { SQSEvent } from 'aws-lambda';
import { expect, it, vi } from 'vitest';
import { BATCHED } from '#shared/webhook-events.ts';
import { freshTable } from '../support/engine.ts';

const table = freshTable();

it('a message that is no JSON fails alone, and the others of its batch are taken', async () => {
  vi.resetModules();
  vi.doMock('#functions/platform/table.ts', () => ({ table }));
  const { handler } = await import('#functions/background/unsubscribe-webhook.ts');
  const happened = [{ member: 'list-member', of: '1', at: '2030-01-01T12:00:00.000Z' }];
  const detail = { organization_id: 1, event: 'subscribed', happened };
  const Records = [
    { messageId: 'one', body: 'no JSON' },
    { messageId: 'two', body: JSON.stringify({ 'detail-type': BATCHED, detail }) },
  ];
  expect(await handler({ Records } as SQSEvent)).toEqual({ batchItemFailures: [{ itemIdentifier: 'one' }] });
});
