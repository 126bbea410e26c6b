import { chunksOf } from '#core/parallel.ts';
import {
  epochSeconds,
  fromItem,
  get,
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
  updateWrite,
  type Write,
} from '#core/storage/write.store.ts';

/** The id of a session is the hash of its secret, which only the browser has. */
export type StoredSession = {
  hash: string;
  user_id: string;
  device: string;
  created_at: string;
  last_used_at: string;
  expires_at: string;
};

const secretKey = (hash: string) => ({ PK: `SESSION#${hash}`, SK: '-' });
const listedKey = (user: string, hash: string) => ({ PK: `USER#${user}`, SK: `SESSION#${hash}` });

const expiring = (session: StoredSession) => ({
  ...session,
  ttl: epochSeconds(new Date(session.expires_at)),
});

export const createWrites = (table: Table, session: StoredSession): Write[] => [
  putWrite(table, { ...secretKey(session.hash), ...expiring(session) }, ABSENT),
  putWrite(table, { ...listedKey(session.user_id, session.hash), ...expiring(session) }, ABSENT),
];

export const read = async (table: Table, hash: string) =>
  storedOf<StoredSession>(await get(table, secretKey(hash)));

export async function ofUser(table: Table, user: string): Promise<StoredSession[]> {
  return (await queryPartition(table, `USER#${user}`, 'SESSION#')).map(fromItem<StoredSession>);
}

/** Fails with a conflict if another request has extended the session, or ended it. */
export const extend = (
  table: Table,
  before: string,
  { hash, user_id, last_used_at, expires_at }: StoredSession,
) =>
  commit(
    table,
    [secretKey(hash), listedKey(user_id, hash)].map(key =>
      updateWrite(
        table,
        key,
        { set: { last_used_at, expires_at, ttl: epochSeconds(new Date(expires_at)) } },
        unchanged({ last_used_at: before }, ['last_used_at']),
      ),
    ),
  );

// Each takes two of the 100 writes of a transaction.
const MOST_ENDED = 50;

/** Ends some sessions of a user, in a few transactions. A session that has ended already is no error. */
export async function endAll(table: Table, user: string, hashes: string[]): Promise<void> {
  for (const some of chunksOf(hashes, MOST_ENDED)) {
    await commit(
      table,
      some.flatMap(hash => [listedKey(user, hash), secretKey(hash)]).map(key => deleteWrite(table, key)),
    );
  }
}

/** Fails with a conflict if this user has no such session. */
export const end = (table: Table, user: string, hash: string) =>
  commit(table, [deleteWrite(table, listedKey(user, hash), PRESENT), deleteWrite(table, secretKey(hash))]);
