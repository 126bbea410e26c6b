import type { DynamoDBRecord } from 'aws-lambda';
import type { StoredMember } from '#core/sending/backfill.ts';
import { ITEMS, type ItemName, kindsOf } from '#core/storage/items/items.ts';
import type { Asked } from '#core/storage/purge-request.ts';
import { membershipChange } from '../stream/membership.ts';

const isOf = ({ dynamodb: { Keys } = {} }: DynamoDBRecord, ...names: ItemName[]) =>
  kindsOf({ PK: Keys?.PK?.S ?? '', SK: Keys?.SK?.S ?? '' }).some(name => names.includes(name));

/** The purge that a record of a job requests; none for any other record. */
export function purgeAsked(record: DynamoDBRecord): Asked[] {
  if (!isOf(record, 'organizationPurge', 'listPurge')) return [];
  const { organization_id, list_id, ticket } = record.dynamodb?.NewImage ?? {};
  return [
    {
      organization_id: Number(organization_id?.N),
      ...(list_id?.S !== undefined && { list_id: list_id.S }),
      ticket: ticket?.S ?? '',
    },
  ];
}

/** The member of a stored membership; none if they may not be mailed, or for any other record. */
export function memberStored(record: DynamoDBRecord): StoredMember[] {
  const { ApproximateCreationDateTime = 0, SequenceNumber = '' } = record.dynamodb ?? {};
  if (!isOf(record, 'membership')) return [];
  const { organization_id: organization, hash, list_id, before, after } = membershipChange(record);
  if (after?.status !== 'subscribed') return [];
  return [
    {
      organization,
      hash,
      membership: { ...after, list_id },
      before: before?.status === 'subscribed' ? { ...before, list_id } : undefined,
      // The stream gives it in whole seconds, rounded down.
      written: new Date(ApproximateCreationDateTime * 1000),
      sequence: SequenceNumber,
    },
  ];
}

/** The batch of a record if it has ended with emails of which it is unknown whether they were sent. */
export function openBatch(record: DynamoDBRecord) {
  const { Keys, NewImage } = record.dynamodb ?? {};
  const isOpen = isOf(record, 'batch') && OPEN.has(NewImage?.state?.S ?? '');
  return isOpen ? [{ organization: Number(Keys?.PK?.S?.split('#')[1]), batch: Keys?.SK?.S ?? '' }] : [];
}

/** The states of a batch whose unknown emails events of the provider may resolve. */
export const OPEN: ReadonlySet<string> = new Set(ITEMS.batch.stream.dispatcher.image.state);
