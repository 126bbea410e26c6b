import { setTimeout } from 'node:timers/promises';
import { type AttributeValue, QueryCommand as RawQueryCommand } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { chunksOf, inParallel } from '#core/parallel.ts';

export type Table = { name: string; client: DynamoDBDocumentClient };
export type Key = { PK: string; SK: string };
export type Item = Record<string, unknown>;

export const textOf = ({ PK, SK }: Key) => `${PK}\n${SK}`;

/** The stored fields of an item, without its keys and its expiry. Items themselves never leave their store. */
export function fromItem<T>({ PK, SK, GSI1PK, GSI1SK, ttl, ...stored }: Item): T {
  return stored as T;
}

/** The same of an item that may not be there. */
export const storedOf = <T>(item: Item | undefined): T | undefined => item && fromItem(item);

/** What this process remembers of a table, by name. With `most` values, it begins anew. */
export function memoryOf<Value>(most: number) {
  const memories = new WeakMap<Table['client'], Map<string, Value>>();
  return ({ client }: Table) => {
    const known = memories.get(client) ?? new Map<string, Value>();
    memories.set(client, known);
    return {
      get: (name: string) => known.get(name),
      add: (name: string, value: Value) => {
        if (known.size >= most) known.clear();
        known.set(name, value);
      },
    };
  };
}

export const epochSeconds = (instant: Date) => Math.floor(instant.getTime() / 1000);

/** A read that is not consistent returns items as they were a moment ago, for half the price. */
export type Reading = { consistent: boolean };

export async function get(
  table: Table,
  key: Key,
  { consistent }: Reading = { consistent: true },
): Promise<Item | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: key, ConsistentRead: consistent }),
  );
  return Item;
}

type QueryInput = Omit<QueryCommandInput, 'TableName'>;
/** The pages of a query, each of up to 1 MB. */
export async function* pages(table: Table, input: QueryInput): AsyncGenerator<Item[]> {
  let from: Item | undefined;
  do {
    const page: { Items?: Item[]; LastEvaluatedKey?: Item } = await table.client.send(
      new QueryCommand({ TableName: table.name, ...input, ...(from && { ExclusiveStartKey: from }) }),
    );
    yield page.Items ?? [];
    from = page.LastEvaluatedKey;
  } while (from);
}

/** Pages of a query: one for each limit, with at most so many items. `isLast` is true if no page follows. */
export async function* limitedPages(
  table: Table,
  input: QueryInput,
  limits: readonly number[],
): AsyncGenerator<{ items: Item[]; isLast: boolean }> {
  let from: Item | undefined;
  for (const Limit of limits) {
    const page: { Items?: Item[]; LastEvaluatedKey?: Item } = await table.client.send(
      new QueryCommand({ TableName: table.name, ...input, Limit, ...(from && { ExclusiveStartKey: from }) }),
    );
    from = page.LastEvaluatedKey;
    yield { items: page.Items ?? [], isLast: !from };
    if (!from) return;
  }
}

type Enough = { most?: number; enough?: (items: Item[]) => boolean };

export async function query(
  table: Table,
  input: QueryInput,
  { most, enough = () => false }: Enough = {},
): Promise<Item[]> {
  const items: Item[] = [];
  let from: Item | undefined;
  do {
    const page: { Items?: Item[]; LastEvaluatedKey?: Item } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        ...input,
        ...(most !== undefined && { Limit: most - items.length }),
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from && items.length !== most && !enough(items));
  return items;
}

export const partitionPages = (table: Table, PK: string): AsyncGenerator<Item[]> =>
  prefixPages(table, PK, '');

export const prefixPages = (table: Table, PK: string, prefix: string): AsyncGenerator<Item[]> =>
  pages(table, { ...within(PK, prefix), ConsistentRead: true });

export const queryPartition = (table: Table, PK: string, prefix = ''): Promise<Item[]> =>
  query(table, { ...within(PK, prefix), ConsistentRead: true });

/** The highest sort keys first. */
export const queryBackwards = (table: Table, PK: string, prefix = '', most?: number): Promise<Item[]> =>
  query(
    table,
    { ...within(PK, prefix), ConsistentRead: true, ScanIndexForward: false },
    most === undefined ? {} : { most },
  );

const within = (PK: string, prefix: string) => ({
  KeyConditionExpression: prefix ? 'PK = :pk AND begins_with(SK, :prefix)' : 'PK = :pk',
  ExpressionAttributeValues: { ':pk': PK, ...(prefix && { ':prefix': prefix }) },
});

/** The lowest and the highest sort key of a partition. Returns undefined if it is empty. */
export async function sortKeyRange(
  table: Table,
  PK: string,
): Promise<{ first: string; last: string } | undefined> {
  const end = (ScanIndexForward: boolean) =>
    query(table, { ...within(PK, ''), ConsistentRead: true, ScanIndexForward }, { most: 1 });
  const [[first], [last]] = await Promise.all([end(true), end(false)]);
  return first && last && { first: String(first.SK), last: String(last.SK) };
}

