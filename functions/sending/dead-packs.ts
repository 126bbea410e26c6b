// Purpose: handle packs of the dead-letter queue: what may have been posted is unknown, other people are queued again.
// Safe to run twice: a batch ends once, releasing a claim again changes nothing, and what is queued twice is sent once.
import type { Context, SQSEvent } from 'aws-lambda';
import { handleDeadPack } from '#core/sending/delivery/delivery.ts';
import { readPack } from '#core/sending/pack.ts';
import { described, log, redacting } from '../platform/log.ts';
import { sendingNeeds } from '../platform/sending.ts';
import { mailgun } from '../providers/mailgun/mailgun.ts';
import { ses } from '../providers/ses/ses.ts';

export const handler = redacting(async ({ Records }: SQSEvent, context: Context): Promise<void> => {
  for (const { messageId, body } of Records) {
    const pack = packIn(body, messageId);
    if (!pack) continue;
    await handleDeadPack({ ...sendingNeeds(context), providers: { mailgun, ses } }, pack);
    log.error('a pack is dead', { pack: pack.id, organization: pack.organization, minute: pack.minute });
  }
});

/** A message that is not a pack names no people, so logging it is all that can be done. */
function packIn(body: string, messageId: string) {
  try {
    return readPack(body);
  } catch (error) {
    log.error('a message is no pack', { messageId, error: described(error) });
    return undefined;
  }
}
