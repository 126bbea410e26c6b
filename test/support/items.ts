import { type AttributeValue, DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect } from 'vitest';
import type { freshStack } from './stack.ts';

/** All that the table of a stack holds. */
export async function items(stack: ReturnType<typeof freshStack>): Promise<Record<string, AttributeValue>[]> {
  const { TABLE_NAME, AWS_ENDPOINT_URL_DYNAMODB: endpoint = '', AWS_REGION: region = '' } = stack.env();
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const table = new DynamoDBClient({ endpoint, region, credentials });
  const { Items = [], LastEvaluatedKey } = await table.send(
    new ScanCommand({ TableName: TABLE_NAME, ConsistentRead: true }),
  );
  expect(LastEvaluatedKey).toBeUndefined();
  return Items;
}
