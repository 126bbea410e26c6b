import { setTimeout } from 'node:timers/promises';
import {
  BatchGetCommand,
  BatchWriteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';

export type Table = { name: string; client: DynamoDBDocumentClient };
export type Key = { PK: string; SK: string };
export type Item = Record<string, unknown>;
/** One write of a transaction; whoever commits it names the table. */
export type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type Condition = { condition: string; values?: Item; names?: Record<string, string> };

export const ABSENT: Condition = { condition: 'attribute_not_exists(PK)' };
export const PRESENT: Condition = { condition: 'attribute_exists(PK)' };

/** What an item stores, without its keys and its expiry: an item itself never leaves its store. */
export function fromItem<T>({ PK, SK, GSI1PK, GSI1SK, ttl, ...stored }: Item): T {
  return stored as T;
}

export const epochSeconds = (instant: Date) => Math.floor(instant.getTime() / 1000);

export async function get(table: Table, key: Key): Promise<Item | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }),
  );
  return Item;
}

type Question = Omit<QueryCommandInput, 'TableName'>;
type Enough = { most?: number; enough?: (items: Item[]) => boolean };

/** What a query finds, over as many requests as it takes: all of it, or as much as is enough. */
export async function query(
  table: Table,
  question: Question,
  { most, enough = () => false }: Enough = {},
): Promise<Item[]> {
  const items: Item[] = [];
  let from: Item | undefined;
  do {
    const page: { Items?: Item[]; LastEvaluatedKey?: Item } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        ...question,
        ...(most !== undefined && { Limit: most - items.length }),
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from && items.length !== most && !enough(items));
  return items;
}

/** Every item of one partition whose sort key begins with `prefix`. */
export const list = (table: Table, PK: string, prefix = ''): Promise<Item[]> =>
  query(table, {
    ...within(PK, prefix),
    ConsistentRead: true,
  });

const within = (PK: string, prefix: string) => ({
  KeyConditionExpression: prefix ? 'PK = :pk AND begins_with(SK, :prefix)' : 'PK = :pk',
  ExpressionAttributeValues: { ':pk': PK, ...(prefix && { ':prefix': prefix }) },
});

const PAGE = 25;

/** The first few such items, and whether there are more: for work that is done in steps. */
export async function page(
  table: Table,
  PK: string,
  prefix: string,
): Promise<{ items: Item[]; more: boolean }> {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      ...within(PK, prefix),
      ConsistentRead: true,
      Limit: PAGE,
    }),
  );
  return { items: Items, more: LastEvaluatedKey !== undefined };
}

// DynamoDB answers at most this many keys of one BatchGetItem.
const MOST_KEYS = 100;

/** Those of the named items that exist, in no particular order. */
export async function getAll(table: Table, keys: Key[]): Promise<Item[]> {
  const items: Item[] = [];
  let left = keys;
  for (let attempt = 1; left.length > 0; attempt++) {
    const { Responses, UnprocessedKeys } = await table.client.send(
      new BatchGetCommand({
        RequestItems: { [table.name]: { Keys: left.slice(0, MOST_KEYS), ConsistentRead: true } },
      }),
    );
    items.push(...(Responses?.[table.name] ?? []));
    const unread = (UnprocessedKeys?.[table.name]?.Keys ?? []) as Key[];
    left = [...unread, ...left.slice(MOST_KEYS)];
    if (unread.length > 0) await pauseBefore(attempt);
  }
  return items;
}

// DynamoDB takes at most this many writes of one BatchWriteItem.
const MOST_WRITES = 25;

/** Puts and removes items, whatever stands there: only for what may be written twice and in any order. */
export async function writeAll(
  table: Table,
  { puts = [], removes = [] }: { puts?: (Item & Key)[]; removes?: Key[] },
): Promise<void> {
  let left: object[] = [
    ...puts.map(item => ({ PutRequest: { Item: item } })),
    ...removes.map(key => ({ DeleteRequest: { Key: key } })),
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

const conditioned = ({ condition, values, names }: Condition) => ({
  ConditionExpression: condition,
  ...(values && { ExpressionAttributeValues: values }),
  ...(names && { ExpressionAttributeNames: names }),
});

export const put = (table: Table, item: Item & Key, only?: Condition): Write => ({
  Put: { TableName: table.name, Item: item, ...(only && conditioned(only)) },
});

export const update = (table: Table, key: Key, expression: string, values: Item, only: Condition): Write => ({
  Update: {
    TableName: table.name,
    Key: key,
    UpdateExpression: expression,
    ...conditioned({ ...only, values: { ...values, ...only.values } }),
  },
});

/** Writes nothing, and fails the transaction where the condition does not hold. */
export const check = (table: Table, key: Key, only: Condition): Write => ({
  ConditionCheck: { TableName: table.name, Key: key, ...conditioned(only) },
});

export const remove = (table: Table, key: Key, only?: Condition): Write => ({
  Delete: { TableName: table.name, Key: key, ...(only && conditioned(only)) },
});

/** Somebody else's write came first: which of ours found its condition broken. */
export class LostRace extends Error {
  override readonly name = 'LostRace';
  readonly lost: boolean[];

  constructor(lost: boolean[]) {
    super('A condition of the transaction did not hold');
    this.lost = lost;
  }
}

/** DynamoDB had too much to do, several times over: what was asked for may be asked for again. */
export class Busy extends Error {
  override readonly name = 'Busy';
}

const MOST_TRIES = 5;
// Two transactions met on one item and DynamoDB let neither wait, or it was asked for too much. The SDK retries neither
// where it stands among the reasons of a transaction.
const PASSING = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];

/** All of the writes, or none. */
export async function commit(table: Table, writes: Write[], mostTries = MOST_TRIES): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await table.client.send(new TransactWriteCommand({ TransactItems: writes }));
      return;
    } catch (error) {
      const codes = cancellationCodes(error);
      if (codes.includes('ConditionalCheckFailed')) {
        throw new LostRace(codes.map(code => code === 'ConditionalCheckFailed'));
      }
      if (!codes.some(code => PASSING.includes(code ?? ''))) throw error;
      if (attempt === mostTries)
        throw new Busy(`A transaction was refused ${attempt} times`, { cause: error });
      await pauseBefore(attempt + 1);
    }
  }
}

const LONGEST_PAUSE = 2_000;
const pauseBefore = (attempt: number) =>
  setTimeout(Math.random() * Math.min(LONGEST_PAUSE, 25 * 2 ** attempt));

/** Whether the conditions of a transaction held; whoever must know which did not catches the lost race itself. */
export async function held(transaction: Promise<void>): Promise<boolean> {
  try {
    await transaction;
    return true;
  } catch (error) {
    if (error instanceof LostRace) return false;
    throw error;
  }
}

const cancellationCodes = (error: unknown) =>
  ((error as { CancellationReasons?: { Code?: string }[] }).CancellationReasons ?? []).map(
    ({ Code }) => Code,
  );

/** The answer of a single write, or undefined where its condition did not hold. */
export async function ifHeld<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return undefined;
    throw error;
  }
}
