import { env } from './env.ts';
import { send } from './queue.ts';

type Purge = { organization_id: number };

/** Queues a purge, with a delay of at most 900 seconds. Purges of one organization do not delay those of others. */
export const queuePurge = (purge: Purge, seconds: number): Promise<void> =>
  send(env('PURGES_QUEUE'), { body: purge, group: String(purge.organization_id) }, seconds);
