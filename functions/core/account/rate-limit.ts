import { Refusal } from '#core/refusal.ts';
import { epochSeconds, type Table } from '#core/storage/table.store.ts';
import { updateItem } from '#core/storage/write.store.ts';
import { PROGRAM_RATE } from '#shared/limits.ts';

/** At most so many calls of an organization in so many seconds. `name` is that of a route whose calls are counted apart. */
export type RateLimit = { name?: string; most: number; seconds: number };

const partition = (organization: number, route: string | undefined) =>
  route === undefined ? `RATE#${organization}` : `RATE#${organization}#${route}`;

const KEPT_SECONDS = 60 * 60;
const MEMBERS_A_CALL = 100;

/** Counts written members as the calls with which a program would write them: both share the write capacity of a list. */
export async function countMembers(
  needs: { table: Table; now: Date },
  organization: number,
  members: number,
): Promise<void> {
  const calls = Math.ceil(members / MEMBERS_A_CALL);
  if (calls > 0) await countCalls(needs, organization, PROGRAM_RATE, calls);
}

export async function countCalls(
  { table, now }: { table: Table; now: Date },
  organization: number,
  { name, most, seconds }: RateLimit = PROGRAM_RATE,
  calls = 1,
): Promise<void> {
  const length = seconds * 1000;
  const start = new Date(Math.floor(now.getTime() / length) * length);
  const counted = await updateItem(
    table,
    { PK: partition(organization, name), SK: start.toISOString() },
    { add: { calls }, set: { ttl: epochSeconds(start) + KEPT_SECONDS } },
    { condition: 'attribute_not_exists(calls) OR calls < :most', values: { ':most': most - calls + 1 } },
  );
  if (counted) return;
  const retryAfter = Math.ceil((start.getTime() + length - now.getTime()) / 1000);
  throw new Refusal(
    'too-many',
    `At most ${most} calls are answered in ${seconds} seconds. Please try again in ${retryAfter} seconds.`,
    { retryAfter },
  );
}
