import { Refusal } from '../../refusal.ts';
import type { Table } from '../../storage/table.store.ts';
import type { Write } from '../../storage/write.store.ts';
import * as store from './organization.store.ts';

const MOST = { lists: 1_000, members: 1_000, automations: 1_000 };
const MOST_JOINED = 100;

const FULL: Record<store.Counted, string> = {
  lists: 'An organization can have at most 1,000 email lists. Delete one that is no longer needed.',
  automations: 'An organization can have at most 1,000 automations. Delete one that is no longer needed.',
  members: 'This organization has 1,000 members, which is as many as it can have.',
};

export const joiningWrites = (table: Table, membership: store.StoredMembership, since: string): Write[] =>
  store.joiningWrites(table, membership, since, { members: MOST.members, joined: MOST_JOINED });

export const placeWrite = (table: Table, id: number, of: store.Counted): Write =>
  store.placeWrite(table, id, of, MOST[of]);

/** After a transaction with one of these writes was refused: throws where it was for want of a place. */
export async function requirePlace(
  { table }: { table: Table },
  id: number,
  of: store.Counted,
): Promise<void> {
  const [organization] = await store.readAll(table, [id]);
  if ((organization?.[of] ?? 0) >= MOST[of]) throw new Refusal('conflict', FULL[of]);
}

export async function requirePlaceToJoin({ table }: { table: Table }, userId: string): Promise<void> {
  if ((await store.readJoined(table, userId)) < MOST_JOINED) return;
  throw new Refusal(
    'conflict',
    'You have joined 100 organizations, which is as many as you can. Ask one of them to remove you first.',
  );
}
