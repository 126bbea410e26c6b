import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import type { Change, Image } from '../core/projection/projection.ts';

/** A record of the stream, in the words of the product. */
export function changeOf({ dynamodb = {} }: DynamoDBRecord): Change {
  const [, organization, hash = ''] = (dynamodb.Keys?.PK?.S ?? '').split('#');
  return {
    sequence: dynamodb.SequenceNumber ?? '0',
    organization: Number(organization),
    hash,
    list: (dynamodb.Keys?.SK?.S ?? '').slice('IN#'.length),
    before: imageOf(dynamodb.OldImage),
    after: imageOf(dynamodb.NewImage),
  };
}

function imageOf(item: Record<string, AttributeValue> | undefined): Image | undefined {
  if (!item) return undefined;
  // Dates are texts: of the metadata, nothing else counts.
  const texts = Object.entries(item.metadata?.M ?? {}).flatMap(([key, { S }]) =>
    S === undefined ? [] : [[key, S] as const],
  );
  return {
    email: item.email?.S ?? '',
    status: item.status?.S ?? '',
    metadata: Object.fromEntries(texts),
    updated_at: item.updated_at?.S ?? '',
    revision: item.revision?.S ?? '',
    by: item.by?.S,
  };
}
