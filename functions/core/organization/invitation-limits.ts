import { Refusal } from '#core/refusal.ts';
import { epochSeconds, get, type Item, type Key, type Table } from '#core/storage/table.store.ts';
import type { Write } from '#core/storage/write.store.ts';
import { mailboxOf } from '#shared/address.ts';

type Needs = { table: Table; now: Date };
type Mail = { email: string; inviter: string };

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const MOST_OF_INVITER = 50;

type Limit = { most: number; seconds: number };

const addressKey = (email: string): Key => ({ PK: `EMAIL#${mailboxOf(email)}`, SK: 'MAILS' });
const inviterKey = (user: string): Key => ({ PK: `USER#${user}`, SK: 'MAILS' });

/** Over all organizations: as anyone may create organizations for free, a limit for each would be none. */
const countersOf = ({ email, inviter }: Mail) => [
  {
    key: addressKey(email),
    limits: [
      { most: 5, seconds: HOUR_SECONDS },
      { most: 10, seconds: DAY_SECONDS },
    ],
    reason: 'This address was invited several times already.',
  },
  {
    key: inviterKey(inviter),
    limits: [{ most: MOST_OF_INVITER, seconds: DAY_SECONDS }],
    reason: `You can send at most ${MOST_OF_INVITER} invitations a day.`,
  },
];

/** The writes that count a mail. Each fails if its limit is reached. */
export const mailWrites = ({ table, now }: Needs, mail: Mail): Write[] =>
  countersOf(mail).map(({ key, limits }) => mailWrite(table, key, limits, now));

/** Undefined if none of these writes failed. */
export async function refusalOf(
  { table, now }: Needs,
  mail: Mail,
  failed: boolean[],
): Promise<Refusal | undefined> {
  const counter = countersOf(mail).find((_, index) => failed[index]);
  if (!counter) return undefined;
  const retryAfter = await secondsLeft(table, counter.key, counter.limits, now);
  return new Refusal('too-many', `${counter.reason} Please try again in ${waitText(retryAfter)}.`, {
    retryAfter,
  });
}

function waitText(seconds: number): string {
  const [count, unit] =
    seconds > HOUR_SECONDS
      ? [Math.ceil(seconds / HOUR_SECONDS), 'hour']
      : [Math.ceil(seconds / MINUTE_SECONDS), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** `mail_1` is the instant of the last mail, `mail_2` that of the mail before it, in seconds. */
const field = (position: number) => `mail_${position}`;

/** A limit of five holds if the fifth last mail is old enough: exact even if another mail is sent at the same time. */
function mailWrite(table: Table, key: Key, limits: Limit[], now: Date): Write {
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

async function secondsLeft(table: Table, key: Key, limits: Limit[], now: Date): Promise<number> {
  const mails: Item = (await get(table, key)) ?? {};
  const ends = limits.map(({ most, seconds }) => ((mails[field(most)] as number | undefined) ?? 0) + seconds);
  return Math.max(1, ...ends.map(end => end - epochSeconds(now)));
}
