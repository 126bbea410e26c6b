// Purpose: erase what belonged to a deleted organization. The item that asks for it is also what goes on: each write to
// it calls the next round.
// Safe to run twice: every step only takes away, and the item goes with the last of it.
import type { Context, DynamoDBStreamEvent } from 'aws-lambda';
import * as invitation from '../core/invitation/invitation.ts';
import * as organization from '../core/organization/organization.ts';
import * as purge from '../core/purge/purge.ts';
import { log } from '../platform/log.ts';
import { objects } from '../platform/objects.ts';
import { table } from '../platform/table.ts';

/** What belongs to an organization, in the order in which it goes. Whoever adds items adds them here. */
const PLAN: purge.Plan = {
  steps: [
    id => invitation.erase(table, id),
    id => organization.eraseMembers(table, id),
    id => objects.removeSome(organization.filesOf(id)),
  ],
  last: id => [organization.eraseMeta(table, id)],
};

const SPARE = 20_000;

export async function handler({ Records }: DynamoDBStreamEvent, context: Context): Promise<void> {
  const hasTime = () => context.getRemainingTimeInMillis() > SPARE;
  for (const { dynamodb } of Records) {
    const id = Number(dynamodb?.NewImage?.organization_id?.N);
    log.info('purge', { organization: id, round: await purge.round({ table, hasTime }, id, PLAN) });
  }
}
