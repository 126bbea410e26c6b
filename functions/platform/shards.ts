import { env } from './env.ts';
import { sendAll } from './queue.ts';

/** Has these shards swept, each by a run of its own. */
export const queueShards = (shards: number[]): Promise<void> =>
  sendAll(
    env('SWEEPS_QUEUE'),
    shards.map(shard => ({ body: { shard } })),
  );
