import { kindsOf } from '#core/storage/items/items.ts';
import { insertOf, type Statement } from '#local/access/requests.ts';

type Reading = { IndexName?: string; ConsistentRead?: boolean; RequestItems?: Batch };
type Batch = Record<string, { ConsistentRead?: boolean }>;

const READS = /^(Get|BatchGet|Query|Scan)(Item)?Command$/;

/**
 * Refuses a read of the table that does not choose its consistency: local tables never return stale items. Reads of an index
 * are always eventually consistent.
 */
function requireConsistent(command: string, { IndexName, ConsistentRead, RequestItems }: Reading): void {
  if (!READS.test(command) || IndexName) return;
  const reads = RequestItems ? Object.values(RequestItems) : [{ ConsistentRead }];
  if (reads.every(read => read.ConsistentRead !== undefined)) return;
  throw new Error(`${command} reads the table without ConsistentRead`);
}

type Querying = {
  KeyConditionExpression?: string;
  ExpressionAttributeValues?: Record<string, unknown>;
  ExclusiveStartKey?: Record<string, unknown>;
};

const OUTSIDE = 'The provided starting key is outside query boundaries';

/** Refuses a query that starts outside of its range, as DynamoDB does but local tables do not. */
function requireStartWithin({
  KeyConditionExpression: range = '',
  ExpressionAttributeValues: values = {},
  ExclusiveStartKey: start,
}: Querying): void {
  const [, from, to] = /\bSK BETWEEN (:\w+) AND (:\w+)/.exec(range) ?? [];
  const [, prefix] = /\bbegins_with\(SK, (:\w+)\)/.exec(range) ?? [];
  if (start && prefix && !textOf(start.SK)?.startsWith(textOf(values[prefix]) ?? ''))
    throw new Error(OUTSIDE);
  if (!start || !from || !to) return;
  const [lowest, highest, SK] = [values[from], values[to], start.SK].map(textOf);
  if (lowest === undefined || highest === undefined || SK === undefined) return;
  if (SK < lowest || SK > highest) throw new Error(OUTSIDE);
}

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
const MOST_PARTITION_BYTES = 2048;
const MOST_SORT_BYTES = 1024;

/** Refuses an empty text in the condition of a key, as DynamoDB does but local tables do not. */
function requireKeyValues({
  KeyConditionExpression: range = '',
  ExpressionAttributeValues: values = {},
}: Querying) {
  const empty = range.match(/:\w+/g)?.find(name => textOf(values[name]) === '');
  if (empty) throw new Error(`${empty} is empty: a key attribute cannot contain an empty string value`);
}

/** Refuses keys, those of the index too, that are larger than DynamoDB takes. */
function requireKeySizes(command: string, input: Writing & { ExpressionAttributeValues?: object }): void {
  for (const { Item, Key } of writtenBy(command, input)) {
    for (const [name, value] of Object.entries(Item ?? Key ?? {})) {
      if (!/^(GSI1)?[PS]K$/.test(name)) continue;
      const size = Buffer.byteLength(textOf(value) ?? '');
      const most = name.endsWith('PK') ? MOST_PARTITION_BYTES : MOST_SORT_BYTES;
      if (size === 0 || size > most)
        throw new Error(`${name} has ${size} bytes, of at least 1 and at most ${most}`);
    }
  }
}

/** Also reads a value with a type descriptor. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : (value as { S?: string } | undefined)?.S;

type Keys = { PK: string; SK: string };
type Written = { Item?: Keys; Key?: Keys };
type Writing = Written & {
  TransactItems?: Record<string, Written>[];
  RequestItems?: Record<string, { PutRequest?: Written; DeleteRequest?: Written }[]>;
  Statements?: Statement<unknown>[];
};

const SINGLE_WRITE = /^(Put|Update|Delete)(Item)?Command$/;
const BATCH_WRITE = /^BatchWrite(Item)?Command$/;
const INSERTS = /^BatchExecuteStatement(Command)?$/;
const TRANSACTION = /^TransactWrite(Items)?Command$/;

function writtenBy(
  command: string,
  { Item, Key, TransactItems = [], RequestItems = {}, Statements = [] }: Writing,
): Written[] {
  if (TRANSACTION.test(command)) return TransactItems.flatMap(one => Object.values(one));
  if (INSERTS.test(command)) return Statements.map(one => ({ Item: insertOf(one).item as Keys }));
  if (BATCH_WRITE.test(command)) {
    const requests = Object.values(RequestItems).flat();
    return requests.map(one => one.PutRequest ?? one.DeleteRequest ?? {});
  }
  return SINGLE_WRITE.test(command) ? [{ ...(Item && { Item }), ...(Key && { Key }) }] : [];
}

/**
 * Refuses a `ttl` in milliseconds: DynamoDB would delete the item after thousands of years, and local tables delete nothing.
 */
function requireSeconds(input: object): void {
  if (/"(:|:new_)?ttl":\d{11,}/.test(JSON.stringify(input))) throw new Error('A ttl is not in seconds');
}

/** Refuses an item that matches no kind of the declared items, or two. */
function requireKind(command: string, input: Writing): void {
  for (const { PK, SK } of writtenBy(command, input).flatMap(one => one.Item ?? one.Key ?? [])) {
    const kinds = kindsOf({ PK, SK });
    if (kinds.length !== 1) throw new Error(`${PK} ${SK} is of ${kinds.length} kinds of items: ${kinds}`);
  }
}

/** Refuses requests that a local table accepts, but the product must not make. With `anyItems`, a test has items of its own. */
export function requireValid(command: string, input: object, { anyItems }: { anyItems: boolean }): void {
  requireConsistent(command, input as Reading);
  if (!READS.test(command)) requireSeconds(input);
  requireKeyValues(input as Querying);
  requireKeySizes(command, input as Writing);
  if (anyItems) return;
  requireStartWithin(input);
  requireKind(command, input as Writing);
}
