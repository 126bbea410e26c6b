import type { AutomationOption } from '../../../shared/automation.ts';
import { isId, newId } from '../id.ts';
import * as organization from '../organization/organization.ts';
import { Refusal } from '../refusal.ts';
import type { Item, Table } from '../table.store.ts';
import { commit } from '../write.store.ts';
import * as store from './automation.store.ts';

export {
  existsCheck,
  type Linked,
  type LinkKind,
  linkWrite,
  purgeSome,
  readLinked,
  type StoredAutomation,
  unlinkWrite,
} from './automation.store.ts';

/** The item of the automation that a caller names; none where the id cannot be that of one. */
export const keysOf = (organizationId: number, id: string) =>
  isId(id) ? [store.key(organizationId, id)] : [];

export function found(items: Item[]): store.StoredAutomation {
  const automation = store.fromItems(items);
  if (automation) return automation;
  throw new Refusal('not-found', 'Automation not found');
}

type New = Pick<store.StoredAutomation, 'name' | 'email_list_ids'> &
  Partial<Pick<store.StoredAutomation, 'active' | 'metadata_trigger'>>;

export async function create(
  { table, now }: { table: Table; now: Date },
  organization_id: number,
  fields: New,
): Promise<store.StoredAutomation> {
  const created: store.StoredAutomation = {
    id: newId(),
    organization_id,
    active: true,
    metadata_trigger: null,
    ...fields,
    created_at: now.toISOString(),
  };
  await commit(table, [
    organization.aliveCheck(table, organization_id),
    ...store.createWrites(table, created),
  ]);
  return created;
}

const byName = (a: AutomationOption, b: AutomationOption) =>
  a.name.localeCompare(b.name) || a.id.localeCompare(b.id);
const option = ({ id, name }: store.StoredAutomation): AutomationOption => ({ id, name });

/** What content can be linked to. */
export const options = async ({ table }: { table: Table }, organizationId: number) =>
  (await store.readAll(table, organizationId)).map(option).sort(byName);

/** Those of the automations that exist, by name. */
export const named = async ({ table }: { table: Table }, organizationId: number, ids: string[]) =>
  (await store.readThese(table, organizationId, ids)).map(option).sort(byName);
