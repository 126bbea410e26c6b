import type { Context } from 'aws-lambda';
import { now } from './clock.ts';
import { env } from './env.ts';
import { postBatch } from './mailgun.ts';
import { queuePack } from './packs.ts';
import { secret } from './secrets.ts';
import { table } from './table.ts';
import { vault } from './vault.ts';

// A call of the provider, and storing its answer.
const SPARE_MS = 25_000;

/** What sending a pack needs. */
export const sendingNeeds = (context: Context) => ({
  table,
  now,
  hasTime: () => context.getRemainingTimeInMillis() > SPARE_MS,
  post: postBatch,
  vault,
  queue: queuePack,
  publicUrl: env('PUBLIC_URL'),
  trackingKey: () => secret(env('TRACKING_KEY_SECRET'), now()),
});
