import { epochSeconds, fromItem, get, getAll, queryPartition, type Table } from '../table.store.ts';
import { ABSENT, commit, deleteWrite, PRESENT, putWrite, unchanged, updateItem } from '../write.store.ts';

export type StoredToken = {
  hash: string;
  user_id: string;
  /** Unique among its owner's tokens, and their id of it. */
  name: string;
  created_at: string;
  expires_at?: string | undefined;
  last_used_at?: string;
};

const secretKey = (hash: string) => ({ PK: `TOKEN#${hash}`, SK: '-' });
const listedKey = (user: string, name: string) => ({ PK: `USER#${user}`, SK: `TOKEN#${name}` });

/** Fails as a lost race where its owner has a token of this name. */
export const create = (table: Table, token: StoredToken) => {
  const ttl = token.expires_at && { ttl: epochSeconds(new Date(token.expires_at)) };
  const { hash, user_id, name } = token;
  return commit(table, [
    putWrite(table, { ...listedKey(user_id, name), hash, name, ...ttl }, ABSENT),
    putWrite(table, { ...secretKey(hash), ...token, ...ttl }, ABSENT),
  ]);
};

export async function read(table: Table, hash: string): Promise<StoredToken | undefined> {
  const item = await get(table, secretKey(hash));
  return item && fromItem(item);
}

export async function ofUser(table: Table, user: string): Promise<StoredToken[]> {
  const listed = await queryPartition(table, `USER#${user}`, 'TOKEN#');
  const keys = listed.map(({ hash }) => secretKey(hash as string));
  return (await getAll(table, keys)).map(fromItem<StoredToken>);
}

/** Fails as a lost race where it is deleted already, even if a new token has its name. */
export const end = (table: Table, { hash, user_id, name }: Pick<StoredToken, 'hash' | 'user_id' | 'name'>) =>
  commit(table, [
    deleteWrite(table, listedKey(user_id, name), unchanged({ hash }, ['hash'])),
    deleteWrite(table, secretKey(hash)),
  ]);

/** The hash of the token with this name. */
export async function hashOf(table: Table, user: string, name: string): Promise<string | undefined> {
  return (await get(table, listedKey(user, name)))?.hash as string | undefined;
}

/** Of several requests at once, one writes. */
export async function markUsed(table: Table, hash: string, at: string, unlessSince: string): Promise<void> {
  await updateItem(
    table,
    secretKey(hash),
    { set: { last_used_at: at } },
    {
      condition: `${PRESENT.condition} AND (attribute_not_exists(last_used_at) OR last_used_at <= :since)`,
      values: { ':since': unlessSince },
    },
  );
}
