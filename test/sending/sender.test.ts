import type { Context, SQSEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import { handler } from '#functions/sending/sender.ts';

it('reports a message that is no pack as failed, so that it ends among the dead letters', async () => {
  const record = (messageId: string, body: string) => ({ messageId, body, attributes: {} });
  const event = { Records: [record('one', 'no JSON'), record('two', '{"id":"x"}')] } as SQSEvent;
  expect(await handler(event, {} as Context)).toEqual({
    batchItemFailures: [{ itemIdentifier: 'one' }, { itemIdentifier: 'two' }],
  });
});
