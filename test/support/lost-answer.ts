import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '#core/storage/table.store.ts';
import { interceptedOnce } from './intercepted.ts';

/** A table whose connection breaks before the response to the first update, which is then repeated as the SDK would. */
export const losingAnswer = (
  table: Table,
  meanwhile: () => Promise<unknown> = async () => {},
  command: 'UpdateCommand' | 'TransactWriteCommand' = 'UpdateCommand',
): Table =>
  interceptedOnce(table, command, async send => {
    await send();
    await meanwhile();
    return send();
  });

/** The engine behind a connection that breaks in this way. The SDK itself retries. */
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
