import {
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { get, type Item, type Key, pauseBefore, type Table } from './table.store.ts';

/** Of a transaction. */
export const MOST_WRITES = 100;

/** One write of a transaction. */
export type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
export type Condition = { condition: string; values?: Item; names?: Record<string, string> };

export const ABSENT: Condition = { condition: 'attribute_not_exists(PK)' };
export const PRESENT: Condition = { condition: 'attribute_exists(PK)' };

const conditioned = ({ condition, ...attributes }: Condition) => ({
  ConditionExpression: condition,
  ...attributesOf(attributes),
});

// DynamoDB refuses empty ones.
const attributesOf = ({ values = {}, names = {} }: Omit<Condition, 'condition'>) => ({
  ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
});

export const putWrite = (table: Table, item: Item & Key, only?: Condition): Write => ({
  Put: { TableName: table.name, Item: item, ...(only && conditioned(only)) },
});

/** Fields to set, to set where there are none yet, and to drop; numbers and sets to add to, and sets to subtract from. */
type Fields = { set?: Item; first?: Item; drop?: string[]; add?: Item; subtract?: Item };

/** The expressions of an update. Fields to set that are undefined are not written. */
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
 * Adds to many numbers of one item. An expression ends at 4 KB, so the fields have short names in it:
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
/** So many fit. */
export const MOST_ADDITIONS = 250;

/** Puts one item; false where the condition did not hold. */
export const putItem = async (table: Table, item: Item & Key, only: Condition): Promise<boolean> =>
  (await ifHeld(() =>
    table.client.send(new PutCommand({ TableName: table.name, Item: item, ...conditioned(only) })),
  )) !== undefined;

/** Updates one item, in one transaction with the others, and returns it; undefined where a condition did not hold. */
export async function updateItem(
  table: Table,
  key: Key,
  fields: Fields,
  only?: Condition,
  others: Write[] = [],
): Promise<Item | undefined> {
  if (others.length > 0) {
    const isWritten = await conditionsHeld(commit(table, [updateWrite(table, key, fields, only), ...others]));
    return isWritten ? get(table, key) : undefined;
  }
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

/** Deletes one item; false where the condition did not hold. */
export async function deleteItem(table: Table, key: Key, only: Condition): Promise<boolean> {
  const command = new DeleteCommand({ TableName: table.name, Key: key, ...conditioned(only) });
  return (await ifHeld(() => table.client.send(command))) !== undefined;
}

/** The condition that these fields of an item have the values that were read, or that there is none, as was read. */
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

/** Writes nothing, and fails the transaction where the condition does not hold. */
export const conditionCheck = (table: Table, key: Key, only: Condition): Write => ({
  ConditionCheck: { TableName: table.name, Key: key, ...conditioned(only) },
});

export const deleteWrite = (table: Table, { PK, SK }: Key, only?: Condition): Write => ({
  Delete: { TableName: table.name, Key: { PK, SK }, ...(only && conditioned(only)) },
});

/** Nothing of a transaction was written, because of some of its writes. */
class NotCommitted extends Error {
  readonly #failed: Write[];

  constructor(message: string, failed: Write[], options?: ErrorOptions) {
    super(message, options);
    this.#failed = failed;
  }

  /** Whether this write is one that failed. */
  isOf(write: Write | undefined): boolean {
    return write !== undefined && this.#failed.includes(write);
  }
}

/** Another write came first: conditions of the transaction failed. */
export class LostRace extends NotCommitted {
  override readonly name = 'LostRace';
}

/** The table never takes it: an item would be too large, or all of them together, for which no write is named. */
export class TooMuch extends NotCommitted {
  override readonly name = 'TooMuch';
}

/** DynamoDB cancelled the transaction several times for conflicts or throttling: it may be repeated. */
export class Busy extends Error {
  override readonly name = 'Busy';
}

const MOST_TRIES = 5;
// Reasons of a cancelled transaction after which it may be repeated. The SDK does not retry them.
const RETRYABLE = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];

/** All of the writes, or none. */
export async function commit(table: Table, writes: Write[], mostTries = MOST_TRIES): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await table.client.send(new TransactWriteCommand({ TransactItems: writes }));
      return;
    } catch (error) {
      const codes = cancellationCodes(error);
      const writesOf = (code: string) => writes.filter((_, at) => codes[at] === code);
      if (codes.includes('ConditionalCheckFailed')) {
        throw new LostRace('A condition of the transaction did not hold', writesOf('ConditionalCheckFailed'));
      }
      if (codes.includes('ValidationError') || isInvalid(error)) {
        const message = 'The table does not take this transaction';
        throw new TooMuch(message, writesOf('ValidationError'), { cause: error });
      }
      if (!codes.some(code => RETRYABLE.includes(code ?? ''))) throw error;
      if (attempt === mostTries)
        throw new Busy(`A transaction was refused ${attempt} times`, { cause: error });
      await pauseBefore(attempt + 1);
    }
  }
}

/** Whether the conditions of a transaction held. */
export async function conditionsHeld(transaction: Promise<void>): Promise<boolean> {
  try {
    await transaction;
    return true;
  } catch (error) {
    if (error instanceof LostRace) return false;
    throw error;
  }
}

const isInvalid = (error: unknown) => error instanceof Error && error.name === 'ValidationException';

const cancellationCodes = (error: unknown) =>
  ((error as { CancellationReasons?: { Code?: string }[] }).CancellationReasons ?? []).map(
    ({ Code }) => Code,
  );

/**
 * The result of a single write, or undefined where its condition did not hold. It is repeated while a transaction on the
 * item is under way, which refuses it and which the SDK does not retry.
 */
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
