import { definedFields } from '#core/defined-fields.ts';
import type { Table } from '#core/storage/table.store.ts';
import { commit, conditionsHeld } from '#core/storage/write.store.ts';
import { INITIAL_SAFEGUARDS, type Safeguards, type SafeguardsChange } from '#shared/safeguards.ts';
import * as organizationStore from './organization.store.ts';
import * as organization from './organization.ts';
import * as store from './safeguards.store.ts';
import { safeguardsWrite } from './switches.ts';

/** How many emails a recipient of an organization may get. */
export const read = async (table: Table, organizationId: number): Promise<Safeguards> => ({
  ...INITIAL_SAFEGUARDS,
  ...(await store.read(table, organizationId)),
});

export async function change(
  needs: { table: Table; now: Date; user?: string },
  organizationId: number,
  to: SafeguardsChange,
): Promise<Safeguards> {
  const { table } = needs;
  const changed = definedFields(to);
  if (Object.keys(changed).length > 0) {
    const writes = [
      organizationStore.aliveCheck(table, organizationId),
      store.changeWrite(table, organizationId, to),
      safeguardsWrite(needs, organizationId, changed),
    ];
    if (!(await conditionsHeld(commit(table, writes)))) {
      throw organization.organizationGone();
    }
  }
  return read(table, organizationId);
}
