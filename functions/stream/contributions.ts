import type { DynamoDBRecord } from 'aws-lambda';
import { listCounters } from '#core/list/counts.ts';
import { listMemberEvents } from '#core/list/list-member/list-member.ts';
import { valueCounters } from '#core/reporting/value.ts';
import { automationEvents, batchEvents, claimEvents } from '#core/sending/email-events.ts';
import { batchCounters, claimCounters } from '#core/sending/sending.counters.ts';
import { type ItemName, kindsOf } from '#core/storage/items/items.ts';
import type { Contribution, Counter, Event } from '#core/storage/projection.ts';
import { automationChange, batchChange, claimChange, membershipChange, valuePosted } from './records.ts';

type Kind<Change> = {
  read: (record: DynamoDBRecord) => Change;
  counters?: (change: Change) => Counter[];
  events?: (change: Change) => Event[];
};

const kind =
  <Change>({ read, counters, events }: Kind<Change>) =>
  (record: DynamoDBRecord) => {
    const change = read(record);
    return { counters: counters?.(change) ?? [], events: events?.(change) ?? [] };
  };

/** The filters of the event source let no other kind through. */
const KINDS: Partial<Record<ItemName, (record: DynamoDBRecord) => Omit<Contribution, 'sequence'>>> = {
  membership: kind({ read: membershipChange, counters: listCounters, events: listMemberEvents }),
  journalEntry: kind({ read: claimChange, counters: claimCounters, events: claimEvents }),
  batch: kind({ read: batchChange, counters: batchCounters, events: batchEvents }),
  automation: kind({ read: automationChange, events: automationEvents }),
  broadcast: kind({ read: automationChange, events: automationEvents }),
  valueEvent: kind({ read: valuePosted, counters: valueCounters }),
};

function kindOf({ dynamodb }: DynamoDBRecord) {
  const { PK, SK } = dynamodb?.Keys ?? {};
  const [name] = kindsOf({ PK: PK?.S ?? '', SK: SK?.S ?? '' });
  return name && KINDS[name];
}

export const isOfKind = (record: DynamoDBRecord): boolean => kindOf(record) !== undefined;

export function contributionOf(record: DynamoDBRecord): Contribution {
  const sequence = record.dynamodb?.SequenceNumber ?? '0';
  const contributes = kindOf(record);
  if (!contributes) throw new Error(`Record ${sequence} is of no known kind`);
  return { sequence, ...contributes(record) };
}
