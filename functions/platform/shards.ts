import { env } from './env.ts';
import { sendAll } from './queue.ts';

/** Queues a sweep of each of these shards. */
export const queueShards = (shards: number[]): Promise<void> =>
  sendAll(
    env('SWEEPS_QUEUE'),
    shards.map(shard => ({ body: { shard } })),
  );
