import { Refusal } from '../../refusal.ts';
import type { Table } from '../../storage/table.store.ts';
import * as store from './rate.store.ts';

const WINDOW_SECONDS = 10;

/**
 * With 100 members a call, this is 800 members a second. A list is one partition key of the index, which takes 1,000
 * writes a second; DynamoDB's burst capacity takes what comes at once.
 */
const MOST_CALLS = 80;

/** Counts an API call of an organization; refuses it where there were too many in these ten seconds. */
export async function spend(
  { table, now }: { table: Table; now: Date },
  organization: number,
): Promise<void> {
  const length = WINDOW_SECONDS * 1000;
  const window = new Date(Math.floor(now.getTime() / length) * length);
  if (await store.count(table, organization, window, MOST_CALLS)) return;
  const retryAfter = Math.ceil((window.getTime() + length - now.getTime()) / 1000);
  throw new Refusal(
    'too-many',
    `At most ${MOST_CALLS} calls are answered in ${WINDOW_SECONDS} seconds. Please try again in ${retryAfter} seconds.`,
    { retryAfter },
  );
}
