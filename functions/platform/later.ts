import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { env } from './env.ts';

const client = new SQSClient({});

/** Queues work with a delay in seconds, at most 900. */
export async function later(work: object, seconds: number): Promise<void> {
  await client.send(
    new SendMessageCommand({
      QueueUrl: env('LATER_QUEUE'),
      MessageBody: JSON.stringify(work),
      DelaySeconds: Math.min(seconds, 900),
    }),
  );
}
