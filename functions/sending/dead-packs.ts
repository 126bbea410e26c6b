// Purpose: end the packs that failed each time: release what was not posted, and show what may have been.
// Safe to run twice: a batch ends once, and releasing a claim again changes nothing.
import type { Context, SQSEvent } from 'aws-lambda';
import { bury } from '../core/sending/delivery/delivery.ts';
import { readPack } from '../core/sending/pack/pack.ts';
import { described, log, redacting } from '../platform/log.ts';
import { sendingNeeds } from '../platform/sending.ts';

export const handler = redacting(async ({ Records }: SQSEvent, context: Context): Promise<void> => {
  for (const { messageId, body } of Records) {
    const pack = packIn(body, messageId);
    if (!pack) continue;
    await bury(sendingNeeds(context), pack);
    log.error('a pack is dead', { pack: pack.id, organization: pack.organization, minute: pack.minute });
  }
});

/** What is no pack at all names nobody: there is nothing to end. */
function packIn(body: string, messageId: string) {
  try {
    return readPack(body);
  } catch (error) {
    log.error('a message is no pack', { messageId, error: described(error) });
    return undefined;
  }
}
