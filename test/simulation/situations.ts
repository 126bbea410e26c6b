import type { FinishedRun } from './invariants.ts';
import type { Change } from './table/store.ts';

const becomes = (status: string, from?: string) => (changes: Change[]) =>
  changes.some(
    ({ before, after }) =>
      after?.status === status && before?.status !== status && (!from || before?.status === from),
  );

/** Whether something has happened to one of the broadcasts, by its changes. */
const OF_BROADCASTS: Record<string, (changes: Change[], run: FinishedRun) => boolean> = {
  'broadcast sent': becomes('sent'),
  'broadcast at a local time': changes => changes.some(({ after }) => after?.begins_at && after.send_at),
  'broadcast unscheduled': becomes('draft', 'scheduled'),
  'broadcast cancelled': becomes('cancelled'),
  'broadcast deleted': changes => changes.some(({ before, after }) => before?.begins_at && !after),
  ...Object.fromEntries(
    ['organization_off', 'list_off', 'no_key', 'no_content'].map(reason => [
      `broadcast stopped: ${reason}`,
      (changes: Change[]) =>
        changes.some(({ after }) => (after?.stopped as { reason?: string } | undefined)?.reason === reason),
    ]),
  ),
  'broadcast sent to the rest': becomes('scheduled', 'stopped'),
  'broadcast stopped in its middle, then sent': (changes, { history }) => {
    const stop = changes.find(({ after }) => after?.status === 'stopped');
    const claims = history.claims.filter(({ claim }) => claim.automation_id === changes[0]?.after?.id);
    const isBefore = ({ change }: (typeof claims)[number]) => change.at < (stop?.at ?? 0);
    return becomes('sent')(changes) && claims.some(isBefore) && !claims.every(isBefore);
  },
};

/** Names of what has happened in a run, so that it is known how often that is tested. */
export const SITUATIONS = Object.keys(OF_BROADCASTS);

export function situationsIn(run: FinishedRun): string[] {
  const { history } = run;
  const changes = history.changesWithin('ORG#', 'CAST#');
  const broadcasts = [...Map.groupBy(changes, ({ key }) => key.SK).values()];
  const has = (is: (typeof OF_BROADCASTS)[string]) => broadcasts.some(one => is(one, run));
  return Object.entries(OF_BROADCASTS).flatMap(([name, is]) => (has(is) ? [name] : []));
}
