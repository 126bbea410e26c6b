import type { Item } from '#core/storage/table.store.ts';
import type { FinishedRun } from '../invariants.ts';
import type { Change } from '../table/store.ts';

/** What holds for lists in warm-up. */

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;
/** What is reserved before midnight may be posted this long after it; a slow provider takes it later still. */
const LATE = 5 * MINUTE;

type WarmUp = { since: string; steps: number[]; step: number; day: string; sent: number; is_held?: true };
const warmUpOf = (item: Item | undefined) => item?.warm_up as WarmUp | undefined;
const mostOf = ({ steps, step }: WarmUp) => steps[step] ?? 0;

/** Nothing is left of the day. */
export const isUsedUp = (stored: unknown): boolean => {
  const warmUp = stored as WarmUp | undefined;
  return warmUp !== undefined && warmUp.sent >= mostOf(warmUp);
};

/** The changes of each list that had one warm-up from the beginning of the run on, as long as it had that. */
const warmUpsIn = ({ history, start }: FinishedRun): { list: string; changes: Change[] }[] =>
  [...Map.groupBy(history.changesWithin('ORG#', 'LIST#'), ({ key }) => key.SK).values()].flatMap(changes => {
    const begun = changes.findIndex(({ after }) => after?.warm_up);
    const since = warmUpOf(changes[begun]?.after)?.since;
    if (begun < 0 || (changes[begun]?.at ?? 0) > start) return [];
    const end = changes.findIndex(({ after }, at) => at > begun && warmUpOf(after)?.since !== since);
    const list = String(changes[begun]?.after?.id);
    return [{ list, changes: changes.slice(begun, end < 0 ? undefined : end + 1) }];
  });

const dayAt = (at: number) => new Date(at).toISOString().slice(0, 10);

function noListSendsMoreInADayThanItsWarmUpAllows(run: FinishedRun): string[] {
  return warmUpsIn(run).flatMap(({ list, changes }) => {
    const last = changes.at(-1);
    const isEnded = last && (!last.after || warmUpOf(last.after)?.since !== warmUpOf(last.before)?.since);
    const until = isEnded ? last.at : Number.POSITIVE_INFINITY;
    const most = new Map<string, number>();
    for (const warmUp of changes.flatMap(({ after }) => warmUpOf(after) ?? []))
      most.set(warmUp.day, Math.max(most.get(warmUp.day) ?? 0, mostOf(warmUp)));
    const posted = run.history.ledger
      .filter(({ send, at }) => {
        const { claim } = run.history.claimOf(send) ?? {};
        return claim?.list_id === list && at.getTime() >= run.start && at.getTime() < until;
      })
      .map(({ at }) => at.getTime());
    let before = 0;
    return [...Map.groupBy(posted, at => Math.floor(at / DAY) * DAY)]
      .sort(([a], [b]) => a - b)
      .flatMap(([day, times]) => {
        const ofDayBefore = Math.min(times.filter(at => at < day + LATE).length, before);
        const count = times.length - ofDayBefore;
        const allowed = most.get(dayAt(day)) ?? 0;
        before = Math.max(0, allowed - count);
        return count > allowed ? [`${list} sent ${count} of ${allowed} on ${dayAt(day)}`] : [];
      });
  });
}

function aWarmUpGrowsByOneStepAfterADayOfUse(run: FinishedRun): string[] {
  return warmUpsIn(run).flatMap(({ list, changes }) =>
    changes.flatMap(({ before, after }) => {
      const [was, is] = [warmUpOf(before), warmUpOf(after)];
      if (!was || !is || was.since !== is.since) return [];
      const isHeld = was.is_held || is.is_held;
      const isRaised = is.day > was.day && !isHeld && was.sent * 2 >= mostOf(was);
      return is.day >= was.day && is.step === was.step + Number(isRaised)
        ? []
        : [`${list} went from step ${was.step} of ${was.day} to ${is.step} of ${is.day}`];
    }),
  );
}

/** All senders have ended. What dead ones had reserved is lost: fewer emails. */
function aWarmUpCountsAtLeastWhatIsSent(run: FinishedRun): string[] {
  return warmUpsIn(run).flatMap(({ list, changes }) =>
    changes.flatMap(({ after }) =>
      (warmUpOf(after)?.sent ?? 0) < 0 ? [`${list} has sent less than none`] : [],
    ),
  );
}

/** Without faults, whatever is reserved and not used is there for others. */
function whatAWarmUpHasNotUsedIsGivenBack(run: FinishedRun): string[] {
  if (!run.isCalm) return [];
  return warmUpsIn(run).flatMap(({ list, changes }) => {
    const last = changes.findLast(({ after }) => after?.warm_up)?.after;
    const warmUp = warmUpOf(last);
    if (!warmUp) return [];
    const day = Date.parse(warmUp.day);
    // An address that the provider refuses has used its share.
    const posted = run.history.posts
      .filter(({ at }) => at >= day - LATE && at < day + DAY + LATE)
      .flatMap(({ claims }) => claims)
      .filter(({ claim, releasedAt }) => claim.list_id === list && releasedAt === undefined);
    const count = new Set(posted.map(({ id }) => id)).size;
    return count < warmUp.sent
      ? [`${list} counts ${warmUp.sent} emails on ${warmUp.day}, and posted ${count}`]
      : [];
  });
}

export const CHECKS = {
  noListSendsMoreInADayThanItsWarmUpAllows,
  aWarmUpGrowsByOneStepAfterADayOfUse,
  aWarmUpCountsAtLeastWhatIsSent,
  whatAWarmUpHasNotUsedIsGivenBack,
};
