import { epochSeconds, fromItem, get, type Table } from '#core/storage/table.store.ts';
import { unchanged, updateItem, updateWrite, type Write } from '#core/storage/write.store.ts';
import { mailboxOf } from '#shared/address.ts';

/** How often the latest code was tried, and when codes were mailed. Without a hash it only counts tries. */
type Code = { hash?: string; expires_at: string; tries: number; mailed: string[]; version: number };

/** One key for all spellings of an address: otherwise each of them would add tries and mails for the same mailbox. */
const codeKey = (email: string) => ({ PK: `EMAIL#${mailboxOf(email)}`, SK: 'CODE' });

export async function read(table: Table, email: string): Promise<Code | undefined> {
  const item = await get(table, codeKey(email));
  return item && fromItem(item);
}

/** Replaces the code `previous`. Returns false if another request replaced it first. */
export async function replace(
  table: Table,
  email: string,
  previous: Code | undefined,
  code: Omit<Code, 'version'>,
  forget: Date,
): Promise<boolean> {
  const { hash, expires_at, tries, mailed } = code;
  const written = await updateItem(
    table,
    codeKey(email),
    {
      set: { hash, expires_at, mailed, tries, ttl: epochSeconds(forget) },
      drop: hash ? [] : ['hash'],
      add: { version: 1 },
    },
    unchanged(previous, ['version']),
  );
  return written !== undefined;
}

/** Counts a try before the code is compared, so that parallel requests compare no more than `most` times. */
export async function countTry(
  table: Table,
  email: string,
  now: Date,
  most: number,
): Promise<Code | undefined> {
  const item = await updateItem(
    table,
    codeKey(email),
    { add: { tries: 1 } },
    {
      condition: 'tries < :most AND expires_at > :now',
      values: { ':most': most, ':now': now.toISOString() },
    },
  );
  return item && fromItem(item);
}

/** The write for the transaction that creates the session, so that a code opens only one. The count of mails is kept. */
export const codeUseWrite = (table: Table, email: string, hash: string): Write =>
  updateWrite(table, codeKey(email), { drop: ['hash'] }, unchanged({ hash }, ['hash']));
