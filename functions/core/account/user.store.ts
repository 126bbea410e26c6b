import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { fromItem, get, getStored, type Item, type Table } from '#core/storage/table.store.ts';
import { ABSENT, ifHeld, PRESENT, putWrite, updateWrite, type Write } from '#core/storage/write.store.ts';

export type StoredUser = {
  id: string;
  name: string;
  email: string;
  created_at: string;
  /** The organization in which they act if a request names none. */
  default_organization_id: number;
  terms_accepted_at?: string;
  /** How many organizations they have created and not deleted. */
  organizations_owned?: number;
};

export const profileKey = (user: string) => ({ PK: `USER#${user}`, SK: 'PROFILE' });
const addressKey = (email: string) => ({ PK: `EMAIL#${email}`, SK: 'USER' });

export async function read(table: Table, id: string): Promise<StoredUser | undefined> {
  const item = await get(table, profileKey(id));
  return item && fromItem(item);
}

export function foundIn(items: Item[], id: string): StoredUser | undefined {
  const { PK, SK } = profileKey(id);
  const item = items.find(one => one.PK === PK && one.SK === SK);
  return item && fromItem(item);
}

export const readAll = (table: Table, ids: string[]): Promise<StoredUser[]> =>
  getStored(table, ids.map(profileKey));

export async function idOf(table: Table, email: string): Promise<string | undefined> {
  const item = await get(table, addressKey(email));
  return item?.user_id as string | undefined;
}

export const createWrites = (table: Table, user: StoredUser): Write[] => [
  putWrite(table, { ...addressKey(user.email), user_id: user.id }, ABSENT),
  putWrite(table, { ...profileKey(user.id), ...user }, ABSENT),
];

/** Stores the acceptance of the terms, and keeps the date of the first one. Returns undefined if there is no such user. */
export async function acceptTerms(table: Table, id: string, at: string): Promise<StoredUser | undefined> {
  const written = await ifHeld(() =>
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: profileKey(id),
        UpdateExpression: 'SET terms_accepted_at = if_not_exists(terms_accepted_at, :at)',
        ConditionExpression: 'attribute_exists(PK)',
        ExpressionAttributeValues: { ':at': at },
        ReturnValues: 'ALL_NEW',
      }),
    ),
  );
  return written?.Attributes && fromItem(written.Attributes);
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
