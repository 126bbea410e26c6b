// Purpose: store, before each UTC day, how often each content is sent of automations that send more of what works, and which
// automations earn most, where that decides which email comes first.
// Safe to run twice: the shares and the order of a day are stored once, and never after it has begun.

import type { Context, ScheduledEvent } from 'aws-lambda';
import { allocate } from '#core/reporting/allocation.ts';
import { rankEarners } from '#core/reporting/earnings.ts';
import { described, log, redacting } from '../platform/log.ts';
import { now } from '../platform/runtime.ts';
import { table } from '../platform/table.ts';

const SPARE_MS = 30_000;

export const handler = redacting(async (_: ScheduledEvent, context: Context): Promise<void> => {
  const failed = (of: object, error: unknown) =>
    log.error('shares could not be stored', { ...of, error: described(error) });
  const needs = { table, now, hasTimeLeft: () => context.getRemainingTimeInMillis() > SPARE_MS, failed };
  const [stored, ranked] = [await allocate(needs), await rankEarners(needs)];
  if (stored + ranked > 0) log.info('shares', { stored, ranked });
});
