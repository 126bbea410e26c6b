// Purpose: store, before each UTC day, how often each content is sent of automations that send more of what works.
// Safe to run twice: the shares of a day are stored once, and never after it has begun.

import type { Context, ScheduledEvent } from 'aws-lambda';
import { allocate } from '#core/reporting/allocation.ts';
import { now } from '../platform/clock.ts';
import { described, log, redacting } from '../platform/log.ts';
import { table } from '../platform/table.ts';

const SPARE_MS = 30_000;

export const handler = redacting(async (_: ScheduledEvent, context: Context): Promise<void> => {
  const stored = await allocate({
    table,
    now,
    hasTimeLeft: () => context.getRemainingTimeInMillis() > SPARE_MS,
    failed: (of, error) => log.error('shares could not be stored', { ...of, error: described(error) }),
  });
  if (stored > 0) log.info('shares', { stored });
});
