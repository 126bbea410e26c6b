import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { env } from './env.ts';

const client = new SQSClient({});

/** Queues a purge; so many seconds later, at most 900, it is delivered. */
export async function queuePurge(purge: object, seconds: number): Promise<void> {
  await client.send(
    new SendMessageCommand({
      QueueUrl: env('PURGES_QUEUE'),
      MessageBody: JSON.stringify(purge),
      DelaySeconds: seconds,
    }),
  );
}
