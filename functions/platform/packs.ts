import { env } from './env.ts';
import { type Message, send, sendAll } from './queue.ts';

type Pack = { organization: number };

/** The message of a pack. Its group is the organization, so that packs of one do not delay those of others. */
const messageOf = (pack: Pack): Message => ({ body: pack, group: String(pack.organization) });

/** Queues a pack, with a delay of at most 900 seconds. */
export const queuePack = (pack: Pack, seconds = 0): Promise<void> =>
  send(env('PACKS_QUEUE'), messageOf(pack), seconds);

/** Queues packs. Resolves when the queue has accepted all of them. */
export const queuePacks = (packs: Pack[]): Promise<void> => sendAll(env('PACKS_QUEUE'), packs.map(messageOf));
