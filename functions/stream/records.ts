import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { keyIn } from '#core/recipient/recipient.key.ts';
import type { PostedValue } from '#core/reporting/value.ts';
import type { StoredMember } from '#core/sending/backfill.ts';
import type { SentCounts } from '#core/sending/batch/batch.store.ts';
import type { AutomationChange } from '#core/sending/email-events.ts';
import { COUNTED_MARKS, type CountedClaim, TOLD_MARKS } from '#core/sending/sending.counters.ts';
import { ITEMS, type ItemName, kindsOf } from '#core/storage/items/items.ts';
import type { Asked } from '#core/storage/purge-request.ts';
import { MAILBOX_NAMES } from '#shared/mailbox.ts';
import { PROVIDERS } from '#shared/providers.ts';

/** `R#<organization>#<hash>` / `IN#<list>`. */
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
  const startsAfter = item.added_by?.M?.starts_after?.S;
  return {
    email: item.email?.S ?? '',
    status: item.status?.S ?? '',
    metadata: Object.fromEntries(strings),
    created_at: item.created_at?.S ?? '',
    updated_at: item.updated_at?.S ?? '',
    revision: item.revision?.S ?? '',
    by: item.by?.S,
    ...(startsAfter !== undefined && { added_by: { starts_after: startsAfter } }),
  };
}

/** `R#<organization>#<hash>` / `J#<number>`. If the entry is not a claim, `before` and `after` are undefined. */
export function claimChange({ dynamodb = {} }: DynamoDBRecord) {
  const { organization, hash } = keyIn(dynamodb.Keys?.PK?.S ?? '');
  return {
    organization_id: organization,
    before: claimOf(hash, dynamodb.OldImage),
    after: claimOf(hash, dynamodb.NewImage),
  };
}

function claimOf(hash: string, item: Record<string, AttributeValue> | undefined): CountedClaim | undefined {
  if (item?.type?.S !== 'send') return undefined;
  const outcome = item.outcome?.S;
  const bounce = item.bounce?.S;
  const provider = providerIn(item);
  const resumes = resumesIn(item);
  const mailbox = MAILBOX_NAMES.find(name => name === item.mailbox?.S);
  const times = TOLD_MARKS.flatMap(mark => (item[mark]?.S === undefined ? [] : [[mark, item[mark].S]]));
  return {
    hash,
    seq: Number(item.seq?.N),
    at: item.at?.S ?? '',
    combination: item.combination?.S ?? '',
    ...(item.weighted?.BOOL && { weighted: true }),
    batch: item.batch?.S ?? '',
    ...((outcome === 'sent' || outcome === 'failed') && { outcome }),
    ...((bounce === 'hard' || bounce === 'soft') && { bounce }),
    ...(provider && { provider }),
    ...(mailbox && { mailbox }),
    ...(resumes > 0 && { resumes }),
    ...(item.value?.N !== undefined && { value: Number(item.value.N) }),
    released: item.released?.BOOL === true,
    marks: COUNTED_MARKS.filter(mark => item[mark] !== undefined),
    times: Object.fromEntries(times),
  };
}

const resumesIn = (item: Record<string, AttributeValue> | undefined) => Number(item?.resumes?.N ?? 0);

const providerIn = (item: Record<string, AttributeValue> | undefined) =>
  PROVIDERS.find(name => name === item?.provider?.S);

/** `ORG#<organization>#VALUE` / `<event id>`. */
export function valuePosted({ dynamodb = {} }: DynamoDBRecord): PostedValue {
  const [, organization] = (dynamodb.Keys?.PK?.S ?? '').split('#');
  const { at, sent_at, combination, units, hash, lists } = dynamodb.NewImage ?? {};
  return {
    organization_id: Number(organization),
    at: at?.S ?? '',
    ...(sent_at?.S !== undefined && { sent_at: sent_at.S }),
    ...(combination?.S !== undefined && { combination: combination.S }),
    ...(hash?.S !== undefined && { hash: hash.S, lists: (lists?.L ?? []).flatMap(({ S }) => S ?? []) }),
    units: Number(units?.N),
  };
}

/** `ORG#<organization>#LOG` / `<batch>`. */
export function batchChange({ dynamodb = {} }: DynamoDBRecord) {
  const [, organization] = (dynamodb.Keys?.PK?.S ?? '').split('#');
  return {
    organization_id: Number(organization),
    batch: dynamodb.Keys?.SK?.S ?? '',
    at: dynamodb.NewImage?.at?.S ?? '',
    provider: providerIn(dynamodb.NewImage),
    resumes: resumesIn(dynamodb.NewImage),
    before: sentCountsOf(dynamodb.OldImage),
    after: sentCountsOf(dynamodb.NewImage),
  };
}

function sentCountsOf(item: Record<string, AttributeValue> | undefined): SentCounts | undefined {
  if (!item?.counts?.M) return undefined;
  return Object.fromEntries(
    Object.entries(item.counts.M).map(([day, { M = {} }]) => [
      day,
      Object.fromEntries(Object.entries(M).map(([name, { N }]) => [name, Number(N)])),
    ]),
  );
}

/** `ORG#<organization>` / `AUTO#<automation>` or `CAST#<automation>`. */
export function automationChange({ dynamodb = {} }: DynamoDBRecord): AutomationChange {
  const { Keys, OldImage, NewImage = {}, ApproximateCreationDateTime = 0 } = dynamodb;
  return {
    organization_id: Number(Keys?.PK?.S?.split('#')[1]),
    automation_id: NewImage.id?.S ?? '',
    name: NewImage.name?.S ?? '',
    email_list_ids: (NewImage.email_list_ids?.L ?? []).flatMap(({ S }) => S ?? []),
    revision: NewImage.revision?.S ?? '',
    at: new Date(ApproximateCreationDateTime * 1000).toISOString(),
    wasActive: OldImage?.active?.BOOL === true,
    isActive: NewImage.active?.BOOL === true,
    // Of the reasons for which a broadcast is stopped, the guard alone is stored as a pause too.
    by: NewImage.paused?.M ? 'guard' : NewImage.stopped?.M ? 'product' : 'user',
  };
}

const isOf = ({ dynamodb: { Keys } = {} }: DynamoDBRecord, ...names: ItemName[]) =>
  kindsOf({ PK: Keys?.PK?.S ?? '', SK: Keys?.SK?.S ?? '' }).some(name => names.includes(name));

/** None for another record. */
export function purgeAsked(record: DynamoDBRecord): Asked[] {
  if (!isOf(record, 'organizationPurge', 'listPurge')) return [];
  const { organization_id, list_id, ticket } = record.dynamodb?.NewImage ?? {};
  const purge = { organization_id: Number(organization_id?.N), ticket: ticket?.S ?? '' };
  return [list_id?.S === undefined ? purge : { ...purge, list_id: list_id.S }];
}

/** None if they may not be mailed, or for another record. */
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

/** If it has ended with emails of which it is unknown whether they were sent. */
export function openBatch(record: DynamoDBRecord) {
  const { Keys, NewImage } = record.dynamodb ?? {};
  const isOpen = isOf(record, 'batch') && OPEN.has(NewImage?.state?.S ?? '');
  return isOpen ? [{ organization: Number(Keys?.PK?.S?.split('#')[1]), batch: Keys?.SK?.S ?? '' }] : [];
}

/** The states of a batch whose unknown emails events of the provider may resolve. */
export const OPEN: ReadonlySet<string> = new Set(ITEMS.batch.stream.dispatcher.image.state);
