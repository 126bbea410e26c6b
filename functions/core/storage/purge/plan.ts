import * as idempotency from '../../account/idempotency/idempotency.ts';
import * as automation from '../../automation/automation/automation.ts';
import { purgeSources } from '../../automation/source/source.ts';
import * as content from '../../content/content/content.ts';
import * as list from '../../list/list/list.ts';
import * as memberImport from '../../list/member-import/member-import.ts';
import * as webhooks from '../../list/unsubscribe-webhook/unsubscribe-webhook.ts';
import * as invitation from '../../organization/invitation/invitation.ts';
import * as organization from '../../organization/organization/organization.ts';
import * as record from '../../organization/record/record.ts';
import * as safeguards from '../../organization/safeguards/safeguards.ts';
import * as switches from '../../organization/switches/switches.ts';
import * as recipient from '../../recipient/recipient/recipient.ts';
import * as rollup from '../../reporting/rollup/rollup.ts';
import * as value from '../../reporting/value/value.ts';
import * as batch from '../../sending/batch/batch.ts';
import * as marked from '../../sending/marked/marked.ts';
import * as pack from '../../sending/pack/pack.ts';
import * as skip from '../../sending/skip/skip.ts';
import { filesOf } from '../image.ts';
import type { Objects } from '../objects.ts';
import type { Table } from '../table.store.ts';
import type { Job, Plan, Step } from './purge.ts';

type Needs = { table: Table; objects: Pick<Objects, 'remove' | 'deletePage'>; now: () => Date };

/** The steps of a purge, in order. A new kind of item needs a step here. */
export const planOf = (needs: Needs, { organization_id, list_id, logo }: Job): Plan =>
  list_id === undefined
    ? organizationPlan(needs, organization_id)
    : listPlan(needs, { organization: organization_id, id: list_id, logo });

const organizationPlan = ({ table, objects, now }: Needs, id: number): Plan => ({
  steps: [
    whileMore(() => invitation.purgeSome(table, id)),
    whileMore(() => organization.purgeMembers(table, id)),
    whileMore(() => list.purgeSome({ table, now: now() }, id)),
    whileMore(() => automation.purgeSome(table, id)),
    whileMore(() => purgeSources(table, id)),
    whileMore(() => content.purgeSome(table, id)),
    recipient.purgePeople(table, id),
    // After the claims, as a batch is created for existing claims.
    whileMore(() => batch.purgeSome(table, id)),
    whileMore(() => skip.purgeSome(table, id)),
    whileMore(() => pack.purgeSome(table, id)),
    whileMore(() => value.purgeSome(table, id)),
    whileMore(() => rollup.purgeSome(table, id)),
    // After the rollups, as the projector adds an entry as long as a rollup counts it.
    whileMore(() => marked.purgeSome(table, id)),
    whileMore(() => recipient.purgeStopped(table, id)),
    whileMore(() => switches.purgeSome(table, id)),
    whileMore(() => record.purgeSome(table, id)),
    whileMore(() => idempotency.purgeSome(table, id)),
    whileMore(() => objects.deletePage(filesOf(id))),
  ],
  last: [
    invitation.pendingDeleteWrite(table, id),
    safeguards.deleteWrite(table, id),
    organization.metaDeleteWrite(table, id),
  ],
});

/** The steps of the purge of a list. Journals of people are kept, as they may be in other lists. */
const listPlan = (
  { table, objects }: Needs,
  { organization, id, logo }: { organization: number; id: string; logo: string | undefined },
): Plan => ({
  steps: [
    once(() => list.deleteCounts(table, id)),
    recipient.purgeMemberships(table, id),
    whileMore(() => recipient.purgeTriggers(table, id, recipient.ADDED)),
    whileMore(() => purgeSources(table, organization, id)),
    // After the memberships, as a change of one may write trigger rows in a column.
    whileMore(() => purgeColumns(table, id)),
    whileMore(() => memberImport.purgeSome(table, organization, id)),
    whileMore(() => webhooks.purgeSome(table, organization, id)),
    once(async () => logo && objects.remove(logo.slice(1))),
  ],
  last: [],
});

/** Deletes a column after its trigger rows, which are found by it. */
async function purgeColumns(table: Table, list_id: string): Promise<boolean> {
  const [column] = await list.firstColumns(table, list_id);
  if (column === undefined) return false;
  const hasMore = await recipient.purgeTriggers(table, list_id, column);
  if (!hasMore) await list.deleteColumn(table, list_id, column);
  return true;
}

const once = (remove: () => Promise<unknown>): Step =>
  whileMore(async () => {
    await remove();
    return false;
  });

async function* whileMore(deleteSome: () => Promise<boolean>): Step {
  while (await deleteSome()) yield;
}
