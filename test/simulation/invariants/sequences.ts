import type { Item } from '#core/storage/table.store.ts';
import { isDeleted } from '../endings.ts';
import type { FinishedRun } from '../invariants.ts';

/** What holds for sequences. Their steps are automations, for which holds what holds for those. */

const STOPS_WITHIN = 5_000;

export const noStepIsPostedWhileItsSequenceIsOff = ({ history }: FinishedRun): string[] =>
  history.posts.flatMap(({ at, claims }) =>
    claims.flatMap(({ id, organization, claim, change }) => {
      const PK = `ORG#${organization}`;
      const step = history.at(PK, `AUTO#${claim.automation_id}`, change.at);
      if (!step?.sequence_id) return [];
      const versions = history.during(PK, `SEQ#${step.sequence_id}`, at - STOPS_WITHIN, at);
      return versions.some(sequence => sequence?.active)
        ? []
        : [`${id} was posted at ${new Date(at).toISOString()}`];
    }),
  );

/** What a step has a copy of. */
const SHARED = ['email_list_ids', 'metadata_trigger', 'audience', 'send_at', 'time_zone_of', 'days_off'];

/** After each change, and whatever died in it. */
export const theStepsOfASequenceAreWhatItSays = ({ history }: FinishedRun): string[] =>
  history.changesWithin('ORG#', 'SEQ#').flatMap(({ key: { PK, SK }, after, at }) =>
    ((after?.steps ?? []) as { automation_id: string; active: boolean }[])
      .filter(({ automation_id, active }) => {
        const step: Item | undefined = history.at(PK, `AUTO#${automation_id}`, at);
        const isOther = (field: string) =>
          JSON.stringify(step?.[field] ?? null) !== JSON.stringify(after?.[field] ?? null);
        return step?.active !== (active && after?.active === true) || SHARED.some(isOther);
      })
      .map(step => `${SK} of ${new Date(at).toISOString()}: ${JSON.stringify(step)}`),
  );

export const everyStepIsInItsSequence = ({ history, items }: FinishedRun): string[] => {
  const sequences = items.filter(({ SK }) => String(SK).startsWith('SEQ#'));
  const named = new Set(
    sequences.flatMap(({ PK, steps }) =>
      (steps as { automation_id: string }[]).map(({ automation_id }) => `${PK} ${automation_id}`),
    ),
  );
  return items
    .filter(({ SK, sequence_id }) => String(SK).startsWith('AUTO#') && sequence_id)
    .filter(({ organization_id }) => !isDeleted(history, Number(organization_id)))
    .flatMap(({ PK, id }) => (named.has(`${PK} ${id}`) ? [] : [`${id} is a step of nothing`]));
};
