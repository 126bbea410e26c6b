/** One action of a call to a table, which a policy allows or denies. */
export type Request = { action: string; table: string; index?: string | undefined; keys: Key[] };
export type Key = Record<string, { S?: string } | undefined>;

type Keyed = { TableName: string; Key?: Key; Item?: Key };
type Body = Keyed & {
  IndexName?: string;
  KeyConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Key;
  TransactItems: Record<string, Keyed>[];
};
type BatchGet = { RequestItems: Record<string, { Keys: Key[] }> };
type BatchWrite = {
  RequestItems: Record<string, { PutRequest?: { Item: Key }; DeleteRequest?: { Key: Key } }[]>;
};

export type Statement<Value> = { Statement: string; Parameters: Value[] };

/** The item that a statement inserts, and its table: the product makes no other statements. */
export function insertOf<Value>({ Statement, Parameters }: Statement<Value>) {
  const [, table = '', fields = ''] = /^INSERT INTO "([^"]+)" VALUE \{(.*)\}$/.exec(Statement) ?? [];
  const names = [...fields.matchAll(/'(\w+)': \?/g)].map(([, name = '']) => name);
  const item: Record<string, Value | undefined> = Object.fromEntries(
    names.map((name, index) => [name, Parameters[index]]),
  );
  return { table, item };
}

/** A transaction needs the permission for each kind of its writes; another call needs that for its operation. */
export function requestsOf(operation: string, body: unknown): Request[] {
  const action = `dynamodb:${operation}`;
  if (operation === 'BatchGetItem') {
    return Object.entries((body as BatchGet).RequestItems).map(([table, { Keys: keys }]) => ({
      action,
      table,
      keys,
    }));
  }
  if (operation === 'BatchWriteItem') {
    return Object.entries((body as BatchWrite).RequestItems).map(([table, writes]) => ({
      action,
      table,
      keys: writes.map(({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key ?? {}),
    }));
  }
  if (operation === 'BatchExecuteStatement') {
    const { Statements } = body as { Statements: Statement<Key[string]>[] };
    return Statements.map(insertOf).map(({ table, item }) => ({
      action: 'dynamodb:PartiQLInsert',
      table,
      keys: [item],
    }));
  }
  const { TableName: table, IndexName: index, TransactItems, ...call } = body as Body;
  if (TransactItems) return ofTransaction(TransactItems);
  const key = operation === 'Query' ? queriedKey(call) : (call.Key ?? call.Item);
  return [{ action, table, index, keys: key ? [key] : [] }];
}

function ofTransaction(items: Record<string, Keyed>[]): Request[] {
  const writes = items.flatMap(item => Object.entries(item));
  const groups = Map.groupBy(writes, ([kind, { TableName }]) => `${kind} ${TableName}`);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first
      ? {
          action: `dynamodb:${first[0]}Item`,
          table: first[1].TableName,
          keys: [first, ...others].map(([, { Key, Item }]) => Key ?? Item ?? {}),
        }
      : [],
  );
}

/** The attributes that a query compares with a value by `=`. */
function queriedKey({
  KeyConditionExpression = '',
  ExpressionAttributeNames: names = {},
  ExpressionAttributeValues: values = {},
}: Omit<Body, 'TableName' | 'TransactItems'>): Key {
  const equalities = KeyConditionExpression.matchAll(/(#?\w+)\s*=\s*(:\w+)/g);
  return Object.fromEntries(
    [...equalities].map(([, name = '', value = '']) => [names[name] ?? name, values[value]]),
  );
}
