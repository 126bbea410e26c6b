import * as user from '#core/account/user.ts';
import { deletePage, query, type Table } from '#core/storage/table.store.ts';
import { ABSENT, putItem } from '#core/storage/write.store.ts';
import type { RecordPage } from '#shared/erasure.ts';

/** An entry of the record: what was done, without personal data. It never changes. */
type Recorded = { what: 'erased'; at: string; by: string; recipient: string };

const partition = (organization: number) => `ORG#${organization}#RECORD`;

/** Inserts an entry. Repeating it changes nothing. */
export const insert = (table: Table, organization: number, { at, what, by, recipient }: Recorded) =>
  putItem(table, { PK: partition(organization), SK: `${at}#${what}#${recipient}`, by }, ABSENT);

const PAGE = 50;

export async function page(
  { table }: { table: Table },
  organization: number,
  after: string | undefined,
): Promise<RecordPage> {
  const found = await readEntries(table, organization, after, PAGE + 1);
  const entries = found.slice(0, PAGE);
  const users = await user.findAll({ table }, [...new Set(entries.map(({ by }) => by))]);
  const nameOf = (id: string) => users.find(one => one.id === id)?.name ?? 'A former member';
  return {
    data: entries.map(({ by, ...entry }) => ({ ...entry, by: { id: by, name: nameOf(by) } })),
    more: found.length > PAGE,
  };
}

async function readEntries(
  table: Table,
  organization: number,
  after: string | undefined,
  most: number,
): Promise<(Recorded & { id: string })[]> {
  const items = await query(
    table,
    {
      KeyConditionExpression: `PK = :pk${after ? ' AND SK < :after' : ''}`,
      ExpressionAttributeValues: { ':pk': partition(organization), ...(after && { ':after': after }) },
      ScanIndexForward: false,
      ConsistentRead: true,
    },
    { most },
  );
  return items.map(({ SK, by }) => {
    const [at = '', what, recipient = ''] = String(SK).split('#');
    return { id: String(SK), at, what: what as Recorded['what'], by: String(by), recipient };
  });
}

export const purgeSome = (table: Table, organization: number) =>
  deletePage(table, partition(organization), '');
