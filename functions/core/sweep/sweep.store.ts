import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { queryPartition, type Table } from '../table.store.ts';
import { ifHeld } from '../write.store.ts';

const PARTITION = 'SWEEP';
const WATERMARK = { PK: PARTITION, SK: 'WATERMARK' };

/** The last minute that was swept, and the sort keys of the sources to sweep. */
export async function read(table: Table): Promise<{ swept: Date | undefined; sources: string[] }> {
  const items = await queryPartition(table, PARTITION);
  const watermark = items.find(({ SK }) => SK === WATERMARK.SK);
  return {
    swept: watermark && new Date(String(watermark.swept_minute)),
    sources: items.filter(item => item !== watermark).map(({ SK }) => String(SK)),
  };
}

/** Moves the watermark forward, never back: false where another run has moved it this far or further. */
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
