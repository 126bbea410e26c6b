import { type AttributeValue, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Item, Table } from '#core/storage/table.store.ts';
import { type Command, execute } from '../simulation/table/commands.ts';
import { recordOf } from '../simulation/table/record.ts';
import { Store } from '../simulation/table/store.ts';
import { marshalledItem } from '../simulation/table/values.ts';
import { requireValid } from './request-rules.ts';
import { TABLE_NAME } from './table-engine.ts';

export type Written = { shard: string; records: DynamoDBRecord[] }[];
export type MemoryTable = Table & { changes: () => Written };

// The original function, as a test may replace the timers.
const { setImmediate } = globalThis;
const arrived = () => new Promise<void>(done => setImmediate(done));

/**
 * The table of the simulation, which responds like the engine (test/simulation/table.test.ts). Each request arrives a moment
 * after it was sent, so that requests of concurrent callers interleave.
 */
export function memoryTable(options: { anyItems: boolean }): MemoryTable {
  const store = new Store(() => Date.now());
  const send = async (command: Command): Promise<object> => {
    await arrived();
    requireValid(command.constructor.name, command.input, options);
    if (command instanceof QueryCommand) return rawQuery(store, command);
    return command.constructor.name === 'ScanCommand' ? scan(store, command.input) : execute(store, command);
  };
  const read = store.shards.map(() => 0);
  return {
    name: TABLE_NAME,
    client: { send } as unknown as DynamoDBDocumentClient,
    changes: () =>
      store.shards.map((changes, shard) => {
        const since = changes.slice(read[shard]);
        read[shard] = changes.length;
        return { shard: String(shard), records: since.map(recordOf) };
      }),
  };
}

/** Scans the table. The product never scans, so this is only for tests. */
function scan(store: Store, input: { FilterExpression?: string }): { Items: Item[] } {
  if (input.FilterExpression) throw new Error('A scan is not filtered here');
  return { Items: structuredClone([...store.all()]) };
}

const textsOf = (values: Record<string, AttributeValue>): Item =>
  Object.fromEntries(
    Object.entries(values).map(([name, { S }]) => {
      if (S === undefined) throw new Error(`Only texts are taken here, unlike ${name}`);
      return [name, S];
    }),
  );

type Page = { Items?: Item[]; LastEvaluatedKey?: Item };

/** A query without the document client: values have type descriptors, in the request and in the response. */
function rawQuery(store: Store, { input }: QueryCommand): object {
  const { ExpressionAttributeValues: values, ExclusiveStartKey: from } = input;
  const { Items, LastEvaluatedKey, ...page }: Page = execute(store, {
    constructor: QueryCommand,
    input: {
      ...input,
      ...(values && { ExpressionAttributeValues: textsOf(values) }),
      ...(from && { ExclusiveStartKey: textsOf(from) }),
    },
  });
  return {
    ...page,
    ...(Items && { Items: Items.map(marshalledItem) }),
    ...(LastEvaluatedKey && { LastEvaluatedKey: marshalledItem(LastEvaluatedKey) }),
  };
}
