import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { get, type Key, type Table } from './table.store.ts';
import { ifHeld } from './write.store.ts';

/** Part of the item that has the logo. `logo_change` is the id of the request that changed it last, also to none. */
export type Logo = {
  /** Path of the logo's file. */
  logo?: string | undefined;
  logo_change?: string | undefined;
};

/**
 * Replaces the logo that was read before. Answers the current one: `after`, or what another request wrote first;
 * undefined where the item is deleted. No change id is used twice, so a request that is retried late changes nothing.
 */
export async function replace(table: Table, key: Key, before: Logo, after: Logo): Promise<Logo | undefined> {
  const { logo, logo_change } = after;
  const written = await ifHeld(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: key,
        UpdateExpression: `SET logo_change = :change${logo ? ', logo = :logo' : ' REMOVE logo'}`,
        ConditionExpression: `attribute_exists(PK) AND attribute_not_exists(deleted_at) AND ${
          before.logo_change ? 'logo_change = :before' : 'attribute_not_exists(logo_change)'
        }`,
        ExpressionAttributeValues: {
          ':change': logo_change,
          ...(logo && { ':logo': logo }),
          ...(before.logo_change && { ':before': before.logo_change }),
        },
      }),
    ),
  );
  if (written) return after;
  const item = await get(table, key);
  return item?.deleted_at ? undefined : item;
}
