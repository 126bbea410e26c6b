import { env } from './env.ts';
import { type Message, sendAll } from './queue.ts';

/** Queues messages for webhooks. Resolves when the queue has accepted all of them. */
export const queueWebhooks = (messages: Message[]): Promise<void> => sendAll(env('WEBHOOKS_QUEUE'), messages);
