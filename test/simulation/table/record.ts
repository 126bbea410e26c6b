import type { DynamoDBRecord } from 'aws-lambda';
import type { Change } from './store.ts';
import { marshalledItem } from './values.ts';

/** A change as Lambda delivers it. */
export const recordOf = ({ sequence, at, key, before, after }: Change): DynamoDBRecord => ({
  dynamodb: {
    SequenceNumber: String(sequence),
    ApproximateCreationDateTime: Math.floor(at / 1000),
    Keys: marshalledItem(key),
    ...(before && { OldImage: marshalledItem(before) }),
    ...(after && { NewImage: marshalledItem(after) }),
  } as NonNullable<DynamoDBRecord['dynamodb']>,
});
