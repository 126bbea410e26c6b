import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ABSENT, get, getAll, type Item, ifHeld, put, type Table, type Write } from '../table.store.ts';

export type StoredUser = {
  id: string;
  name: string;
  email: string;
  created_at: string;
  terms_accepted_at?: string;
};

export const profileKey = (user: string) => ({ PK: `USER#${user}`, SK: 'PROFILE' });
const addressKey = (email: string) => ({ PK: `EMAIL#${email}`, SK: 'USER' });

const toItem = (user: StoredUser) => ({ ...profileKey(user.id), ...user });

function fromItem({ PK, SK, ...user }: Item): StoredUser {
  return user as StoredUser;
}

export async function read(table: Table, id: string): Promise<StoredUser | undefined> {
  const item = await get(table, profileKey(id));
  return item && fromItem(item);
}

export async function readAll(table: Table, ids: string[]): Promise<StoredUser[]> {
  return (await getAll(table, ids.map(profileKey))).map(fromItem);
}

export async function idOf(table: Table, email: string): Promise<string | undefined> {
  const item = await get(table, addressKey(email));
  return item?.user_id as string | undefined;
}

export const creation = (table: Table, user: StoredUser): Write[] => [
  put(table, { ...addressKey(user.email), user_id: user.id }, ABSENT),
  put(table, toItem(user), ABSENT),
];

/** The first acceptance is the one that counts; undefined where there is no such user. */
export async function acceptTerms(table: Table, id: string, at: string): Promise<StoredUser | undefined> {
  const written = await ifHeld(
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
