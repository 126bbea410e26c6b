import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { epochSeconds, ifHeld, list, type Table, update, type Write } from '../table.store.ts';

/** The latest code of an address, and when codes were mailed to it lately. */
export type Code = { hash?: string; expires_at: string; tries: number; mailed: string[]; version: number };
export type Entry = { user_id: string | undefined; invited: boolean; code: Code | undefined };

const codeKey = (email: string) => ({ PK: `EMAIL#${email}`, SK: 'CODE' });

/** One query, whoever asks: known and unknown addresses cost and take the same. */
export async function read(table: Table, email: string, now: Date): Promise<Entry> {
  const items = await list(table, `EMAIL#${email}`);
  return {
    user_id: items.find(({ SK }) => SK === 'USER')?.user_id as string | undefined,
    invited: items.some(
      ({ SK, expires_at }) => String(SK).startsWith('INVITE#') && new Date(String(expires_at)) > now,
    ),
    code: items.find(({ SK }) => SK === 'CODE') as Code | undefined,
  };
}

/** Puts a new code in the place of `previous`; false where another request was faster. */
export async function replace(
  table: Table,
  email: string,
  previous: Code | undefined,
  code: Omit<Code, 'version' | 'tries'>,
  forget: Date,
): Promise<boolean> {
  const written = await ifHeld(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: codeKey(email),
        UpdateExpression:
          'SET #hash = :hash, expires_at = :expires, mailed = :mailed, tries = :zero, #ttl = :ttl ADD version :one',
        ConditionExpression: previous ? 'version = :version' : 'attribute_not_exists(PK)',
        ExpressionAttributeNames: { '#hash': 'hash', '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':hash': code.hash,
          ':expires': code.expires_at,
          ':mailed': code.mailed,
          ':zero': 0,
          ':one': 1,
          ':ttl': epochSeconds(forget),
          ...(previous && { ':version': previous.version }),
        },
      }),
    ),
  );
  return written !== undefined;
}

/** Counts a try before it is judged, so that no number of parallel guesses is judged more than `most` times. */
export async function countTry(
  table: Table,
  email: string,
  now: Date,
  most: number,
): Promise<Code | undefined> {
  const written = await ifHeld(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: codeKey(email),
        UpdateExpression: 'ADD tries :one',
        ConditionExpression: 'attribute_exists(#hash) AND tries < :most AND expires_at > :now',
        ExpressionAttributeNames: { '#hash': 'hash' },
        ExpressionAttributeValues: { ':one': 1, ':most': most, ':now': now.toISOString() },
        ReturnValues: 'ALL_NEW',
      }),
    ),
  );
  return written?.Attributes as Code | undefined;
}

/** A code opens one session: this write goes into the transaction that opens it. The mails it took stay counted. */
export const consumption = (table: Table, email: string, hash: string): Write =>
  update(
    table,
    codeKey(email),
    'REMOVE #hash',
    {},
    {
      condition: '#hash = :hash',
      values: { ':hash': hash },
      names: { '#hash': 'hash' },
    },
  );
