import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Membership } from '#core/recipient/membership.ts';
import { keyOf, membersIndex } from '#core/recipient/recipient.key.ts';
import { memberships } from '#core/recipient/recipient.store.ts';
import { fromItem, type Item, pages, query, type Table } from '#core/storage/table.store.ts';
import type { CountedList } from '../list.ts';

export type IndexRow = {
  email: string;
  status: 'subscribed' | 'unsubscribed';
  created_at: string;
  updated_at: string;
};

type Where = {
  after?: string | undefined;
  before?: string;
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

/** One request, unless they exceed the megabyte that a response has at most. */
export const members = async (table: Table, listId: string, where: Where): Promise<IndexRow[]> =>
  (await query(table, queryInput(listId, where), { most: where.limit })).map(fromItem<IndexRow>);

/** The skipped ones are counted and not read. `skipped` is lower than `skip` if the list has fewer members. */
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

/** Draws a number from 0 to `most` - 1: another one at each call, and the same sequence for the same seed. */
export type RandomInt = (most: number) => number;

// So many members are read together: where they begin is drawn, and then one of them.
const BLOCK = 100;
const MOST_BLOCKS = 10;
/** To count the members before a block is to read them. In a larger list, a block begins at a random address instead. */
const MOST_SKIPPED = 10_000;

/** A random subscribed member of a list. Returns undefined if none is found among the members that are read. */
export async function subscribedMember(
  table: Table,
  { id, counts: { total } }: CountedList,
  randomInt: RandomInt,
): Promise<IndexRow | undefined> {
  const isCounted = total <= MOST_SKIPPED;
  const start = isCounted ? {} : { after: await addressWithin(table, id, randomInt) };
  const skip = isCounted ? Math.floor(randomInt(Math.max(1, total)) / BLOCK) * BLOCK : 0;
  const { members: block } = await membersAfter(table, id, skip, { ...start, limit: BLOCK });
  const after = block.at(-1)?.email;
  const chosen =
    among(block, randomInt) ?? (after && among(await members(table, id, { after, limit: MORE }), randomInt));
  return chosen || among(await members(table, id, { limit: MORE }), randomInt);
}

const MORE = MOST_BLOCKS * BLOCK;

function among(rows: IndexRow[], randomInt: RandomInt): IndexRow | undefined {
  const subscribed = rows.filter(({ status }) => status === 'subscribed');
  return subscribed[randomInt(Math.max(1, subscribed.length))];
}

async function addressWithin(table: Table, listId: string, randomInt: RandomInt): Promise<string> {
  const ends = [{ limit: 1 }, { limit: 1, backwards: true }].map(where => members(table, listId, where));
  const [first = '', last = ''] = (await Promise.all(ends)).map(([row]) => row?.email);
  const same = [...first].findIndex((character, at) => character !== last[at]);
  if (same < 0) return '';
  const [low, high] = [first.charCodeAt(same), last.charCodeAt(same)];
  const any = Array.from({ length: 4 }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');
  return first.slice(0, same) + String.fromCharCode(low - 1 + randomInt(high - low + 2)) + any;
}

const CHARACTERS = '.0123456789abcdefghijklmnopqrstuvwxyz';
