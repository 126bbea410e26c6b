// Purpose: store what SES says of the emails that it took.
// Safe to run twice: what is stored once changes nothing the second time, and a repetition finishes what was left undone.
import type { EventBridgeEvent } from 'aws-lambda';
import { applyEvent } from '#core/sending/provider-event.ts';
import { described, log, redacting } from '../platform/log.ts';
import { now } from '../platform/runtime.ts';
import { table } from '../platform/table.ts';
import { readSesEvent } from '../providers/ses/events.ts';

/** After an error, Lambda repeats the call. The rule passes on events of this stage alone, so no signature is needed. */
export const handler = redacting(async ({ detail }: EventBridgeEvent<string, unknown>): Promise<void> => {
  const event = readSesEvent(detail);
  try {
    const isApplied = event !== undefined && (await applyEvent({ table, now: now() }, undefined, event));
    log.info('an event of the provider', { result: isApplied ? event.meaning : 'ignored' });
  } catch (error) {
    log.error('an event of the provider was not stored', { error: described(error) });
    throw error;
  }
});
