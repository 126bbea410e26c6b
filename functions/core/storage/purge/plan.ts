import * as automation from '../../automation/automation/automation.ts';
import { purgeSources } from '../../automation/source/source.ts';
import * as content from '../../content/content/content.ts';
import * as list from '../../list/list/list.ts';
import * as invitation from '../../organization/invitation/invitation.ts';
import * as organization from '../../organization/organization/organization.ts';
import * as safeguards from '../../organization/safeguards/safeguards.ts';
import * as recipient from '../../recipient/recipient/recipient.ts';
import * as batch from '../../sending/batch/batch.ts';
import { filesOf } from '../image.ts';
import type { Objects } from '../objects.ts';
import type { Table } from '../table.store.ts';
import type { Job, Plan } from './purge.ts';

type Needs = { table: Table; objects: Pick<Objects, 'remove' | 'removeSome'>; now: () => Date };

/** What is deleted, in this order. Whatever stores a new kind of item adds a step here. */
export const planOf = (needs: Needs, { list_id }: Job): Plan =>
  list_id === undefined ? organizationPlan(needs) : listPlan(needs, list_id);

const organizationPlan = ({ table, objects, now }: Needs): Plan => ({
  steps: [
    ({ organization_id }) => invitation.purgeSome(table, organization_id),
    ({ organization_id }) => organization.purgeMembers(table, organization_id),
    ({ organization_id }) => list.purgeSome({ table, now: now() }, organization_id),
    ({ organization_id }) => automation.purgeSome(table, organization_id),
    ({ organization_id }) => purgeSources(table, organization_id),
    ({ organization_id }) => content.purgeSome(table, organization_id),
    ({ organization_id }) => batch.purgeSome(table, organization_id),
    ({ organization_id }) => recipient.purgePeople(table, organization_id),
    ({ organization_id }) => objects.removeSome(filesOf(organization_id)),
  ],
  last: ({ organization_id }) => [
    invitation.pendingDeleteWrite(table, organization_id),
    safeguards.deleteWrite(table, organization_id),
    organization.metaDeleteWrite(table, organization_id),
  ],
});

/** People keep their journal: they may be in other lists. */
const listPlan = ({ table, objects }: Needs, list_id: string): Plan => ({
  steps: [
    async () => {
      await list.deleteCounts(table, list_id);
      return false;
    },
    () => recipient.purgeMemberships(table, list_id),
    () => recipient.purgeTriggers(table, list_id, recipient.ADDED),
    ({ organization_id }) => purgeSources(table, organization_id, list_id),
    // Before, a request may be about to write trigger rows in a column.
    async (_, isLastPass) => isLastPass && purgeColumns(table, list_id),
    async ({ logo }) => {
      if (logo) await objects.remove(logo.slice(1));
      return false;
    },
  ],
  last: () => [],
});

/** A column after its trigger rows, which it leads to. */
async function purgeColumns(table: Table, list_id: string): Promise<boolean> {
  const [column] = await list.firstColumns(table, list_id);
  if (column === undefined) return false;
  const hasMore = await recipient.purgeTriggers(table, list_id, column);
  if (!hasMore) await list.deleteColumn(table, list_id, column);
  return true;
}
