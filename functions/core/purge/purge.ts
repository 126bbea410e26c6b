import { commit, type Table, type Write } from '../table.store.ts';
import { done, goOn, type Job, read } from './purge.store.ts';

export { type Job, request } from './purge.store.ts';

/** Erases some of what is to go; answers whether there may be more. */
export type Step = (job: Job) => Promise<boolean>;
export type Plan = {
  steps: Step[];
  /** What the job itself hangs on: erased last, together with the job. */
  last: (job: Job) => Write[];
};

/** One round: every step only takes away, so a round that died is simply begun again. */
export async function round(
  { table, hasTime }: { table: Table; hasTime: () => boolean },
  asked: Job,
  { steps, last }: Plan,
): Promise<'done' | 'goes on'> {
  const job = await read(table, asked);
  if (!job) return 'done';
  for (const step of steps) {
    while (await step(job)) {
      if (hasTime()) continue;
      await goOn(table, job);
      return 'goes on';
    }
  }
  await commit(table, [...last(job), done(table, job)]);
  return 'done';
}
