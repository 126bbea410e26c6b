import type { SQSEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import { handler } from '../../functions/sending/sender.ts';

it('reports each pack of an unknown kind as failed, so that none is lost', async () => {
  const event = { Records: [{ messageId: 'one' }, { messageId: 'two' }] } as SQSEvent;
  expect(await handler(event)).toEqual({
    batchItemFailures: [{ itemIdentifier: 'one' }, { itemIdentifier: 'two' }],
  });
});
