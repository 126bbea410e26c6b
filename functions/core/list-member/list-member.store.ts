import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { membersIndex } from '../recipient/recipient.ts';
import { type Item, query, type Table } from '../table.store.ts';

/** What the index of a list's members knows of each, by address. */
export type IndexRow = {
  email: string;
  status: 'subscribed' | 'unsubscribed';
  created_at: string;
  updated_at: string;
};

type Where = {
  /** Only addresses after or before this one. */
  after?: string | undefined;
  before?: string;
  /** Only addresses that begin so. */
  prefix?: string | undefined;
  backwards?: boolean;
  limit: number;
};

// Between an address and the next: no address has a character as low, or one as high.
const LOWEST = '\u0001';
const HIGHEST = '\uffff';

function keyCondition(list: string, { after, before, prefix }: Where) {
  const [condition, values] =
    prefix !== undefined && after !== undefined
      ? [' AND GSI1SK BETWEEN :from AND :to', { ':from': `${after}${LOWEST}`, ':to': `${prefix}${HIGHEST}` }]
      : prefix !== undefined
        ? [' AND begins_with(GSI1SK, :prefix)', { ':prefix': prefix }]
        : after !== undefined
          ? [' AND GSI1SK > :after', { ':after': after }]
          : before !== undefined
            ? [' AND GSI1SK < :before', { ':before': before }]
            : ['', {}];
  return {
    KeyConditionExpression: `GSI1PK = :list${condition}`,
    ExpressionAttributeValues: { ':list': membersIndex(list), ...values },
  };
}

const question = (list: string, where: Where) => ({
  IndexName: 'GSI1',
  ...keyCondition(list, where),
  ScanIndexForward: !where.backwards,
});

/** Members in the order of their addresses. One request, unless they outgrow the megabyte that one answers. */
export const members = async (table: Table, list: string, where: Where): Promise<IndexRow[]> =>
  (await query(table, question(list, where), { most: where.limit })) as IndexRow[];

/** The members behind so many others: those are counted, not read out. */
export async function membersBehind(
  table: Table,
  list: string,
  skipped: number,
  where: Where,
): Promise<IndexRow[]> {
  let left = skipped;
  let from: Item | undefined;
  while (left > 0) {
    const page: { Count?: number; LastEvaluatedKey?: Item } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        ...question(list, where),
        Limit: left,
        Select: 'COUNT',
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    left -= page.Count ?? 0;
    from = page.LastEvaluatedKey;
    if (!from) return [];
  }
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      ...question(list, where),
      Limit: where.limit,
      ...(from && { ExclusiveStartKey: from }),
    }),
  );
  return Items as IndexRow[];
}
