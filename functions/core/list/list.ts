import type { EmailList } from '../../../shared/list.ts';
import type { Table } from '../table.store.ts';
import * as store from './list.store.ts';

export async function listOf({ table }: { table: Table }, organization: number): Promise<EmailList[]> {
  return (await store.readAll(table, organization))
    .map(({ id, name, domain, active }) => ({ id, name, domain, active }))
    .sort((a, b) => a.name.localeCompare(b.name));
}
