import { type AttributeValue, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { Reading, Table } from './table.store.ts';

/** An item as DynamoDB answers it, each attribute with its type. */
export type RawItem = Record<string, AttributeValue>;

type Range = { PK: string; from: string; to: string };

/**
 * The pages of a partition from one sort key to another, for whoever reads many megabytes of small numbers: by the document
 * client, which converts them, each page costs more than half as much again (docs/decisions/2026-11-23-reporting.md).
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
