import { env } from './env.ts';
import { send } from './queue.ts';

type Purge = { organization_id: number };

/** Queues a purge; so many seconds later, at most 900, it is delivered. Those of one organization do not keep others waiting. */
export const queuePurge = (purge: Purge, seconds: number): Promise<void> =>
  send(env('PURGES_QUEUE'), { body: purge, group: String(purge.organization_id) }, seconds);
