// Purpose: delete what belonged to a deleted organization or list, some time after its deletion.
// Safe to run twice: every step only deletes, and the last of them ends the job that the message names.

import type { Context, SQSEvent } from 'aws-lambda';
import * as purge from '#core/operations/purge.ts';
import { planOf } from '#core/operations/purge.ts';
import type * as purgeStore from '#core/storage/purge-request.ts';
import { purgeAnswers } from '../http/idempotency.ts';
import { log, redacting } from '../platform/log.ts';
import { objects } from '../platform/objects.ts';
import { queuePurge } from '../platform/queue.ts';
import { now } from '../platform/runtime.ts';
import { table } from '../platform/table.ts';
import { trackingDomains } from '../platform/tracking-domains.ts';
import { domains } from '../providers/ses/account.ts';

// Far longer than one page takes, even while the table throttles, and the writes that end a round.
const SPARE_MS = 60_000;
const AT_ONCE = 0;

export const handler = redacting(async ({ Records }: SQSEvent, context: Context): Promise<void> => {
  const needs = {
    table,
    hasTimeLeft: () => context.getRemainingTimeInMillis() > SPARE_MS,
    queue: (asked: purgeStore.Asked) => queuePurge(asked, AT_ONCE),
  };
  for (const { body } of Records) {
    const asked: purgeStore.Asked = JSON.parse(body);
    const round = await purge.round(needs, asked, job =>
      planOf({ table, objects, now, purgeAnswers, domains, trackingDomains }, job),
    );
    log.info('purge', { organization: asked.organization_id, list: asked.list_id, round });
  }
});
