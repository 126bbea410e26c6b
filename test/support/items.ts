import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { batchWrite, type Item, type Key, type Table } from '#core/storage/table.store.ts';
import { allItems } from './scan.ts';
import type { Stack } from './stack.ts';

const clients = new Map<string, DynamoDBDocumentClient>();

/** The table of a stack, for what no route does yet. */
export const documents = (stack: Stack): Table => stack.memory() ?? tableOf(stack.env());

export function tableOf(env: Record<string, string>): Table {
  const { TABLE_NAME: name = '', AWS_ENDPOINT_URL_DYNAMODB: endpoint = '', AWS_REGION: region = '' } = env;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client =
    clients.get(endpoint) ??
    DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
  clients.set(endpoint, client);
  return { name, client };
}

export const items = (stack: Stack) => allItems(documents(stack));

/** What is stored, as a text: also what is in sets. */
export const textOf = (stored: unknown) =>
  JSON.stringify(stored, (_, value) => (value instanceof Set ? [...value] : value));

export async function put(stack: Stack, Item: Record<string, unknown>): Promise<void> {
  const { name: TableName, client } = documents(stack);
  await client.send(new PutCommand({ TableName, Item }));
}

export async function putAll(stack: Stack, puts: (Key & Item)[]): Promise<void> {
  await batchWrite(documents(stack), { puts });
}

/** What a function of the core needs to read and change the table of a stack. */
export async function needsOf(stack: Stack) {
  const { body: clock } = await stack.fetchJson('GET', '/_local/clock');
  return { table: documents(stack), now: new Date(clock.now) };
}
