import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { epochSeconds, fromItem, get, type Table } from '../table.store.ts';
import { ifHeld, updateWrite, type Write } from '../write.store.ts';

/** The latest code of an address, and when codes were mailed to it. */
export type Code = { hash?: string; expires_at: string; tries: number; mailed: string[]; version: number };

const codeKey = (email: string) => ({ PK: `EMAIL#${email}`, SK: 'CODE' });

export async function read(table: Table, email: string): Promise<Code | undefined> {
  const item = await get(table, codeKey(email));
  return item && fromItem(item);
}

/** Replaces the code `previous`; false where another request replaced it first. */
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

/** Counts a try before the code is compared, so that parallel requests compare no more than `most` times. */
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
  return written?.Attributes && fromItem(written.Attributes);
}

/** Belongs in the transaction that creates the session, so that a code opens one. Its mails stay counted. */
export const codeUseWrite = (table: Table, email: string, hash: string): Write =>
  updateWrite(
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
