import type { Item, Key } from '#core/storage/table.store.ts';
import { insertOf, type Statement } from '#local/access/requests.ts';
import {
  cancelled,
  conditionFailed,
  conditionReason,
  DUPLICATE,
  invalid,
  type Reason,
  TOO_LARGE,
} from './errors.ts';
import { Attributes, holds } from './evaluate.ts';
import { parseCondition, parseUpdate } from './parser.ts';
import { projection, type QueryInput, query } from './query.ts';
import type { Store } from './store.ts';
import { preparedUpdate } from './update.ts';
import { copyOfItem, sizeOfItem } from './values.ts';

type Expressions = {
  ConditionExpression?: string;
  UpdateExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Item;
  ReturnValues?: string;
  ReturnValuesOnConditionCheckFailure?: string;
};
type WriteInput = Expressions & { Key?: Item; Item?: Item };
type Kind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

const MOST_BYTES = 400 * 1024;
const MOST_IN_TRANSACTION = 100;
const MOST_BYTES_IN_TRANSACTION = 4 * 1024 * 1024;

function keyOf(item: Item | undefined): Key {
  const { PK, SK } = item ?? {};
  for (const part of [PK, SK]) {
    if (typeof part !== 'string') throw invalid('The provided key element does not match the schema');
    if (part === '') throw invalid('One or more parameter values are not valid. Empty string value for key');
  }
  return { PK, SK } as Key;
}

function onlyKeyOf(item: Item | undefined): Key {
  if (Object.keys(item ?? {}).length !== 2)
    throw invalid('The provided key element does not match the schema');
  return keyOf(item);
}

function requireStorable(item: Item): void {
  if (sizeOfItem(item) > MOST_BYTES) throw invalid('Item size has exceeded the maximum allowed size');
  for (const name of ['GSI1PK', 'GSI1SK']) {
    if (item[name] === undefined) continue;
    if (typeof item[name] !== 'string') throw invalid(`Type mismatch for Index Key ${name}`);
    if (item[name] === '') throw invalid(`Empty string value for index key ${name}`);
  }
}

/** A decided write that is not done yet: whether its condition holds, and the item after it. */
function decided(store: Store, kind: Kind, input: WriteInput) {
  const put = kind === 'Put' ? copyOfItem(input.Item ?? {}) : undefined;
  const key = put ? keyOf(put) : onlyKeyOf(input.Key);
  const before = store.read(key, true);
  const attributes = new Attributes(input);
  const condition =
    input.ConditionExpression === undefined ? undefined : parseCondition(input.ConditionExpression);
  const update =
    input.UpdateExpression === undefined
      ? (item: Item) => item
      : preparedUpdate(parseUpdate(input.UpdateExpression), attributes);
  const isHeld = !condition || holds(condition, before, attributes);
  const after = () => {
    if (kind === 'ConditionCheck') return before;
    if (kind === 'Delete') return undefined;
    return put ?? update(before ?? { ...key });
  };
  const item = isHeld ? after() : undefined;
  if (isHeld) attributes.requireAllUsed();
  return { key, before, isHeld, after: item };
}

function single(store: Store, kind: Kind, input: WriteInput) {
  const { key, before, isHeld, after } = decided(store, kind, input);
  if (!isHeld) {
    throw conditionFailed(input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? before : undefined);
  }
  if (after) requireStorable(after);
  store.write(key, after);
  const answered = (item: Item | undefined) => (item ? { Attributes: copyOfItem(item) } : {});
  switch (input.ReturnValues ?? 'NONE') {
    case 'NONE':
      return {};
    case 'ALL_OLD':
      return answered(before);
    case 'ALL_NEW':
      return answered(after);
    default:
      throw new Error(`The table of the simulation does not return ${input.ReturnValues}`);
  }
}

type TransactInput = { TransactItems?: Partial<Record<Kind, WriteInput>>[] };

/** Does all of the writes, or none. */
function transaction(store: Store, { TransactItems = [] }: TransactInput) {
  if (TransactItems.length === 0 || TransactItems.length > MOST_IN_TRANSACTION) {
    throw invalid('Member must have length less than or equal to 100 and greater than or equal to 1');
  }
  const writes = TransactItems.map(one => {
    const [[kind, input] = [], ...others] = Object.entries(one) as [Kind, WriteInput][];
    if (!kind || !input || others.length > 0)
      throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
    return { kind, input };
  });
  requireDistinct(
    writes.map(({ input }) => keyOf(input.Item ?? input.Key)),
    'Transaction request cannot include multiple operations on one item',
  );
  const results = writes.map(({ kind, input }) => ({ kind, input, ...decided(store, kind, input) }));
  for (const { kind, after } of results) if (after && kind === 'Put') requireStorable(after);
  const bytes = results.reduce((sum, { after }) => sum + (after ? sizeOfItem(after) : 0), 0);
  if (bytes > MOST_BYTES_IN_TRANSACTION) throw invalid('Transaction size has exceeded the limit of 4 MB');
  const reasons = results.map(({ kind, isHeld, before, after, input }): Reason => {
    if (!isHeld)
      return conditionReason(input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? before : undefined);
    return kind === 'Update' && after && sizeOfItem(after) > MOST_BYTES ? TOO_LARGE : { Code: 'None' };
  });
  if (reasons.some(({ Code }) => Code !== 'None')) throw cancelled(reasons);
  for (const { key, before, after } of results) if (after !== before) store.write(key, after);
  return {};
}

