import { Refusal } from '../refusal.ts';
import type { Table } from '../table.store.ts';
import * as store from './rate.store.ts';

const MINUTE = 60 * 1000;

/**
 * With 100 members a call this is about 830 members a second: below the 1,000 writes a second that one key of the
 * table takes, for a list is one key of its index.
 */
export const MOST_CALLS_A_MINUTE = 500;

/** Refuses the calls of an organization's programs that are too many for this minute. */
export async function spend(
  { table, now }: { table: Table; now: Date },
  organization: number,
): Promise<void> {
  const minute = new Date(Math.floor(now.getTime() / MINUTE) * MINUTE);
  if (await store.count(table, organization, minute, MOST_CALLS_A_MINUTE)) return;
  const retryAfter = Math.ceil((minute.getTime() + MINUTE - now.getTime()) / 1000);
  throw new Refusal(
    'too-many',
    `At most ${MOST_CALLS_A_MINUTE} calls a minute are answered. Please go on in ${retryAfter} seconds.`,
    { retryAfter },
  );
}
