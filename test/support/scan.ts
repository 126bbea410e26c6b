import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Item, Key, Table } from '#core/storage/table.store.ts';

export async function allItems(table: Table): Promise<(Item & Key)[]> {
  const items: (Item & Key)[] = [];
  let from: Item | undefined;
  do {
    const page: { Items?: Item[]; LastEvaluatedKey?: Item } = await table.client.send(
      new ScanCommand({ TableName: table.name, ConsistentRead: true, ExclusiveStartKey: from }),
    );
    items.push(...((page.Items ?? []) as (Item & Key)[]));
    from = page.LastEvaluatedKey;
  } while (from);
  return items;
}
