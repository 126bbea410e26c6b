import { env } from './env.ts';
import { type Message, sendAll } from './queue.ts';

/** Queues what is to be done for webhooks. Resolves when all of it is accepted. */
export const queueWebhooks = (messages: Message[]): Promise<void> => sendAll(env('WEBHOOKS_QUEUE'), messages);
