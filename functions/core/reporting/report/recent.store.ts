import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type Batch, batchesIn, logPartition } from '../../sending/batch/batch.ts';
import type { Item, Table } from '../../storage/table.store.ts';

// A query answers up to 1 MB. Few items are read first: the newest batches are mostly enough.
const FIRST_ITEMS = 24;
const MOST_ITEMS = 1_000;
const MOST_QUERIES = 10;
const MINUTE = '2030-01-01T09:30'.length;
const isHead = ({ type }: Item) => type === 'batch';

/** The batches between two sort keys, from the last one on, and the minute down to which they were read, if there are more. */
export async function* newestBatches(
  table: Table,
  organization: number,
  { from, to }: { from: string; to: string },
): AsyncGenerator<{ batches: Batch[]; since: string | undefined }> {
  let last: Item | undefined;
  // Backwards, what belongs to a batch comes before its head.
  let pending: Item[] = [];
  for (let queries = 0, limit = FIRST_ITEMS; queries < MOST_QUERIES; queries++) {
    const page: { Items?: Item[]; LastEvaluatedKey?: Item } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'PK = :pk AND SK BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': logPartition(organization), ':from': from, ':to': to },
        ScanIndexForward: false,
        ConsistentRead: false,
        Limit: limit,
        ...(last && { ExclusiveStartKey: last }),
      }),
    );
    last = page.LastEvaluatedKey;
    const items = [...pending, ...(page.Items ?? [])];
    const end = items.findLastIndex(isHead) + 1;
    pending = items.slice(end);
    yield { batches: batchesIn(items.slice(0, end)), since: last && String(last.SK).slice(0, MINUTE) };
    if (!last) return;
    limit = Math.min(MOST_ITEMS, limit * 2);
  }
}