function requireDistinct(keys: Key[], message: string): void {
  if (new Set(keys.map(({ PK, SK }) => `${PK}\0${SK}`)).size < keys.length) throw invalid(message);
}

type BatchGet = Expressions & { Keys?: Item[]; ConsistentRead?: boolean; ProjectionExpression?: string };

function batchGet(store: Store, { RequestItems = {} }: { RequestItems?: Record<string, BatchGet> }) {
  const Responses: Record<string, Item[]> = {};
  for (const [name, input] of Object.entries(RequestItems)) {
    const keys = (input.Keys ?? []).map(onlyKeyOf);
    if (keys.length === 0 || keys.length > 100)
      throw invalid('Too many items requested for the BatchGetItem call');
    requireDistinct(keys, 'Provided list of item keys contains duplicates');
    const project = projection(input.ProjectionExpression, new Attributes(input));
    const found = keys.map(key => store.read(key, input.ConsistentRead ?? false));
    Responses[name] = found.flatMap(item => (item ? [project(item)] : []));
  }
  return { Responses, UnprocessedKeys: {} };
}

type Requested = { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Item } };

function batchWrite(store: Store, { RequestItems = {} }: { RequestItems?: Record<string, Requested[]> }) {
  const requests = Object.values(RequestItems).flat();
  if (requests.length === 0 || requests.length > 25)
    throw invalid('Too many items requested for the BatchWriteItem call');
  const writes = requests.map(({ PutRequest, DeleteRequest }) => {
    const item = PutRequest && copyOfItem(PutRequest.Item);
    if (item) requireStorable(item);
    return { key: item ? keyOf(item) : onlyKeyOf(DeleteRequest?.Key), item };
  });
  requireDistinct(
    writes.map(({ key }) => key),
    'Provided list of item keys contains duplicates',
  );
  for (const { key, item } of writes) store.write(key, item);
  return { UnprocessedItems: {} };
}

/** Inserts items, each of which fails alone. */
function batchInsert(store: Store, { Statements = [] }: { Statements?: Statement<unknown>[] }) {
  const inserts = Statements.map(insertOf);
  if (inserts.length === 0 || inserts.length > 25)
    throw invalid('Member must have length less than or equal to 25 and greater than or equal to 1');
  requireDistinct(
    inserts.map(({ item }) => keyOf(item)),
    'Provided list of item keys contains duplicates',
  );
  const Responses = inserts.map(({ table: TableName, item }) => {
    if (store.read(keyOf(item), true)) return { Error: DUPLICATE, TableName };
    requireStorable(item);
    store.write(keyOf(item), copyOfItem(item));
    return { TableName };
  });
  return { Responses };
}

type GetInput = Expressions & { Key?: Item; ConsistentRead?: boolean; ProjectionExpression?: string };

function getItem(store: Store, input: GetInput) {
  const attributes = new Attributes(input);
  const project = projection(input.ProjectionExpression, attributes);
  attributes.requireAllUsed();
  const found = store.read(onlyKeyOf(input.Key), input.ConsistentRead ?? false);
  return found ? { Item: project(found) } : {};
}

const COMMANDS: Record<string, (store: Store, input: never) => object> = {
  GetCommand: getItem,
  QueryCommand: (store, input: QueryInput) => query(store, input),
  PutCommand: (store, input: WriteInput) => single(store, 'Put', input),
  UpdateCommand: (store, input: WriteInput) => single(store, 'Update', input),
  DeleteCommand: (store, input: WriteInput) => single(store, 'Delete', input),
  BatchGetCommand: batchGet,
  BatchWriteCommand: batchWrite,
  BatchExecuteStatementCommand: batchInsert,
  TransactWriteCommand: transaction,
};

export type Command = { constructor: { name: string }; input: object };

/** Executes a document command at once. Returns or throws what the SDK would. */
export function execute(store: Store, { constructor: { name }, input }: Command): object {
  const run = COMMANDS[name];
  if (!run) throw new Error(`The table of the simulation does not know ${name}`);
  return run(store, input as never);
}
