import {
  BatchExecuteStatementCommand,
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { chunksOf, inParallel } from '#core/parallel.ts';
import { Refusal } from '#core/refusal.ts';
import { get, type Item, type Key, pauseBefore, type Table } from './table.store.ts';

export const MOST_WRITES = 100;

export type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
export type Condition = { condition: string; values?: Item; names?: Record<string, string> };

export const ABSENT: Condition = { condition: 'attribute_not_exists(PK)' };
export const PRESENT: Condition = { condition: 'attribute_exists(PK)' };

const conditioned = ({ condition, ...attributes }: Condition) => ({
  ConditionExpression: condition,
  ...attributesOf(attributes),
});

// DynamoDB rejects empty objects.
const attributesOf = ({ values = {}, names = {} }: Omit<Condition, 'condition'>) => ({
  ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
});

export const putWrite = (table: Table, item: Item & Key, only?: Condition): Write => ({
  Put: { TableName: table.name, Item: item, ...(only && conditioned(only)) },
});

/** The defined fields of a change. An undefined field stays as it is. */
export const definedFields = <T extends object>(change: T): Partial<T> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<T>;

/** Fields to set, to set if they do not exist yet, and to drop; numbers and sets to add to, and sets to subtract from. */
type Fields = { set?: Item; first?: Item; drop?: string[]; add?: Item; subtract?: Item };

/** The expressions of an update. Undefined fields of `set` are not written. */
function expressionsOf(
  { set = {}, first = {}, drop = [], add = {}, subtract = {} }: Fields,
  only?: Condition,
) {
  const given = Object.keys(set).filter(field => set[field] !== undefined);
  const clause = (verb: string, fields: string[], one: (field: string) => string) =>
    fields.length > 0 ? [`${verb} ${fields.map(one).join(', ')}`] : [];
  const values: Item = { ...set, ...first, ...add, ...subtract };
  const written = [...given, ...Object.keys(first), ...Object.keys(add), ...Object.keys(subtract)];
  return {
    UpdateExpression: [
      ...clause('SET', [...given, ...Object.keys(first)], field =>
        field in first ? `#${field} = if_not_exists(#${field}, :new_${field})` : `#${field} = :new_${field}`,
      ),
      ...clause('REMOVE', drop, field => `#${field}`),
      ...clause('ADD', Object.keys(add), field => `#${field} :new_${field}`),
      ...clause('DELETE', Object.keys(subtract), field => `#${field} :new_${field}`),
    ].join(' '),
    ...(only && { ConditionExpression: only.condition }),
    ...attributesOf({
      names: {
        ...Object.fromEntries([...written, ...drop].map(field => [`#${field}`, field])),
        ...only?.names,
      },
      values: {
        ...Object.fromEntries(written.map(field => [`:new_${field}`, values[field]])),
        ...only?.values,
      },
    }),
  };
}

export const updateWrite = (table: Table, key: Key, fields: Fields, only?: Condition): Write => ({
  Update: { TableName: table.name, Key: key, ...expressionsOf(fields, only) },
});

/**
 * Adds to many numbers of one item. An expression has at most 4 KB, so it uses short names for the fields:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
 */
export function additionWrite(table: Table, key: Key, add: Record<string, number>, only?: Condition): Write {
  const fields = Object.keys(add).map((field, at) => ({ field, name: at.toString(36) }));
  return {
    Update: {
      TableName: table.name,
      Key: key,
      UpdateExpression: `ADD ${fields.map(({ name }) => `#${name} :${name}`).join(',')}`,
      ...(only && { ConditionExpression: only.condition }),
      ExpressionAttributeNames: {
        ...Object.fromEntries(fields.map(({ field, name }) => [`#${name}`, field])),
        ...only?.names,
      },
      ExpressionAttributeValues: {
        ...Object.fromEntries(fields.map(({ field, name }) => [`:${name}`, add[field]])),
        ...only?.values,
      },
    },
  };
}
export const MOST_ADDITIONS = 250;

/** Puts one item. Returns false if the condition failed. */
export const putItem = async (table: Table, item: Item & Key, only: Condition): Promise<boolean> =>
  (await ifHeld(() =>
    table.client.send(new PutCommand({ TableName: table.name, Item: item, ...conditioned(only) })),
  )) !== undefined;

// The limit of BatchExecuteStatement.
export const MOST_INSERTS = 25;

/**
 * Inserts items, 25 in a request, each of which succeeds or fails alone. Returns for each whether it was inserted: not if
 * there is an item with its key, or if transactions on it went on. The SDK repeats a request whose answer was lost, so the
 * item that is there may be our own. Throws if the table takes some of them for no other reason; others may be inserted then.
 */
export async function insertItems(table: Table, items: (Item & Key)[]): Promise<boolean[]> {
  const inserted = await inParallel(chunksOf(items, MOST_INSERTS), MOST_INSERTS_IN_FLIGHT, chunk =>
    insertChunk(table, chunk),
  );
  return inserted.flat();
}
const MOST_INSERTS_IN_FLIGHT = 8;

async function insertChunk(table: Table, items: (Item & Key)[]): Promise<boolean[]> {
  const codes = new Map<Item, string | undefined>();
  for (let attempt = 1, left = items; left.length > 0; attempt++) {
    const { Responses = [] } = await table.client.send(
      new BatchExecuteStatementCommand({ Statements: left.map(item => insertStatement(table, item)) }),
    );
    for (const [at, item] of left.entries()) codes.set(item, Responses[at]?.Error?.Code);
    left = left.filter(item => RETRYABLE.includes(codes.get(item) ?? ''));
    if (attempt === MOST_TRIES) break;
    if (left.length > 0) await pauseBefore(attempt + 1);
  }
  return items.map(item => {
    const code = codes.get(item);
    if (code === undefined) return true;
    if (code === 'DuplicateItem' || code === 'TransactionConflict') return false;
    throw new Error(`The table does not take an item: ${code}`);
  });
}

function insertStatement({ name }: Table, item: Item) {
  const fields = Object.keys(item).filter(field => item[field] !== undefined);
  return {
    Statement: `INSERT INTO "${name}" VALUE {${fields.map(field => `'${field}': ?`).join(', ')}}`,
    Parameters: fields.map(field => item[field]),
  };
}

/** Updates one item, and returns it. Returns undefined if the condition failed. */
export async function updateItem(
  table: Table,
  key: Key,
  fields: Fields,
  only?: Condition,
): Promise<Item | undefined> {
  const written = await ifHeld(() =>
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: key,
        ...expressionsOf(fields, only),
        ReturnValues: 'ALL_NEW',
      }),
    ),
  );
  return written?.Attributes;
}

