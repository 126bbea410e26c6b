import { type AttributeValue, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { Reading, Table } from './table.store.ts';

/** An item as DynamoDB returns it, each attribute with its type. */
export type RawItem = Record<string, AttributeValue>;

type Range = { PK: string; from: string; to: string };

/**
 * Reads a range of a partition, page by page, without the document client. That converts each attribute, which makes pages
 * of thousands of small numbers more than half as expensive again (docs/decisions/0233-a-report-adds-up-days.md).
 */
export async function* rawPages(
  table: Table,
  { PK, from, to }: Range,
  { consistent }: Reading,
): AsyncGenerator<RawItem[]> {
  let last: RawItem | undefined;
  do {
    const page: { Items?: RawItem[]; LastEvaluatedKey?: RawItem } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'PK = :pk AND SK BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': { S: PK }, ':from': { S: from }, ':to': { S: to } },
        ConsistentRead: consistent,
        ...(last && { ExclusiveStartKey: last }),
      }),
    );
    yield page.Items ?? [];
    last = page.LastEvaluatedKey;
  } while (last);
}
