import { env } from './env.ts';
import { type Message, send, sendAll } from './queue.ts';

type Pack = { organization: number };

/** The packs of one organization do not keep those of others waiting. */
const messageOf = (pack: Pack): Message => ({ body: pack, group: String(pack.organization) });

/** Queues a pack; so many seconds later, at most 900, it is delivered. */
export const queuePack = (pack: Pack, seconds = 0): Promise<void> =>
  send(env('PACKS_QUEUE'), messageOf(pack), seconds);

/** Resolves when all of them are accepted. */
export const queuePacks = (packs: Pack[]): Promise<void> => sendAll(env('PACKS_QUEUE'), packs.map(messageOf));
