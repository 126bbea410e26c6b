import { type AttributeValue, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { batchWrite, type Item, type Key } from '#core/storage/table.store.ts';
import type { Stack } from './stack.ts';

const clients = new Map<string, DynamoDBClient>();

function tableOf(stack: Stack) {
  const { TABLE_NAME, AWS_ENDPOINT_URL_DYNAMODB: endpoint = '', AWS_REGION: region = '' } = stack.env();
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = clients.get(endpoint) ?? new DynamoDBClient({ endpoint, region, credentials });
  clients.set(endpoint, client);
  return { TableName: TABLE_NAME, client };
}

/** All items in the table of a stack. */
export async function items(stack: Stack): Promise<Record<string, AttributeValue>[]> {
  const { TableName, client } = tableOf(stack);
  const all: Record<string, AttributeValue>[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
    all.push(...Items);
  }
  return all;
}

/** Puts an item into the table of a stack. */
export async function put(stack: Stack, Item: Record<string, unknown>): Promise<void> {
  const { TableName, client } = tableOf(stack);
  await DynamoDBDocumentClient.from(client).send(new PutCommand({ TableName, Item }));
}

/** Puts many items into the table of a stack. */
export async function putAll(stack: Stack, puts: (Key & Item)[]): Promise<void> {
  await batchWrite(documents(stack), { puts });
}

/** The document client for the table of a stack, for what no route does yet. */
export function documents(stack: Stack) {
  const { TableName = '', client } = tableOf(stack);
  return { name: TableName, client: DynamoDBDocumentClient.from(client) };
}

/** What a function of the core needs to read and change the table of a stack. */
export async function needsOf(stack: Stack) {
  const { body: clock } = await stack.fetchJson('GET', '/_local/clock');
  return { table: documents(stack), now: new Date(clock.now) };
}
