import { commit, held, type Table, type Write } from '../table.store.ts';
import { done, goOn, type Job, read } from './purge.store.ts';

export { type Job, request } from './purge.store.ts';

/** Erases some of what is to go; answers whether there may be more. */
export type Step = (job: Job) => Promise<boolean>;
export type Plan = {
  steps: Step[];
  /** What the job itself hangs on: erased last, together with the job. */
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
 * How long after its request a purge looks a last time: longer than any function runs that had begun to write before,
 * and than an index is behind its table.
 */
export const REST = 2 * 60 * 1000;

/** One round: every step only takes away, so a round that died is simply begun again. */
export async function round(
  { table, now, hasTime, later }: Needs,
  asked: Job,
  { steps, last }: Plan,
): Promise<'done' | 'goes on' | 'rests'> {
  const job = await read(table, asked);
  if (!job) return 'done';
  for (const step of steps) {
    while (await step(job)) {
      if (hasTime()) continue;
      await goOn(table, job);
      return 'goes on';
    }
  }
  const rest = new Date(job.requested_at).getTime() + REST - now.getTime();
  if (rest > 0) {
    await later(
      { organization_id: job.organization_id, ...(job.list_id && { list_id: job.list_id }) },
      Math.ceil(rest / 1000),
    );
    return 'rests';
  }
  // Whoever asked again has called the next round by that.
  return (await held(commit(table, [...last(job), done(table, job)]))) ? 'done' : 'goes on';
}
