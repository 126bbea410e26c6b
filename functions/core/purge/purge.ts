import { commit, type Table, type Write } from '../table.store.ts';
import * as store from './purge.store.ts';

export { request } from './purge.store.ts';

/** Erases some of what belongs to an organization; answers whether there may be more. */
export type Step = (organization: number) => Promise<boolean>;
export type Plan = {
  steps: Step[];
  /** What the job itself hangs on: erased last, together with the job. */
  last: (organization: number) => Write[];
};

/** One round: every step only takes away, so a round that died is simply begun again. */
export async function round(
  { table, hasTime }: { table: Table; hasTime: () => boolean },
  organization: number,
  { steps, last }: Plan,
): Promise<'done' | 'goes on'> {
  if (!(await store.isOpen(table, organization))) return 'done';
  for (const step of steps) {
    while (await step(organization)) {
      if (hasTime()) continue;
      await store.goOn(table, organization);
      return 'goes on';
    }
  }
  await commit(table, [...last(organization), store.done(table, organization)]);
  return 'done';
}