export type RawItem = Record<string, AttributeValue>;

type Range = { PK: string; from: string; to: string };

/** Without the document client, whose conversion is dear (docs/decisions/0121-reports-bypass-sdk-conversion.md). */
export async function* rawPages(
  table: Table,
  { PK, from, to }: Range,
  { consistent }: Reading,
): AsyncGenerator<RawItem[]> {
  let last: RawItem | undefined;
  do {
    const page: { Items?: RawItem[]; LastEvaluatedKey?: RawItem } = await table.client.send(
      new RawQueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'PK = :pk AND SK BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': { S: PK }, ':from': { S: from }, ':to': { S: to } },
        ConsistentRead: consistent,
        ...(last && { ExclusiveStartKey: last }),
      }),
    );
    yield page.Items ?? [];
    last = page.LastEvaluatedKey;
  } while (last);
}

const PAGE_SIZE = 25;

export async function queryPage(
  table: Table,
  PK: string,
  prefix: string,
): Promise<{ items: Item[]; more: boolean }> {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      ...within(PK, prefix),
      ConsistentRead: true,
      Limit: PAGE_SIZE,
    }),
  );
  return { items: Items, more: LastEvaluatedKey !== undefined };
}

// The limit of BatchGetItem.
const MOST_KEYS = 100;

/** The items that exist, in no particular order. */
export async function getAll(
  table: Table,
  keys: Key[],
  { consistent }: Reading = { consistent: true },
): Promise<Item[]> {
  const items: Item[] = [];
  // BatchGetItem rejects a repeated key.
  let left = [...new Map(keys.map(key => [textOf(key), key])).values()];
  for (let attempt = 1; left.length > 0; attempt++) {
    const { Responses, UnprocessedKeys } = await table.client.send(
      new BatchGetCommand({
        RequestItems: { [table.name]: { Keys: left.slice(0, MOST_KEYS), ConsistentRead: consistent } },
      }),
    );
    items.push(...(Responses?.[table.name] ?? []));
    const unread = (UnprocessedKeys?.[table.name]?.Keys ?? []) as Key[];
    left = [...unread, ...left.slice(MOST_KEYS)];
    if (unread.length > 0) await pauseBefore(attempt);
  }
  return items;
}

export const getStored = async <T>(table: Table, keys: Key[], reading?: Reading): Promise<T[]> =>
  (await getAll(table, keys, reading)).map(fromItem<T>);

// The limit of BatchWriteItem.
const MOST_WRITES = 25;

/** Puts and deletes items without conditions: only for writes that may happen twice and in any order. */
export async function batchWrite(
  table: Table,
  { puts = [], deletes = [] }: { puts?: (Item & Key)[]; deletes?: Key[] },
): Promise<void> {
  let left: object[] = [
    ...puts.map(item => ({ PutRequest: { Item: item } })),
    ...deletes.map(({ PK, SK }) => ({ DeleteRequest: { Key: { PK, SK } } })),
  ];
  for (let attempt = 1; left.length > 0; attempt++) {
    const { UnprocessedItems } = await table.client.send(
      new BatchWriteCommand({ RequestItems: { [table.name]: left.slice(0, MOST_WRITES) } as never }),
    );
    const unwritten = UnprocessedItems?.[table.name] ?? [];
    left = [...unwritten, ...left.slice(MOST_WRITES)];
    if (unwritten.length > 0) await pauseBefore(attempt);
  }
}

/** How many concurrent requests a process makes at most while it deletes. */
export const MOST_IN_FLIGHT = 25;

export async function deleteAll(table: Table, keys: Key[]): Promise<void> {
  // BatchWriteItem rejects a repeated key.
  const once = [...new Map(keys.map(({ PK, SK }) => [textOf({ PK, SK }), { PK, SK }])).values()];
  await inParallel(chunksOf(once, MOST_WRITES), MOST_IN_FLIGHT, deletes => batchWrite(table, { deletes }));
}

// A purge checks between two pages whether there is time for another one.
const DELETED_AT_ONCE = 1_000;

/** Deletes the first page of the items whose sort key begins with `prefix`. Returns true if there may be more. */
export async function deletePage(table: Table, PK: string, prefix: string): Promise<boolean> {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      ...within(PK, prefix),
      ProjectionExpression: 'PK, SK',
      ConsistentRead: true,
      Limit: DELETED_AT_ONCE,
    }),
  );
  await deleteAll(table, Items as Key[]);
  return LastEvaluatedKey !== undefined;
}

const LONGEST_PAUSE = 2_000;
/** Waits before a retry: exponential backoff with jitter. */
export const pauseBefore = (attempt: number) =>
  setTimeout(Math.random() * Math.min(LONGEST_PAUSE, 25 * 2 ** attempt));
