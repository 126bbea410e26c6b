import type { Item } from '#core/storage/table.store.ts';
import { isDeleted } from '../endings.ts';
import type { FinishedRun } from '../invariants.ts';
import { hashesOn, isUnchanged, passesIn, RESOLVED } from '../passes.ts';
import { aroundAt, begunFor, emailsSince } from '../reference.ts';
import { minuteIn } from '../stored.ts';

/** What holds for sequences. Their steps are automations, for which holds what holds for those. */

const STOPS_WITHIN = 5_000;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

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

/** After each change, and whatever died in it; of several in one millisecond, after the last one. */
export const theStepsOfASequenceAreWhatItSays = ({ history }: FinishedRun): string[] =>
  history.changesWithin('ORG#', 'SEQ#').flatMap(({ key: { PK, SK }, at }) => {
    const after = history.at(PK, SK, at);
    return ((after?.steps ?? []) as { automation_id: string; active: boolean }[])
      .filter(({ automation_id, active }) => {
        const step: Item | undefined = history.at(PK, `AUTO#${automation_id}`, at);
        const isOther = (field: string) =>
          JSON.stringify(step?.[field] ?? null) !== JSON.stringify(after?.[field] ?? null);
        return step?.active !== (active && after?.active === true) || SHARED.some(isOther);
      })
      .map(step => `${SK} of ${new Date(at).toISOString()}: ${JSON.stringify(step)}`);
  });

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

/** The claims that people got because they were there, with their step at that time. */
const includedIn = ({ history }: FinishedRun) =>
  history.claims.flatMap(claimed => {
    const { organization, claim, change, releasedAt } = claimed;
    const step = history.at(`ORG#${organization}`, `AUTO#${claim.automation_id}`, change.at);
    const isKept = claim.existing && releasedAt === undefined && !claim.resends;
    return isKept && step?.sequence_id ? [{ ...claimed, step }] : [];
  });

/** However often it was switched off and on again, by whichever of their lists and dates. */
export const nobodyWhoWasThereGetsAStepTwice = (run: FinishedRun): string[] =>
  includedIn(run).flatMap(({ id, organization, hash, claim }) => {
    const other = run.history.claims.find(
      one =>
        one.organization === organization &&
        one.hash === hash &&
        one.claim.automation_id === claim.automation_id &&
        one.claim.seq < claim.seq &&
        one.releasedAt === undefined,
    );
    return other ? [`${id} is ${claim.key} after ${other.id}, which is ${other.claim.key}`] : [];
  });

/** By its delay from when the sequence began for them. */
export const whoWasThereGetsALaterStepWhenItIsDue = (run: FinishedRun): string[] =>
  includedIn(run).flatMap(({ id, organization, hash, claim, change }) => {
    const { history } = run;
    const { list_id: list, automation_id, key } = claim;
    const automation = history.stableBefore(`ORG#${organization}`, `AUTO#${automation_id}`, change.at);
    const member = history.stableBefore(`R#${organization}#${hash}`, `IN#${list}`, change.at);
    const isZoneStable = history.isZoneStable(organization, list, change.at);
    const since = automation && member && isZoneStable && begunFor(automation, list, member);
    if (!since) return [];
    const until = Date.parse(`${minuteIn(claim.batch)}:00Z`) + MINUTE;
    const around = aroundAt(history, automation, list, change.at);
    const due = emailsSince(since, automation, list, member, Date.parse(since) - DAY, until, around);
    return due.some(one => one.key === key)
      ? []
      : [`${id} is ${key} before ${new Date(until).toISOString()}`];
  });

/** Where nothing changes meanwhile. */
export const whoWasThereIsMailedEachLaterStepOrSkipped = (run: FinishedRun): string[] => {
  const { history } = run;
  return passesIn(history).flatMap(({ organization, list, id, existing, at }) => {
    const step = history.at(`ORG#${organization}`, `AUTO#${id}`, at);
    const isOn = [existing, String(step?.active_since)].sort().at(-1) ?? '';
    return [...hashesOn(history, organization, list)].flatMap(hash => {
      const member = history.at(`R#${organization}#${hash}`, `IN#${list}`, at);
      const since = step && member && begunFor(step, list, member);
      if (!since) return [];
      const from = Math.floor(Date.parse(isOn) / MINUTE) * MINUTE;
      const around = aroundAt(history, step, list, at);
      const [due] = emailsSince(since, step, list, member, from, run.until - MINUTE, around);
      const until = (due?.at ?? 0) + RESOLVED;
      const of = { hash, list, automation: id };
      if (!due || !isUnchanged(history, organization, of, { at, since: existing, until })) return [];
      const hours = history
        .during(`ORG#${organization}`, 'META', at, until)
        .map(meta => meta?.hours_revision);
      const isOfStep = (one: { organization: number; hash: string }, automation: string) =>
        one.organization === organization && one.hash === hash && automation === id;
      const isRecorded =
        history.claims.some(one => isOfStep(one, one.claim.automation_id) && one.releasedAt === undefined) ||
        history.skips.some(one => isOfStep(one, one.automation));
      return isRecorded || new Set(hours).size > 1
        ? []
        : [`${organization} ${hash} of ${id} on ${list} since ${since}: ${due.key}`];
    });
  });
};
