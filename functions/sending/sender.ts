// Purpose: send the packs of the queue. No kind of pack exists yet, so each is refused.
// Safe to run twice: a refused pack changes nothing, and goes to the dead-letter queue after the last retry.
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { log } from '../platform/log.ts';

export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  for (const { messageId } of Records) log.error('refused a pack of no known kind', { messageId });
  return { batchItemFailures: Records.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}
