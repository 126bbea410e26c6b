import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { queryPartition, type Table } from '../table.store.ts';
import { ifHeld } from '../write.store.ts';

const PARTITION = 'SWEEP';
const WATERMARK = { PK: PARTITION, SK: 'WATERMARK' };

/** Whether anything is there to be swept. */
export async function hasSources(table: Table): Promise<boolean> {
  return (await queryPartition(table, PARTITION)).some(({ SK }) => SK !== WATERMARK.SK);
}

/** Only ever forward: false where it stands at this minute already, or beyond. */
export async function moveWatermark(table: Table, to: Date): Promise<boolean> {
  const swept_minute = to.toISOString();
  const written = await ifHeld(
    table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: { ...WATERMARK, swept_minute },
        ConditionExpression: 'attribute_not_exists(PK) OR swept_minute < :to',
        ExpressionAttributeValues: { ':to': swept_minute },
      }),
    ),
  );
  return written !== undefined;
}