/** The same, in one transaction with the other writes. */
export async function updateWith(
  table: Table,
  key: Key,
  fields: Fields,
  only: Condition | undefined,
  others: Write[],
): Promise<Item | undefined> {
  if (others.length === 0) return updateItem(table, key, fields, only);
  const isWritten = await conditionsHeld(commit(table, [updateWrite(table, key, fields, only), ...others]));
  return isWritten ? get(table, key) : undefined;
}

/** Deletes one item. Returns false if the condition failed. */
export async function deleteItem(table: Table, key: Key, only: Condition): Promise<boolean> {
  const command = new DeleteCommand({ TableName: table.name, Key: key, ...conditioned(only) });
  return (await ifHeld(() => table.client.send(command))) !== undefined;
}

/** The condition that these fields of an item are as they were read. If no item was read, that there is none. */
export function unchanged(before: Item | undefined, fields: string[]): Condition {
  if (!before) return ABSENT;
  const isSet = (field: string) => before[field] !== undefined;
  return {
    condition: [
      PRESENT.condition,
      ...fields.map(field =>
        isSet(field) ? `#${field} = :old_${field}` : `attribute_not_exists(#${field})`,
      ),
    ].join(' AND '),
    names: Object.fromEntries(fields.map(field => [`#${field}`, field])),
    values: Object.fromEntries(fields.filter(isSet).map(field => [`:old_${field}`, before[field]])),
  };
}

