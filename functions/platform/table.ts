import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { env, withTimeout } from './runtime.ts';

export function documentClient(config: DynamoDBClientConfig): DynamoDBDocumentClient {
  // Four attempts and the waits between them end before a function does, which runs for 10 seconds at least.
  const client = new DynamoDBClient({ ...withTimeout(2_200), ...config });
  // The middleware copies every response for a log that is not written (docs/decisions/0121-reports-bypass-sdk-conversion.md).
  client.middlewareStack.remove('loggerMiddleware');
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}

/**
 * The table of the stage. Its name is read where a call needs it, and not when this file is loaded, since tests and the
 * scripts load it before they know of any stage.
 */
export const table = {
  client: documentClient({}),
  get name() {
    return env('TABLE_NAME');
  },
};
