import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Membership } from '#core/recipient/membership.ts';
import { keyOf, membersIndex } from '#core/recipient/recipient.key.ts';
import { memberships } from '#core/recipient/recipient.store.ts';
import { fromItem, type Item, pages, query, type Table } from '#core/storage/table.store.ts';

/** A member as the index of the list has it. The index is sorted by address. */
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
  /** Only addresses that begin with this text. */
  prefix?: string | undefined;
  backwards?: boolean;
  limit: number;
};

// They sort before and after every character of an address.
const LOWEST = '\u0001';
const HIGHEST = '\uffff';

function keyCondition(listId: string, { after, before, prefix }: Where) {
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
    ExpressionAttributeValues: { ':list': membersIndex(listId), ...values },
  };
}

const queryInput = (listId: string, where: Where) => ({
  IndexName: 'GSI1',
  ...keyCondition(listId, where),
  ScanIndexForward: !where.backwards,
});

/**
 * Members in the order of their addresses. It takes one request, unless they exceed the megabyte that a response has at
 * most.
 */
export const members = async (table: Table, listId: string, where: Where): Promise<IndexRow[]> =>
  (await query(table, queryInput(listId, where), { most: where.limit })).map(fromItem<IndexRow>);

/**
 * Members after `skip` others, which are counted and not read. `skipped` is lower than `skip` if the list has fewer
 * members.
 */
export async function membersAfter(
  table: Table,
  listId: string,
  skip: number,
  where: Where,
): Promise<{ members: IndexRow[]; skipped: number }> {
  let skipped = 0;
  let from: Item | undefined;
  while (skipped < skip) {
    const page: { Count?: number; LastEvaluatedKey?: Item } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        ...queryInput(listId, where),
        Limit: skip - skipped,
        Select: 'COUNT',
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    skipped += page.Count ?? 0;
    from = page.LastEvaluatedKey;
    if (!from) return { members: [], skipped };
  }
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      ...queryInput(listId, where),
      Limit: where.limit,
      ...(from && { ExclusiveStartKey: from }),
    }),
  );
  return { members: Items.map(fromItem<IndexRow>), skipped };
}

const SOME = 1_000;

/** All members of a list with their metadata, a page at a time. */
export async function* everyone(
  table: Table,
  organization: number,
  listId: string,
): AsyncGenerator<Membership[]> {
  for await (const rows of pages(table, { ...queryInput(listId, { limit: SOME }), Limit: SOME })) {
    const keys = rows.map(({ email }) => keyOf(organization, String(email)));
    yield await memberships(table, keys, listId);
  }
}