export const conditionCheck = (table: Table, key: Key, only: Condition): Write => ({
  ConditionCheck: { TableName: table.name, Key: key, ...conditioned(only) },
});

export const deleteWrite = (table: Table, { PK, SK }: Key, only?: Condition): Write => ({
  Delete: { TableName: table.name, Key: { PK, SK }, ...(only && conditioned(only)) },
});

/** A transaction was cancelled because some of its writes failed. */
class NotCommitted extends Error {
  readonly #failed: Write[];

  constructor(message: string, failed: Write[], options?: ErrorOptions) {
    super(message, options);
    this.#failed = failed;
  }

  isOf(write: Write | undefined): boolean {
    return write !== undefined && this.#failed.includes(write);
  }
}

/** A conflict: another write came first, and conditions of the transaction failed. */
export class ConditionFailed extends NotCommitted {
  override readonly name = 'ConditionFailed';
}

/** An item would be too large, or all writes together, for which DynamoDB names no write. It would fail again. */
export class TransactionTooLarge extends NotCommitted {
  override readonly name = 'TransactionTooLarge';
}

/** DynamoDB cancelled the transaction several times, for conflicts or throttling. It may be repeated. */
export class TransactionContended extends Error {
  override readonly name = 'TransactionContended';
}

const MOST_TRIES = 5;
// Reasons of cancellation after which a transaction may be repeated. The SDK does not retry them.
const RETRYABLE = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];

export async function commit(table: Table, writes: Write[], mostTries = MOST_TRIES): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await table.client.send(new TransactWriteCommand({ TransactItems: writes }));
      return;
    } catch (error) {
      const codes = cancellationCodes(error);
      const writesOf = (code: string) => writes.filter((_, at) => codes[at] === code);
      if (codes.includes('ConditionalCheckFailed')) {
        throw new ConditionFailed(
          'A condition of the transaction did not hold',
          writesOf('ConditionalCheckFailed'),
        );
      }
      if (codes.includes('ValidationError') || isInvalid(error)) {
        const message = 'The table does not take this transaction';
        throw new TransactionTooLarge(message, writesOf('ValidationError'), { cause: error });
      }
      if (!codes.some(code => RETRYABLE.includes(code ?? ''))) throw error;
      if (attempt === mostTries)
        throw new TransactionContended(`A transaction was refused ${attempt} times`, { cause: error });
      await pauseBefore(attempt + 1);
    }
  }
}

/** Awaits a transaction, and returns false if one of its conditions failed. */
export async function conditionsHeld(transaction: Promise<void>): Promise<boolean> {
  try {
    await transaction;
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

const isInvalid = (error: unknown) => error instanceof Error && error.name === 'ValidationException';

const cancellationCodes = (error: unknown) =>
  ((error as { CancellationReasons?: { Code?: string }[] }).CancellationReasons ?? []).map(
    ({ Code }) => Code,
  );

/** Undefined if its condition failed. Retried while a transaction on the item is under way, as the SDK does not. */
export async function ifHeld<T>(write: () => Promise<T>): Promise<T | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      const name = error instanceof Error && error.name;
      if (name === 'ConditionalCheckFailedException') return undefined;
      if (name !== 'TransactionConflictException' || attempt === MOST_TRIES) throw error;
      await pauseBefore(attempt + 1);
    }
  }
}

// More than the writers that a person and their programs ever run at a time.
const MOST_ROUNDS = 12;

type Optimistic<State, Result> = {
  known?: State | undefined;
  read: () => Promise<State>;
  /** Writes on condition that the state is unchanged. Returns undefined after a conflict. */
  write: (state: State) => Promise<Result | undefined>;
  conflict: string;
};

/** Optimistic concurrency: reads, writes conditionally, and repeats both after a conflict. */
export async function optimistically<State, Result>({
  known,
  read,
  write,
  conflict,
}: Optimistic<State, Result>): Promise<Result> {
  let state = known ?? (await read());
  for (let attempt = 1; ; attempt++) {
    const result = await write(state);
    if (result !== undefined) return result;
    if (attempt === MOST_ROUNDS) throw new Refusal('conflict', conflict);
    state = await read();
  }
}
