import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../functions/core/storage/table.store.ts';

/** The table over a connection that breaks before the answer to the first update: the SDK sends the update again. */
export function losingAnswer(
  { name, endpoint }: Table & { endpoint: string },
  meanwhile: () => Promise<unknown> = async () => {},
): Table {
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
        await meanwhile();
        throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError' });
      },
    { step: 'deserialize', priority: 'low' },
  );
  return {
    name,
    client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
  };
}
