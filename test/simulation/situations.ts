import type { FinishedRun } from './invariants.ts';
import type { Change } from './table/store.ts';

const becomes = (status: string, from?: string) => (changes: Change[]) =>
  changes.some(
    ({ before, after }) =>
      after?.status === status && before?.status !== status && (!from || before?.status === from),
  );

type Situations = Record<string, (changes: Change[], run: FinishedRun) => boolean>;

/** Whether something has happened to one of the broadcasts, by its changes. */
const OF_BROADCASTS: Situations = {
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

const isOther = (name: string) => (changes: Change[]) =>
  changes.some(({ before, after }) => before && after && textOf(before[name]) !== textOf(after[name]));
const textOf = (value: unknown) => JSON.stringify(value);

/** Of a change that exceeds a transaction, which stores its sources first. */
const isClaim = ({ before, after }: Change) =>
  before &&
  after &&
  (after.steps as object[]).length > 15 &&
  textOf({ ...before, revision: '' }) === textOf({ ...after, revision: '' });

const OF_SEQUENCES: Situations = {
  'sequence switched': isOther('active'),
  'sequence with other lists': isOther('email_list_ids'),
  'sequence with other steps': isOther('steps'),
  'sequence deleted': changes => changes.some(({ after }) => !after),
  'sequence step sent': (changes, { history }) => {
    const steps = textOf(changes.map(({ after }) => after?.steps));
    return history.claims.some(({ claim }) => steps.includes(claim.automation_id));
  },
  'sequence changed in several transactions': changes => changes.some(isClaim),
};

type WarmUp = { step: number; steps: number[]; sent: number };
const warmUpOf = (item: { warm_up?: unknown } | undefined) => item?.warm_up as WarmUp | undefined;
const OF_LISTS: Situations = {
  'warm-up used up': changes =>
    changes.some(({ after }) => warmUpOf(after)?.sent === warmUpOf(after)?.steps[warmUpOf(after)?.step ?? 0]),
  'warm-up raised': changes => changes.some(({ after }) => (warmUpOf(after)?.step ?? 0) > 0),
  'warm-up over or ended': changes =>
    changes.some(({ before, after }) => warmUpOf(before) && after && !after.warm_up),
  'warm-up share given back': changes =>
    changes.some(
      ({ before, after }) =>
        (warmUpOf(after)?.sent ?? 0) > 0 && (warmUpOf(before)?.sent ?? 0) > (warmUpOf(after)?.sent ?? 0),
    ),
};
const OF_PASSES: Situations = {
  'broadcast goes on another day': changes => changes.some(({ after }) => after?.days),
};

const OF_EVENTS: Situations = { 'event told': changes => changes.length > 0 };

/** Names of what has happened in a run, so that it is known how often that is tested. */
export const SITUATIONS = [OF_BROADCASTS, OF_SEQUENCES, OF_EVENTS, OF_LISTS, OF_PASSES].flatMap(Object.keys);

export const situationsIn = (run: FinishedRun): string[] =>
  (
    [
      ['ORG#', 'CAST#', OF_BROADCASTS],
      ['ORG#', 'SEQ#', OF_SEQUENCES],
      ['R#', 'KEY#', OF_EVENTS],
      ['ORG#', 'LIST#', OF_LISTS],
      ['SWEEP#', '', OF_PASSES],
    ] as const
  ).flatMap(([PK, SK, situations]) => {
    const changes = run.history.changesWithin(PK, SK);
    const each = [...Map.groupBy(changes, ({ key }) => `${key.PK} ${key.SK}`).values()];
    return Object.entries(situations).flatMap(([name, is]) => (each.some(one => is(one, run)) ? [name] : []));
  });
