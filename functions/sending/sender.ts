// Purpose: send the packs of the queue.
// Safe to run twice: one process has a pack at a time, an email has one claim, a claim one batch, and that is posted once.
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { deliver } from '#core/sending/delivery/delivery.ts';
import { LOOK_UP_MS, mailboxes } from '#core/sending/mailbox.ts';
import { readPack } from '#core/sending/pack.ts';
import { dns } from '../platform/dns.ts';
import { described, log } from '../platform/log.ts';
import { now } from '../platform/runtime.ts';
import { sendingNeeds } from '../platform/sending.ts';
import { mailgun } from '../providers/mailgun/mailgun.ts';
import { ses } from '../providers/ses/ses.ts';

const mailboxOf = mailboxes(domain => dns.mx(domain, LOOK_UP_MS));

export async function handler({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
  for (const { messageId, body } of Records) {
    try {
      const pack = readPack(body);
      await deliver(
        { ...sendingNeeds(context), providers: { mailgun, ses }, mailboxOf: mailboxOf(now) },
        pack,
      );
      log.info('pack', { pack: pack.id, organization: pack.organization, people: pack.people.length });
    } catch (error) {
      log.error('a pack failed', { messageId, error: described(error) });
      batchItemFailures.push({ itemIdentifier: messageId });
    }
  }
  return { batchItemFailures };
}
