import { randomUUID } from 'node:crypto';
import { Refusal } from '#core/refusal.ts';
import { fromItem, get, getStored, type Item, storedOf, type Table } from '#core/storage/table.store.ts';
import { ABSENT, PRESENT, putWrite, updateItem, updateWrite, type Write } from '#core/storage/write.store.ts';
import { hasLink } from '#shared/text.ts';
import type { User } from '#shared/user.ts';

export type StoredUser = {
  id: string;
  name: string;
  email: string;
  created_at: string;
  default_organization_id: number;
  terms_accepted_at?: string;
  organizations_owned?: number;
};

export const profileKey = (user: string) => ({ PK: `USER#${user}`, SK: 'PROFILE' });
const addressKey = (email: string) => ({ PK: `EMAIL#${email}`, SK: 'USER' });

export const newUser = (email: string, now: Date) => ({
  id: randomUUID(),
  name: nameFrom(email.slice(0, email.lastIndexOf('@'))),
  email,
  created_at: now.toISOString(),
  organizations_owned: 1,
});

// An address may begin with `www.`, and the name is in invitation mails, where it must not become a link.
const nameFrom = (local: string) => (hasLink(local) ? local.replaceAll('.', ' ') : local);

export const createWrites = (table: Table, user: StoredUser): Write[] => [
  putWrite(table, { ...addressKey(user.email), user_id: user.id }, ABSENT),
  putWrite(table, { ...profileKey(user.id), ...user }, ABSENT),
];

export async function find({ table }: { table: Table }, id: string): Promise<StoredUser> {
  return orNotFound(await get(table, profileKey(id)));
}

export function foundIn(items: Item[], id: string): StoredUser | undefined {
  const { PK, SK } = profileKey(id);
  return storedOf(items.find(one => one.PK === PK && one.SK === SK));
}

export const findAll = ({ table }: { table: Table }, ids: string[]): Promise<StoredUser[]> =>
  getStored(table, ids.map(profileKey));

/** Of a user who is not there any more. */
export const FORMER_MEMBER = 'A former member';

/** The names of users by their ids; a user may be named several times. */
export async function namesOf(needs: { table: Table }, ids: string[]): Promise<Map<string, string>> {
  const found = await findAll(needs, [...new Set(ids)]);
  return new Map(found.map(({ id, name }) => [id, name]));
}

export async function idOf(table: Table, email: string): Promise<string | undefined> {
  const item = await get(table, addressKey(email));
  return item?.user_id as string | undefined;
}

/** Throws an error if the user has not accepted the terms: before that they may only read their own account. */
export function requireTerms(user: StoredUser | undefined): void {
  if (user?.terms_accepted_at !== undefined) return;
  throw new Refusal('forbidden', 'Please accept the terms and conditions and the privacy policy first.');
}

/** Stores the acceptance of the terms, and keeps the date of the first one. */
export async function acceptTerms({ table, now }: { table: Table; now: Date }, id: string): Promise<User> {
  const first = { terms_accepted_at: now.toISOString() };
  return shown(orNotFound(await updateItem(table, profileKey(id), { first }, PRESENT)));
}

function orNotFound(item: Item | undefined): StoredUser {
  if (!item) throw new Refusal('not-found', 'This user does not exist any more.');
  return fromItem(item);
}

/** Counts one more organization of a user. Fails if they own `most`. */
export const ownMoreWrite = (table: Table, id: string, most: number): Write =>
  updateWrite(
    table,
    profileKey(id),
    { add: { organizations_owned: 1 } },
    {
      condition: `${PRESENT.condition} AND (attribute_not_exists(organizations_owned) OR organizations_owned < :most)`,
      values: { ':most': most },
    },
  );

export const ownFewerWrite = (table: Table, id: string): Write =>
  updateWrite(table, profileKey(id), { add: { organizations_owned: -1 } }, PRESENT);

export const shown = (user: StoredUser): User => ({
  id: user.id,
  name: user.name,
  email: user.email,
  terms_accepted: user.terms_accepted_at !== undefined,
});
