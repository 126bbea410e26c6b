// Purpose: erase what belonged to a deleted organization or list. The item that asks for it is also what goes on: each
// write to it calls the next round, and a message that was put off the last one.
// Safe to run twice: every step only takes away, and the item goes with the last of it.
import type { AttributeValue, Context, DynamoDBRecord, SQSRecord } from 'aws-lambda';
import { filesOf } from '../core/image.ts';
import * as invitation from '../core/invitation/invitation.ts';
import * as list from '../core/list/list.ts';
import * as listMember from '../core/list-member/list-member.ts';
import * as organization from '../core/organization/organization.ts';
import * as purge from '../core/purge/purge.ts';
import * as recipient from '../core/recipient/recipient.ts';
import { now } from '../platform/clock.ts';
import { later } from '../platform/later.ts';
import { log } from '../platform/log.ts';
import { objects } from '../platform/objects.ts';
import { table } from '../platform/table.ts';

/** What belongs to an organization, in the order in which it goes. Whoever adds items adds them here. */
const ORGANIZATION: purge.Plan = {
  steps: [
    ({ organization_id }) => invitation.erase(table, organization_id),
    ({ organization_id }) => organization.eraseMembers(table, organization_id),
    ({ organization_id }) => list.removeAll({ table, now: now() }, organization_id),
    ({ organization_id }) => recipient.purgePeople(table, organization_id),
    ({ organization_id }) => objects.removeSome(filesOf(organization_id)),
  ],
  last: ({ organization_id }) => [organization.eraseMetaWrite(table, organization_id)],
};

/** What belongs to a list. Its people keep their journal: they may be in other lists. */
const LIST: purge.Plan = {
  steps: [
    ({ organization_id, list_id = '' }) => listMember.purgeSome(table, organization_id, list_id),
    ({ list_id = '' }) => listMember.purgeColumns(table, list_id),
    async ({ logo }) => {
      if (logo) await objects.remove(logo.slice(1));
      return false;
    },
  ],
  last: () => [],
};

const SPARE = 20_000;

type Calls = { Records: (DynamoDBRecord | SQSRecord)[] };

export async function handler({ Records }: Calls, context: Context): Promise<void> {
  const hasTime = () => context.getRemainingTimeInMillis() > SPARE;
  for (const record of Records) {
    const job = jobOf(record);
    const plan = job.list_id === undefined ? ORGANIZATION : LIST;
    const round = await purge.round({ table, now: now(), hasTime, later }, job, plan);
    log.info('purge', { organization: job.organization_id, list: job.list_id, round });
  }
}

function jobOf(record: DynamoDBRecord | SQSRecord): purge.Job {
  if ('body' in record) return JSON.parse(record.body);
  const { organization_id, list_id }: Record<string, AttributeValue> = record.dynamodb?.NewImage ?? {};
  return {
    organization_id: Number(organization_id?.N),
    ...(list_id?.S !== undefined && { list_id: list_id.S }),
  };
}
