import { epochSeconds, get, storedOf, type Table } from '#core/storage/table.store.ts';
import { type Condition, unchanged, updateItem, updateWrite, type Write } from '#core/storage/write.store.ts';
import { mailboxOf } from '#shared/address.ts';

/**
 * The latest code of a mailbox, how often it was tried, and when codes were mailed. Without a hash the item only counts
 * tries.
 */
export type Code = {
  hash?: string;
  expires_at: string;
  tries: number;
  /** The tries from networks that are known. */
  known_tries: number;
  /** `network`: the known network that requested it. */
  mailed: { at: string; network?: string }[];
  /** The networks from which the mailbox signed in, by their hashes, and when it did so last. */
  networks: Record<string, string>;
  version: number;
};

/** One key for all spellings of an address: otherwise each of them would add tries and mails for the same mailbox. */
const codeKey = (email: string) => ({ PK: `EMAIL#${mailboxOf(email)}`, SK: 'CODE' });

export const read = async (table: Table, email: string) => storedOf<Code>(await get(table, codeKey(email)));

/** Replaces the code `previous`. Returns false if another request replaced it first. */
export async function replace(
  table: Table,
  email: string,
  previous: Code | undefined,
  code: Omit<Code, 'version'>,
  forget: Date,
): Promise<boolean> {
  const { hash, ...fields } = code;
  const written = await updateItem(
    table,
    codeKey(email),
    { set: { hash, ...fields, ttl: epochSeconds(forget) }, drop: hash ? [] : ['hash'], add: { version: 1 } },
    unchanged(previous, ['version']),
  );
  return written !== undefined;
}

/**
 * Counts a try before the code is compared, so that parallel requests compare no more than `most` times. A known network has
 * tries of its own.
 */
export async function countTry(
  table: Table,
  email: string,
  now: Date,
  { most, known }: { most: number; known: { network: string; since: Date } },
): Promise<Code | undefined> {
  const values = { ':most': most, ':now': now.toISOString() };
  const count = (tries: keyof Code, only: Condition) =>
    updateItem(table, codeKey(email), { add: { [tries]: 1 } }, only);
  const item =
    (await count('known_tries', {
      condition: 'known_tries < :most AND expires_at > :now AND networks.#network > :since',
      names: { '#network': known.network },
      values: { ...values, ':since': known.since.toISOString() },
    })) ?? (await count('tries', { condition: 'tries < :most AND expires_at > :now', values }));
  return storedOf(item);
}

/** The write for the transaction that creates the session, so that a code opens only one. The count of mails is kept. */
export const codeUseWrite = (
  table: Table,
  email: string,
  hash: string,
  networks: Code['networks'],
  forget: Date,
): Write =>
  updateWrite(
    table,
    codeKey(email),
    { set: { networks, ttl: epochSeconds(forget) }, drop: ['hash'] },
    unchanged({ hash }, ['hash']),
  );
