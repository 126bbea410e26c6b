import { invalid, Refusal } from '#core/refusal.ts';
import { get, type Item, type Table } from '#core/storage/table.store.ts';
import { type Condition, PRESENT, updateWrite, type Write } from '#core/storage/write.store.ts';
import * as store from './organization.store.ts';

// There may be fewer active automations, as each may be due for every member in the same minute.
const MOST = {
  lists: 1_000,
  members: 1_000,
  automations: 1_000,
  active_automations: 100,
  sequences: 1_000,
  // Those that were sent stay. Predictions read all of them.
  broadcasts: 10_000,
};
const MOST_JOINED = 100;

const full = (message: string) => new Refusal('conflict', message);
const FULL: Record<store.Counted, () => Refusal> = {
  lists: () =>
    full('An organization can have at most 1,000 email lists. Delete one that is no longer needed.'),
  automations: () =>
    full('An organization can have at most 1,000 automations. Delete one that is no longer needed.'),
  sequences: () =>
    full('An organization can have at most 1,000 sequences. Delete one that is no longer needed.'),
  broadcasts: () =>
    full('An organization can have at most 10,000 broadcasts. Delete one that is no longer needed.'),
  active_automations: () =>
    invalid('active', 'At most 100 automations can be active at once. Deactivate one of them first.'),
  members: () => full('This organization has 1,000 members, which is as many as it can have.'),
};

type Places = Partial<Record<store.Counted, number>>;

const placesOf = (counted: store.Counted[], by: number): Places =>
  Object.fromEntries(counted.map(count => [count, by]));
const entriesOf = (places: Places) =>
  (Object.entries(places) as [store.Counted, number][]).filter(([, by]) => by !== 0);

/** Adds one to each of the counts. Fails if the organization is deleted, or has as many of one kind as it may have. */
export const reserveQuotaWrite = (table: Table, organization: number, counted: store.Counted[]): Write =>
  quotaWrite(table, organization, placesOf(counted, 1));

export const freePlacesWrite = (table: Table, organization: number, counted: store.Counted[]): Write =>
  quotaWrite(table, organization, placesOf(counted, -1));

/** What the same write sets of the organization, and its condition. */
type Beside = { set: Item; only: Condition };

/** One write, or none if no count changes and nothing is set. */
export const changeQuotaWrites = (
  table: Table,
  organization: number,
  places: Places,
  beside?: Beside,
): Write[] =>
  beside || entriesOf(places).length > 0 ? [quotaWrite(table, organization, places, beside)] : [];

function quotaWrite(table: Table, organization: number, places: Places, beside?: Beside): Write {
  const added = entriesOf(places).filter(([, by]) => by > 0);
  const isFree = added.map(([count]) => `(attribute_not_exists(#${count}) OR #${count} <= :most_${count})`);
  return updateWrite(
    table,
    store.metaKey(organization),
    { add: Object.fromEntries(entriesOf(places)), ...(beside && { set: beside.set }) },
    {
      condition: [
        added.length > 0 ? store.LIVING.condition : PRESENT.condition,
        ...isFree,
        ...(beside ? [beside.only.condition] : []),
      ].join(' AND '),
      names: { ...beside?.only.names },
      values: {
        ...Object.fromEntries(added.map(([count, by]) => [`:most_${count}`, MOST[count] - by])),
        ...beside?.only.values,
      },
    },
  );
}

/** Called after a transaction with one of these writes has failed: throws an error if a place was missing. */
export async function requireQuota(
  { table }: { table: Table },
  id: number,
  counted: store.Counted[] | Places,
): Promise<void> {
  const [organization] = await store.readAll(table, [id]);
  const places = entriesOf(Array.isArray(counted) ? placesOf(counted, 1) : counted);
  const full = places.find(([count, by]) => by > 0 && (organization?.[count] ?? 0) + by > MOST[count]);
  if (full) throw FULL[full[0]]();
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
