import { type Asked, doneWrite, type Job, read, readAll, requestWrite } from '#core/storage/purge-request.ts';
import type { Table } from '#core/storage/table.store.ts';
import { commit, conditionsHeld, type Write } from '#core/storage/write.store.ts';

/** Deletes a bounded number of items at each iteration. */
export type Step = AsyncGenerator<unknown, void>;
export type Plan = {
  steps: Step[];
  /** The writes of the transaction that ends the job. They delete the items from which all others are found. */
  last: Write[];
};

/**
 * How many seconds after its request a purge begins: the longest delay of SQS, and the longest timeout of a Lambda
 * function. By then every process that has seen the organization or list alive has ended, and the index has caught up. The
 * queue counts them from the write that the stream delivers, so differing clocks do not matter.
 */
export const PURGE_AFTER = 15 * 60;

/** Requests all purges again that are not done, as the message that starts one may be lost. */
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
  /** Queues another round without a delay. */
  queue: (asked: Asked) => Promise<void>;
};

/**
 * Runs a round of a purge. Every step only deletes, so a round whose process died can be repeated from the first step, and
 * two may run at once. If the purge was requested again, the round leaves the job to the message of that request: a process
 * that wrote before it may still be running.
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
