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

it('what cannot be read of one organization is taken again alone, and not what came with it of others', async () => {
  vi.resetModules();
  const send = async (command: Parameters<typeof table.client.send>[0]) => {
    if (JSON.stringify(command.input).includes('ORG#7"')) throw new Error('Throttled');
    return table.client.send(command);
  };
  vi.doMock('#functions/platform/table.ts', () => ({ table: { ...table, client: { send } } }));
  const { handler } = await import('#functions/background/unsubscribe-webhook.ts');
  const happened = [{ member: 'list-member', of: '1', at: '2030-01-01T12:00:00.000Z' }];
  const Records = [7, 8, 7].map((organization_id, index) => ({
    messageId: `${index}`,
    body: JSON.stringify({
      'detail-type': BATCHED,
      detail: { organization_id, event: 'subscribed', happened },
    }),
  }));
  const { batchItemFailures } = await handler({ Records } as SQSEvent);
  expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['0', '2']);
});
