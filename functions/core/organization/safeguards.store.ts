import { fromItem, get, type Table } from '#core/storage/table.store.ts';
import { deleteWrite as deleteItemWrite, updateWrite, type Write } from '#core/storage/write.store.ts';
import type { SafeguardsChange } from '#shared/safeguards.ts';

const key = (organization: number) => ({ PK: `ORG#${organization}`, SK: 'SAFEGUARDS' });

/** The safeguards that were changed. Returns undefined if none were. */
export async function read(table: Table, organization: number): Promise<SafeguardsChange | undefined> {
  const item = await get(table, key(organization));
  return item && fromItem(item);
}

/** Changes safeguards. Undefined fields stay as they are. */
export const changeWrite = (table: Table, organization: number, set: SafeguardsChange): Write =>
  updateWrite(table, key(organization), { set });

export const deleteWrite = (table: Table, organization: number): Write =>
  deleteItemWrite(table, key(organization));
