import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { keyIn } from '#core/recipient/recipient.key.ts';
import type { PostedValue } from '#core/reporting/value.ts';
import type { SentCounts } from '#core/sending/batch/batch.store.ts';
import { COUNTED_MARKS, type CountedClaim } from '#core/sending/sending.counters.ts';

/**
 * A record of a journal, `R#<organization>#<hash>` / `J#<number>`. If the entry is not a claim, `before` and `after` are
 * undefined.
 */
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
  return {
    hash,
    seq: Number(item.seq?.N),
    at: item.at?.S ?? '',
    combination: item.combination?.S ?? '',
    batch: item.batch?.S ?? '',
    ...((outcome === 'sent' || outcome === 'failed') && { outcome }),
    released: item.released?.BOOL === true,
    marks: COUNTED_MARKS.filter(mark => item[mark] !== undefined),
  };
}

/** A record of a value event, `ORG#<organization>#VALUE` / `<event id>`. */
export function valuePosted({ dynamodb = {} }: DynamoDBRecord): PostedValue {
  const [, organization] = (dynamodb.Keys?.PK?.S ?? '').split('#');
  const { at, combination, units } = dynamodb.NewImage ?? {};
  return {
    organization_id: Number(organization),
    at: at?.S ?? '',
    combination: combination?.S ?? '',
    units: Number(units?.N),
  };
}

/** A record of a batch, `ORG#<organization>#LOG` / `<batch>`. */
export function batchChange({ dynamodb = {} }: DynamoDBRecord) {
  const [, organization] = (dynamodb.Keys?.PK?.S ?? '').split('#');
  return {
    organization_id: Number(organization),
    batch: dynamodb.Keys?.SK?.S ?? '',
    before: sentCountsOf(dynamodb.OldImage),
    after: sentCountsOf(dynamodb.NewImage),
  };
}

function sentCountsOf(item: Record<string, AttributeValue> | undefined): SentCounts | undefined {
  if (!item?.counts?.M) return undefined;
  return Object.fromEntries(
    Object.entries(item.counts.M).map(([day, { M = {} }]) => [
      day,
      Object.fromEntries(Object.entries(M).map(([combination, { N }]) => [combination, Number(N)])),
    ]),
  );
}
