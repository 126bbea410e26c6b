import type { DynamoDBRecord } from 'aws-lambda';
import { listCounters } from '#core/list/counts.ts';
import { listMemberEvents } from '#core/list/list-member/list-member.ts';
import { inParallel } from '#core/parallel.ts';
import { clicksIn, type Happened, liftCounters, unitsOf, unsubscribesIn } from '#core/reporting/lift.ts';
import { conversionsIn, valueCounters } from '#core/reporting/value.ts';
import { automationEvents, batchEvents, claimEvents } from '#core/sending/email-events.ts';
import { batchCounters, claimCounters } from '#core/sending/sending.counters.ts';
import { type ItemName, kindsOf } from '#core/storage/items/items.ts';
import type { Contribution, Counter, Event } from '#core/storage/projection.ts';
import type { Table } from '#core/storage/table.store.ts';
import { automationChange, batchChange, claimChange, membershipChange, valuePosted } from './records.ts';

type Kind<Change> = {
  /** What people did, which counts for the holdouts. */
  happened?: (change: Change) => Happened[];
  read: (record: DynamoDBRecord) => Change;
  counters?: (change: Change) => Counter[];
  events?: (change: Change) => Event[];
};

const kind =
  <Change>({ read, counters, events, happened }: Kind<Change>) =>
  (record: DynamoDBRecord) => {
    const change = read(record);
    return {
      counters: counters?.(change) ?? [],
      events: events?.(change) ?? [],
      happened: happened?.(change) ?? [],
    };
  };

/** The filters of the event source let no other kind through. */
type Read = Omit<Contribution, 'sequence'> & { happened: Happened[] };
const KINDS: Partial<Record<ItemName, (record: DynamoDBRecord) => Read>> = {
  membership: kind({
    read: membershipChange,
    counters: listCounters,
    events: listMemberEvents,
    happened: unsubscribesIn,
  }),
  journalEntry: kind({ read: claimChange, counters: claimCounters, events: claimEvents, happened: clicksIn }),
  batch: kind({ read: batchChange, counters: batchCounters, events: batchEvents }),
  automation: kind({ read: automationChange, events: automationEvents }),
  broadcast: kind({ read: automationChange, events: automationEvents }),
  valueEvent: kind({ read: valuePosted, counters: valueCounters, happened: conversionsIn }),
};

function kindOf({ dynamodb }: DynamoDBRecord) {
  const { PK, SK } = dynamodb?.Keys ?? {};
  const [name] = kindsOf({ PK: PK?.S ?? '', SK: SK?.S ?? '' });
  return name && KINDS[name];
}

export const isOfKind = (record: DynamoDBRecord): boolean => kindOf(record) !== undefined;

type Contributes = Read & { sequence: string };

function readOf(record: DynamoDBRecord): Contributes {
  const sequence = record.dynamodb?.SequenceNumber ?? '0';
  const read = kindOf(record);
  if (!read) throw new Error(`Record ${sequence} is of no known kind`);
  return { sequence, ...read(record) };
}

/** What a record contributes by itself, whatever holdouts there are. */
export function contributionOf(record: DynamoDBRecord): Contribution {
  const { happened: _, ...contribution } = readOf(record);
  return contribution;
}

const MOST_AT_ONCE = 8;

/** With what counts for the holdouts of the organizations whose people did something. */
export async function contributionsOf(
  needs: { table: Table; now: Date },
  records: DynamoDBRecord[],
): Promise<Contribution[]> {
  const all = records.map(readOf);
  const ids = [...new Set(all.flatMap(({ happened }) => happened.map(({ organization }) => organization)))];
  const units = new Map(
    await inParallel(ids, MOST_AT_ONCE, async id => [id, await unitsOf(needs, id)] as const),
  );
  const liftsOf = (one: Happened) => liftCounters(units.get(one.organization) ?? [], one);
  return all.map(({ happened, counters, ...rest }) => ({
    ...rest,
    counters: [...counters, ...happened.flatMap(liftsOf)],
  }));
}
