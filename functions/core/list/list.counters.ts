import type { Counter } from '#core/storage/projection.ts';
import { datetimesOf, type Metadata } from '#shared/metadata.ts';
import { columnKey, countsKey } from './counts.store.ts';

type Membership = { status: string; metadata: Metadata };
type Change = { list_id: string; before: Membership | undefined; after: Membership | undefined };

/** The counters of a changed membership: the counts and the datetime columns of its list. */
export const listCounters = ({ list_id, before, after }: Change): Counter[] => [
  ...counters(list_id, before, -1),
  ...counters(list_id, after, 1),
];

function counters(list_id: string, membership: Membership | undefined, sign: 1 | -1): Counter[] {
  if (membership?.status !== 'subscribed' && membership?.status !== 'unsubscribed') return [];
  // The counts of a deleted list are deleted: as the guard, they keep the projector from creating its columns again.
  const guard = countsKey(list_id);
  const subscribed = membership.status === 'subscribed' ? sign : 0;
  return [
    { key: guard, add: { total: sign, subscribed }, guard },
    ...datetimesOf(membership.metadata).map(([column]) => ({
      key: columnKey(list_id, column),
      add: { members: sign },
      guard,
    })),
  ];
}
