import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { keyIn } from '../core/recipient/recipient/recipient.key.ts';
import { COUNTED_MARKS, type CountedClaim } from '../core/reporting/rollup/rollup.ts';
import type { Stored } from '../core/sending/start/start.ts';

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

/** A membership that was written, for what may be due at once; none where it has ended. */
export function membershipStored(record: DynamoDBRecord): Stored[] {
  const { organization_id: organization, hash, list_id } = membershipChange(record);
  const { OldImage, NewImage } = record.dynamodb ?? {};
  const [before, membership] = [OldImage, NewImage].map(image => datedOf(image, list_id));
  return membership ? [{ organization, hash, membership, before }] : [];
}

function datedOf(item: Record<string, AttributeValue> | undefined, list_id: string) {
  const membership = membershipOf(item);
  if (membership?.status !== 'subscribed') return undefined;
  return { ...membership, list_id, created_at: item?.created_at?.S ?? '' };
}

function membershipOf(item: Record<string, AttributeValue> | undefined) {
  if (!item) return undefined;
  // Dates are strings: no other type of metadata is counted.
  const strings = Object.entries(item.metadata?.M ?? {}).flatMap(([key, { S }]) =>
    S === undefined ? [] : [[key, S] as const],
  );
  return {
    email: item.email?.S ?? '',
    status: item.status?.S ?? '',
    metadata: Object.fromEntries(strings),
    updated_at: item.updated_at?.S ?? '',
    revision: item.revision?.S ?? '',
    by: item.by?.S,
  };
}

/** A record of a journal, `R#<organization>#<hash>` / `J#<number>`: of an entry that is no claim, neither before nor after. */
export function claimChange({ dynamodb = {} }: DynamoDBRecord) {
  return {
    organization_id: keyIn(dynamodb.Keys?.PK?.S ?? '').organization,
    before: claimOf(dynamodb.OldImage),
    after: claimOf(dynamodb.NewImage),
  };
}

function claimOf(item: Record<string, AttributeValue> | undefined): CountedClaim | undefined {
  if (item?.type?.S !== 'send') return undefined;
  return {
    at: item.at?.S ?? '',
    combination: item.combination?.S ?? '',
    released: item.released?.BOOL === true,
    marks: COUNTED_MARKS.filter(mark => item[mark] !== undefined),
  };
}
