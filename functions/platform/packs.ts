import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { env } from './env.ts';

const client = new SQSClient({});
const MOST_AT_ONCE = 5;

/** Queues a pack; so many seconds later, at most 900, it is delivered. */
export async function queuePack(pack: object, seconds = 0): Promise<void> {
  await client.send(
    new SendMessageCommand({
      QueueUrl: env('PACKS_QUEUE'),
      MessageBody: JSON.stringify(pack),
      DelaySeconds: Math.min(Math.ceil(seconds), 900),
    }),
  );
}

/** Resolves when all of them are accepted. */
export async function queuePacks(packs: object[]): Promise<void> {
  for (let at = 0; at < packs.length; at += MOST_AT_ONCE) {
    await Promise.all(packs.slice(at, at + MOST_AT_ONCE).map(pack => queuePack(pack)));
  }
}
