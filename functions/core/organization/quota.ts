import { invalid, Refusal } from '#core/refusal.ts';
import { get, type Table } from '#core/storage/table.store.ts';
import { PRESENT, updateWrite, type Write } from '#core/storage/write.store.ts';
import * as store from './organization.store.ts';

// There may be fewer active automations, as each may be due for every member in the same minute.
const MOST = { lists: 1_000, members: 1_000, automations: 1_000, active_automations: 100 };
const MOST_JOINED = 100;

const full = (message: string) => new Refusal('conflict', message);
const FULL: Record<store.Counted, () => Refusal> = {
  lists: () =>
    full('An organization can have at most 1,000 email lists. Delete one that is no longer needed.'),
  automations: () =>
    full('An organization can have at most 1,000 automations. Delete one that is no longer needed.'),
  active_automations: () =>
    invalid('active', 'At most 100 automations can be active at once. Deactivate one of them first.'),
  members: () => full('This organization has 1,000 members, which is as many as it can have.'),
};

/** Adds one to each of the counts. Fails if the organization is deleted, or has as many of one kind as it may have. */
export function reserveQuotaWrite(table: Table, organization: number, counted: store.Counted[]): Write {
  const isFree = counted.map(count => `(attribute_not_exists(#${count}) OR #${count} < :most_${count})`);
  return updateWrite(
    table,
    store.metaKey(organization),
    { add: Object.fromEntries(counted.map(count => [count, 1])) },
    {
      condition: [store.LIVING.condition, ...isFree].join(' AND '),
      values: Object.fromEntries(counted.map(count => [`:most_${count}`, MOST[count]])),
    },
  );
}

export const freePlacesWrite = (table: Table, organization: number, counted: store.Counted[]): Write =>
  updateWrite(
    table,
    store.metaKey(organization),
    { add: Object.fromEntries(counted.map(count => [count, -1])) },
    PRESENT,
  );

/** Called after a transaction with one of these writes has failed: throws an error if a place was missing. */
export async function requireQuota(
  { table }: { table: Table },
  id: number,
  counted: store.Counted[],
): Promise<void> {
  const [organization] = await store.readAll(table, [id]);
  const wanted = counted.find(count => (organization?.[count] ?? 0) >= MOST[count]);
  if (wanted) throw FULL[wanted]();
}

const joinedKey = (user: string) => ({ PK: `USER#${user}`, SK: 'JOINED' });

/** They fail if the organization is deleted, if it or the user has no place left, or if the user is a member. */
export const joiningWrites = (table: Table, membership: store.StoredMembership, since: string): Write[] => [
  reserveQuotaWrite(table, membership.organization_id, ['members']),
  updateWrite(
    table,
    joinedKey(membership.user_id),
    { add: { organizations: 1 } },
    {
      condition: 'attribute_not_exists(organizations) OR organizations < :most',
      values: { ':most': MOST_JOINED },
    },
  ),
  ...store.memberWrites(table, membership, since),
];

export const leaveWrite = (table: Table, user: string): Write =>
  updateWrite(table, joinedKey(user), { add: { organizations: -1 } });

export async function requirePlaceToJoin({ table }: { table: Table }, userId: string): Promise<void> {
  const joined = await get(table, joinedKey(userId));
  if (Number(joined?.organizations ?? 0) < MOST_JOINED) return;
  throw full(
    'You have joined 100 organizations, which is as many as you can. Ask one of them to remove you first.',
  );
}
