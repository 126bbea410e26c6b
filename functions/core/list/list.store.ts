import { list, type Table } from '../table.store.ts';

export type StoredList = { id: string; name: string; domain: string; active: boolean };

export async function readAll(table: Table, organization: number): Promise<StoredList[]> {
  return (await list(table, `ORG#${organization}`, 'LIST#')) as StoredList[];
}
