import { deletePage, query, type Table } from '#core/storage/table.store.ts';
import { ABSENT, putItem } from '#core/storage/write.store.ts';

/** An entry of the record: what was done, without personal data. It never changes. */
type Recorded = {
  what: 'erased';
  at: string;
  /** The id of the user who did it. */
  by: string;
  /** The hash of the address. */
  recipient: string;
};

const partition = (organization: number) => `ORG#${organization}#RECORD`;

/** Inserts an entry. Repeating it changes nothing. */
export const insert = (table: Table, organization: number, { at, what, by, recipient }: Recorded) =>
  putItem(table, { PK: partition(organization), SK: `${at}#${what}#${recipient}`, by }, ABSENT);

/** A page of entries, newest first, after the sort key of another one. */
export async function read(
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

/** Deletes some entries of a deleted organization. Returns true if there may be more. */
export const purgeSome = (table: Table, organization: number) =>
  deletePage(table, partition(organization), '');
