import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { epochSeconds, type Table } from '../table.store.ts';
import { ifHeld } from '../write.store.ts';

const KEPT = 60 * 60;

/** Counts a call in this window; false where the window has `most` calls already. */
export async function count(
  table: Table,
  organization: number,
  window: Date,
  most: number,
): Promise<boolean> {
  const counted = await ifHeld(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: { PK: `RATE#${organization}`, SK: window.toISOString() },
        UpdateExpression: 'ADD calls :one SET #ttl = :ttl',
        ConditionExpression: 'attribute_not_exists(calls) OR calls < :most',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':one': 1, ':most': most, ':ttl': epochSeconds(window) + KEPT },
      }),
    ),
  );
  return counted !== undefined;
}
