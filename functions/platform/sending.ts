import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { described, log } from './log.ts';
import { queuePack } from './queue.ts';
import { env, now } from './runtime.ts';
import { secret } from './secrets.ts';
import { table } from './table.ts';
import { vault } from './vault.ts';

export const sendingNeeds = (context: Context) => ({
  table,
  now,
  holder: randomUUID(),
  timeLeft: () => context.getRemainingTimeInMillis(),
  vault,
  queue: queuePack,
  publicUrl: env('PUBLIC_URL'),
  trackingKey: () => secret(env('TRACKING_KEY_SECRET'), now()),
  failed: (what: string, error: unknown) => log.error(what, { error: described(error) }),
});
