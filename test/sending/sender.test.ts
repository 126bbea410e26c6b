import type { SQSEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import { handler } from '../../functions/sending/sender.ts';

it('refuses each pack by itself as long as no kind of pack exists, so that none vanishes', async () => {
  const event = { Records: [{ messageId: 'one' }, { messageId: 'two' }] } as SQSEvent;
  expect(await handler(event)).toEqual({
    batchItemFailures: [{ itemIdentifier: 'one' }, { itemIdentifier: 'two' }],
  });
});
