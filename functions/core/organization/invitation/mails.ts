import { Refusal } from '#core/refusal.ts';
import type { Table } from '#core/storage/table.store.ts';
import type { Write } from '#core/storage/write.store.ts';
import * as store from './mails.store.ts';

type Needs = { table: Table; now: Date };
type Mail = { email: string; inviter: string };

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const MOST_OF_INVITER = 50;

/**
 * The counters of mails. They count over all organizations: as anyone may create organizations for free, a limit for each
 * would be none.
 */
const countersOf = ({ email, inviter }: Mail) => [
  {
    key: store.addressKey(email),
    limits: [
      { most: 5, seconds: HOUR_SECONDS },
      { most: 10, seconds: DAY_SECONDS },
    ],
    reason: 'This address was invited several times already.',
  },
  {
    key: store.inviterKey(inviter),
    limits: [{ most: MOST_OF_INVITER, seconds: DAY_SECONDS }],
    reason: `You can send at most ${MOST_OF_INVITER} invitations a day.`,
  },
];

/** The writes that count a mail. Each fails if its limit is reached. */
export const mailWrites = ({ table, now }: Needs, mail: Mail): Write[] =>
  countersOf(mail).map(({ key, limits }) => store.mailWrite(table, key, limits, now));

/**
 * The error for the limit whose write failed, with the time of the next try. Returns undefined if none of these writes
 * failed.
 */
export async function refusalOf(
  { table, now }: Needs,
  mail: Mail,
  failed: boolean[],
): Promise<Refusal | undefined> {
  const counter = countersOf(mail).find((_, index) => failed[index]);
  if (!counter) return undefined;
  const retryAfter = await store.secondsLeft(table, counter.key, counter.limits, now);
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
