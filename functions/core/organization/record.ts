import * as user from '#core/account/user.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { RecordPage } from '#shared/erasure.ts';
import * as store from './record.store.ts';

const PAGE = 50;

/** A page of the record of an organization, newest first. */
export async function page(
  { table }: { table: Table },
  organization: number,
  after: string | undefined,
): Promise<RecordPage> {
  const found = await store.read(table, organization, after, PAGE + 1);
  const entries = found.slice(0, PAGE);
  const users = await user.findAll({ table }, [...new Set(entries.map(({ by }) => by))]);
  const nameOf = (id: string) => users.find(one => one.id === id)?.name ?? 'A former member';
  return {
    data: entries.map(({ by, ...entry }) => ({ ...entry, by: { id: by, name: nameOf(by) } })),
    more: found.length > PAGE,
  };
}
