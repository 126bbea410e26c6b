import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { keyIn } from '#core/recipient/recipient.key.ts';

/** A record of a membership, `R#<organization>#<hash>` / `IN#<list>`. */
export function membershipChange({ dynamodb = {} }: DynamoDBRecord) {
  const { organization, hash } = keyIn(dynamodb.Keys?.PK?.S ?? '');
  return {
    organization_id: organization,
    hash,
    list_id: (dynamodb.Keys?.SK?.S ?? '').slice('IN#'.length),
    before: membershipOf(dynamodb.OldImage),
    after: membershipOf(dynamodb.NewImage),
  };
}

function membershipOf(item: Record<string, AttributeValue> | undefined) {
  if (!item) return undefined;
  // Dates are strings: no other type of metadata matters.
  const strings = Object.entries(item.metadata?.M ?? {}).flatMap(([key, { S }]) =>
    S === undefined ? [] : [[key, S] as const],
  );
  return {
    email: item.email?.S ?? '',
    status: item.status?.S ?? '',
    metadata: Object.fromEntries(strings),
    created_at: item.created_at?.S ?? '',
    updated_at: item.updated_at?.S ?? '',
    revision: item.revision?.S ?? '',
    by: item.by?.S,
  };
}
