import { epochSeconds, get, type Item, type Key, type Table } from '#core/storage/table.store.ts';
import type { Write } from '#core/storage/write.store.ts';
import { mailboxOf } from '#shared/address.ts';

/** At most `most` mails in any `seconds`. */
export type Limit = { most: number; seconds: number };

export const addressKey = (email: string): Key => ({ PK: `EMAIL#${mailboxOf(email)}`, SK: 'MAILS' });
export const inviterKey = (user: string): Key => ({ PK: `USER#${user}`, SK: 'MAILS' });

/** `mail_1` is the instant of the last mail, `mail_2` that of the mail before it, in seconds. */
const field = (position: number) => `mail_${position}`;

/**
 * Adds the instant of a mail before the others. The condition of a limit of five is that the fifth last mail is old enough,
 * so the limit is exact even if another mail is sent at the same time.
 */
export function mailWrite(table: Table, key: Key, limits: Limit[], now: Date): Write {
  const kept = Math.max(...limits.map(({ most }) => most));
  const older = Array.from({ length: kept - 1 }, (_, index) => kept - index);
  const moves = older.map(position => `${field(position)} = if_not_exists(${field(position - 1)}, :never)`);
  const at = epochSeconds(now);
  return {
    Update: {
      TableName: table.name,
      Key: key,
      UpdateExpression: `SET ${[...moves, `${field(1)} = :now`, '#ttl = :ttl'].join(', ')}`,
      ConditionExpression: limits
        .map(({ most }) => `(attribute_not_exists(${field(most)}) OR ${field(most)} <= :before_${most})`)
        .join(' AND '),
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':never': 0,
        ':now': at,
        ':ttl': at + Math.max(...limits.map(({ seconds }) => seconds)),
        ...Object.fromEntries(limits.map(({ most, seconds }) => [`:before_${most}`, at - seconds])),
      },
    },
  };
}

/** How many seconds it takes until all limits allow another mail. */
export async function secondsLeft(table: Table, key: Key, limits: Limit[], now: Date): Promise<number> {
  const mails: Item = (await get(table, key)) ?? {};
  const ends = limits.map(({ most, seconds }) => ((mails[field(most)] as number | undefined) ?? 0) + seconds);
  return Math.max(1, ...ends.map(end => end - epochSeconds(now)));
}
