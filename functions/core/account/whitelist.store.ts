import { get, type Table } from '#core/storage/table.store.ts';
import { updateItem } from '#core/storage/write.store.ts';

const KEY = { PK: 'CONFIG', SK: 'WHITELIST' };

/** The domains whose addresses may register; `*` allows every domain. */
export async function domains(table: Table): Promise<Set<string>> {
  const item = await get(table, KEY);
  return (item?.domains as Set<string> | undefined) ?? new Set();
}

export const add = (table: Table, listed: string[]) =>
  updateItem(table, KEY, { add: { domains: new Set(listed) } });

export const remove = (table: Table, listed: string[]) =>
  updateItem(table, KEY, { subtract: { domains: new Set(listed) } });
