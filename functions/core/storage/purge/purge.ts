import type { Table } from '../table.store.ts';
import { commit, conditionsHeld, type Write } from '../write.store.ts';
import { type Asked, doneWrite, type Job, read, readAll, requestWrite } from './purge.store.ts';

export { type Asked, type Job, requestWrite } from './purge.store.ts';

/** Deletes as it is walked through, a bounded number of items at a time. */
export type Step = AsyncGenerator<unknown, void>;
export type Plan = {
  steps: Step[];
  /** Deletes in the transaction that ends the job: what leads to all the rest. */
  last: Write[];
};

/**
 * How many seconds after its request a purge begins: the longest delay of SQS, and as long as Lambda lets any function run.
 * So every process that had seen the organization or the list alive has ended, however long it was paused, and the index
 * has caught up. The queue counts them, from the write that the stream shows: clocks that differ make no difference.
 */
export const PURGE_AFTER = 15 * 60;

/** Requests all purges again that are not done, as what was to call them may be lost. */
export async function requestAgain(table: Table, now: Date): Promise<number> {
  const all = await readAll(table);
  for (const { organization_id, list_id } of all) {
    await commit(table, [
      requestWrite(table, { organization_id, ...(list_id !== undefined && { list_id }) }, now),
    ]);
  }
  return all.length;
}

type Needs = {
  table: Table;
  hasTime: () => boolean;
  /** Queues another round, at once. */
  queue: (asked: Asked) => Promise<void>;
};

/**
 * Every step only deletes, so a round whose process died is repeated from the first step, and two may run at once. Where
 * the purge was requested again, the message of that request does it: what was written before it may still be followed by
 * something.
 */
export async function round(
  { table, hasTime, queue }: Needs,
  asked: Asked,
  planOf: (job: Job) => Plan,
): Promise<'done' | 'continues' | 'obsolete'> {
  const job = await read(table, asked);
  if (!job || job.ticket !== asked.ticket) return 'obsolete';
  const { steps, last } = planOf(job);
  for (const step of steps) {
    for await (const _ of step) {
      if (hasTime()) continue;
      await queue(asked);
      return 'continues';
    }
  }
  return (await conditionsHeld(commit(table, [...last, doneWrite(table, job)]))) ? 'done' : 'obsolete';
}
