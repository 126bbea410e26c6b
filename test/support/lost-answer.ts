import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../functions/core/storage/table.store.ts';
import { interceptedOnce } from './intercepted.ts';

/** The table over a connection that breaks before the answer to the first update, which the SDK sends again. */
export const losingAnswer = (table: Table, meanwhile: () => Promise<unknown> = async () => {}): Table =>
  interceptedOnce(table, 'UpdateCommand', async send => {
    await send();
    await meanwhile();
    return send();
  });

/** The same of the engine, by the SDK itself. */
export function breakingConnection({ name, endpoint }: Table & { endpoint: string }): Table {
  const client = new DynamoDBClient({
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  let isLost = false;
  client.middlewareStack.add(
    (next, { commandName }) =>
      async args => {
        const answer = await next(args);
        if (isLost || commandName !== 'UpdateItemCommand') return answer;
        isLost = true;
        throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError' });
      },
    { step: 'deserialize', priority: 'low' },
  );
  return {
    name,
    client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
  };
}
