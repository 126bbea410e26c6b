import type { DynamoDBRecord } from 'aws-lambda';
import { listCounters } from '../core/list/list/list.counters.ts';
import { listMemberEvents } from '../core/list/list-member/list-member.events.ts';
import { markCounters } from '../core/reporting/rollup/rollup.ts';
import type { Contribution, Counter, Event } from '../core/storage/projection/projection.ts';
import { claimChange, membershipChange } from './projector.record.ts';

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

/** What follows from a changed item, by the prefix of its sort key. The event source's filters let no other through. */
export const KINDS = {
  'IN#': kind({ read: membershipChange, counters: listCounters, events: listMemberEvents }),
  'J#': kind({ read: claimChange, counters: markCounters }),
};

export function contributionOf(record: DynamoDBRecord): Contribution {
  const { Keys, SequenceNumber = '0' } = record.dynamodb ?? {};
  const found = Object.entries(KINDS).find(([prefix]) => Keys?.SK?.S?.startsWith(prefix));
  if (!found) throw new Error(`Record ${SequenceNumber} is of no known kind`);
  return { sequence: SequenceNumber, ...found[1](record) };
}
