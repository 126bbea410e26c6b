import { invalid, Refusal } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { Write } from '#core/storage/write.store.ts';
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

export const joiningWrites = (table: Table, membership: store.StoredMembership, since: string): Write[] =>
  store.joiningWrites(table, membership, since, { members: MOST.members, joined: MOST_JOINED });

export const reserveQuotaWrite = (table: Table, id: number, counted: store.Counted[]): Write =>
  store.reserveQuotaWrite(table, id, Object.fromEntries(counted.map(of => [of, MOST[of]])));

/** Called after a transaction with one of these writes has failed: throws an error if a place was missing. */
export async function requireQuota(
  { table }: { table: Table },
  id: number,
  counted: store.Counted[],
): Promise<void> {
  const [organization] = await store.readAll(table, [id]);
  const wanted = counted.find(of => (organization?.[of] ?? 0) >= MOST[of]);
  if (wanted) throw FULL[wanted]();
}

export async function requirePlaceToJoin({ table }: { table: Table }, userId: string): Promise<void> {
  if ((await store.readJoined(table, userId)) < MOST_JOINED) return;
  throw new Refusal(
    'conflict',
    'You have joined 100 organizations, which is as many as you can. Ask one of them to remove you first.',
  );
}
