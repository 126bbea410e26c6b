import { INITIAL_SAFEGUARDS, type Safeguards, type SafeguardsChange } from '../../../../shared/safeguards.ts';
import { Refusal } from '../../refusal.ts';
import type { Table } from '../../storage/table.store.ts';
import { commit, held } from '../../storage/write.store.ts';
import * as organization from '../organization/organization.ts';
import * as store from './safeguards.store.ts';

export { cappedBy, LONGEST_WINDOW, type Window } from './caps.ts';
export { deleteWrite } from './safeguards.store.ts';

/** How many emails a recipient of an organization may get. */
export const of = async (table: Table, organizationId: number): Promise<Safeguards> => ({
  ...INITIAL_SAFEGUARDS,
  ...(await store.read(table, organizationId)),
});

export async function change(
  { table }: { table: Table },
  organizationId: number,
  to: SafeguardsChange,
): Promise<Safeguards> {
  if (Object.values(to).some(value => value !== undefined)) {
    const writes = [
      organization.aliveCheck(table, organizationId),
      store.changeWrite(table, organizationId, to),
    ];
    if (!(await held(commit(table, writes)))) {
      throw new Refusal('not-found', 'This organization does not exist any more.');
    }
  }
  return of(table, organizationId);
}
