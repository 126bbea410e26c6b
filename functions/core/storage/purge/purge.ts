import type { Table } from '../table.store.ts';
import { commit, held, type Write } from '../write.store.ts';
import { callNextRound, doneWrite, type Job, read } from './purge.store.ts';

export { type Job, requestWrite } from './purge.store.ts';

/** Deletes a bounded number of items; true where there may be more. In the last pass, nothing is added any more. */
export type Step = (job: Job, isLastPass: boolean) => Promise<boolean>;
export type Plan = {
  steps: Step[];
  /** Deletes in the transaction that ends the job: what leads to all the rest. */
  last: (job: Job) => Write[];
};

type Needs = {
  table: Table;
  now: Date;
  hasTime: () => boolean;
  /** Calls the next round after so many seconds. */
  later: (job: Job, seconds: number) => Promise<void>;
};

/**
 * How long after its request a purge makes its last pass: longer than a function runs that had read the list before,
 * and than an index is behind its table.
 */
export const LAST_PASS_AFTER = 2 * 60 * 1000;

/** Every step only deletes, so a round whose process died is repeated from the first step. */
export async function round(
  { table, now, hasTime, later }: Needs,
  asked: Job,
  { steps, last }: Plan,
): Promise<'done' | 'continues' | 'waits'> {
  const job = await read(table, asked);
  if (!job) return 'done';
  const wait = new Date(job.requested_at).getTime() + LAST_PASS_AFTER - now.getTime();
  for (const step of steps) {
    while (await step(job, wait <= 0)) {
      if (hasTime()) continue;
      await callNextRound(table, job);
      return 'continues';
    }
  }
  if (wait > 0) {
    await later(
      { organization_id: job.organization_id, ...(job.list_id && { list_id: job.list_id }) },
      Math.ceil(wait / 1000),
    );
    return 'waits';
  }
  // A repeated request has already called the next round by its write to the job.
  return (await held(commit(table, [...last(job), doneWrite(table, job)]))) ? 'done' : 'continues';
}
