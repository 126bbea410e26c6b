import {
  epochSeconds,
  fromItem,
  get,
  getStored,
  queryPartition,
  storedOf,
  type Table,
} from '#core/storage/table.store.ts';
import {
  ABSENT,
  commit,
  deleteWrite,
  PRESENT,
  putWrite,
  unchanged,
  updateItem,
  updateWrite,
  type Write,
} from '#core/storage/write.store.ts';
import type { Scope } from '#shared/permissions.ts';

/** An assistant, by its id, and the organization in which alone it acts, as that was called when it was connected. */
export type Connection = { client_id: string; organization: { id: number; name: string } };

export type StoredToken = {
  hash: string;
  user_id: string;
  name: string;
  /** Absent: what tokens could do before there were scopes. */
  scopes?: Scope[] | undefined;
  max_people?: number | undefined;
  /** The one that was chosen when it was created. */
  organization_id?: number | undefined;
  connection?: Connection | undefined;
  created_at: string;
  expires_at?: string | undefined;
  last_used_at?: string;
};

type Listed = Pick<StoredToken, 'name' | 'organization_id'> & { hash?: string | undefined };

const secretKey = (hash: string) => ({ PK: `TOKEN#${hash}`, SK: '-' });
const listedKey = (user: string, name: string) => ({ PK: `USER#${user}`, SK: `TOKEN#${name}` });

/** They limit the number of tokens. DynamoDB deletes expired tokens, but not their names. */
const namesKey = (user: string) => ({ PK: `USER#${user}`, SK: 'TOKENS' });

/** The writes that create a token. `name` fails if its owner has a token of this name, `place` if they have `most`. */
export const createWrites = (table: Table, token: StoredToken, most: number) => {
  const ttl = token.expires_at && { ttl: epochSeconds(new Date(token.expires_at)) };
  const { hash, user_id, name, organization_id } = token;
  return {
    name: putWrite(table, { ...listedKey(user_id, name), hash, name, organization_id, ...ttl }, ABSENT),
    token: putWrite(table, { ...secretKey(hash), ...token, ...ttl }, ABSENT),
    place: updateWrite(
      table,
      namesKey(user_id),
      { add: { names: new Set([name]) } },
      {
        condition: 'attribute_not_exists(#names) OR contains(#names, :name) OR size(#names) < :most',
        values: { ':name': name, ':most': most },
      },
    ),
  };
};

/** The names that count for the limit, each with its token, unless DynamoDB has deleted that. */
export async function readNames(table: Table, user: string): Promise<(Listed & { token?: StoredToken })[]> {
  const names = ((await get(table, namesKey(user)))?.names as Set<string> | undefined) ?? new Set();
  const all = new Map((await listed(table, user)).map(one => [one.name, one]));
  const tokens = new Map((await readAll(table, [...all.values()])).map(token => [token.name, token]));
  return [...names].map(name => {
    const token = tokens.get(name);
    return { name, ...all.get(name), ...(token && { token }) };
  });
}

export const read = async (table: Table, hash: string) =>
  storedOf<StoredToken>(await get(table, secretKey(hash)));

export const listed = async (table: Table, user: string): Promise<Listed[]> =>
  (await queryPartition(table, `USER#${user}`, 'TOKEN#')).map(fromItem<Listed>);

const readAll = (table: Table, pointers: Listed[]): Promise<StoredToken[]> =>
  getStored(
    table,
    pointers.map(({ hash = '' }) => secretKey(hash)),
  );

export const ofUser = async (table: Table, user: string) => readAll(table, await listed(table, user));

/** How many fit into a transaction of 100 writes, with what is noted of them. */
export const MOST_ENDED = 49;

/** A name without a hash has no token any more. Fails with a conflict if one is not as it was read. */
export const end = (table: Table, user: string, tokens: Listed[], notes: Write[] = []) =>
  commit(table, [
    ...tokens.map(({ name, hash }) =>
      deleteWrite(
        table,
        listedKey(user, name),
        unchanged(hash === undefined ? undefined : { hash }, ['hash']),
      ),
    ),
    ...tokens.flatMap(({ hash }) => (hash === undefined ? [] : [deleteWrite(table, secretKey(hash))])),
    updateWrite(table, namesKey(user), { subtract: { names: new Set(tokens.map(({ name }) => name)) } }),
    ...notes,
  ]);

export const find = async (table: Table, user: string, name: string) =>
  storedOf<Listed>(await get(table, listedKey(user, name)));

/** Stores when a token was used. Of several concurrent requests, one writes. */
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
