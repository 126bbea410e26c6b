import { WINDOWS } from '../../../shared/safeguards.ts';
import type { Claimed, History, Skipped } from '../history.ts';
import type { Rest } from '../invariants.ts';
import { newlyOwed, type Owed, owed } from '../reference.ts';

/** What became of what was due. */

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const CLOCKS_APART = 5_000;
const CLAIMED_WITHIN = 2 * MINUTE;
/** An hour less than a day, which retries take. */
const STILL_SENT = 23 * HOUR;

const nameOf = ({ organization, hash, key, at }: Owed) =>
  `${organization} ${hash} ${key} of ${new Date(at).toISOString()}`;

/** The claims and skips of each person. */
function recordsOf(history: History) {
  const claims = Map.groupBy(history.claims, ({ organization, hash }) => `${organization} ${hash}`);
  const skips = Map.groupBy(history.skips, ({ organization, hash }) => `${organization} ${hash}`);
  return ({ organization, hash, key, at, automation }: Owed) => {
    const person = `${organization} ${hash}`;
    const minute = new Date(at).toISOString().slice(0, 16);
    return {
      all: claims.get(person) ?? [],
      claims: (claims.get(person) ?? []).filter(({ claim }) => claim.key === key),
      skips: (skips.get(person) ?? []).filter(
        skip => skip.automation === automation && skip.minute === minute,
      ),
      // Where the other list of a person has claimed it, its skip is theirs.
      skipsOfOthers: (skips.get(person) ?? []).filter(
        skip =>
          skip.automation === automation &&
          (claims.get(person) ?? []).some(
            ({ claim }) => claim.key === key && claim.batch.startsWith(`${skip.minute}#`),
          ),
      ),
    };
  };
}

export const everyOccurrenceIsClaimedOrSkippedWithAReason = (rest: Rest): string[] =>
  withoutEnd(rest.history, owed(rest.history, rest.start, rest.until - MINUTE));

/** However late the dispatcher is, as long as anything is still sent. */
export const whatFellDueBeforeAMemberWasStoredIsClaimedOrSkipped = ({
  history,
  start,
  until,
  outages,
}: Rest): string[] => {
  const dispatched = (stored: number) =>
    Math.max(
      stored,
      ...outages
        .filter(({ functions, from }) => functions.includes('dispatcher') && from < stored + HOUR)
        .map(one => one.until),
    );
  const inTime = newlyOwed(history, start, until - MINUTE).filter(
    ({ at, stored }) => dispatched(stored) < at + STILL_SENT,
  );
  return withoutEnd(history, inTime);
};

/** What neither a claim nor a skip tells of. */
function withoutEnd(history: History, all: Owed[]): string[] {
  const reasons = new Set(history.batches.filter(({ head }) => head.reason).map(({ head }) => head.batch));
  const find = recordsOf(history);
  return all
    .filter(({ isQuiet }) => isQuiet)
    .flatMap(one => {
      const { claims, skips, skipsOfOthers } = find(one);
      const isKept = claims.some(
        ({ claim, releasedAt }) => releasedAt === undefined || reasons.has(claim.batch),
      );
      return isKept || skips.length + skipsOfOthers.length > 0
        ? []
        : [`${nameOf(one)}: ${claims.length > 0 ? 'released' : 'nothing'}`];
    });
}

/** Where nothing goes wrong, what is due is claimed when its minute has ended. */
export const whatIsDueIsClaimedAtOnceWhereNothingGoesWrong = (rest: Rest): string[] => {
  if (!rest.isCalm) return [];
  const find = recordsOf(rest.history);
  return owed(rest.history, rest.start, rest.until - HOUR)
    .filter(({ isQuiet }) => isQuiet)
    .flatMap(one => {
      const first = find(one).claims.find(({ claim }) => claim.list_id === one.list)?.change.at ?? one.at;
      return first - one.at <= CLAIMED_WITHIN
        ? []
        : [`${nameOf(one)} was claimed at ${new Date(first).toISOString()}`];
    });
};

export const everySkipHasItsReason = (rest: Rest): string[] => {
  const { history } = rest;
  const find = recordsOf(history);
  const everything = owed(history, rest.start - 48 * HOUR, rest.until + 48 * HOUR);
  const newerOf = Map.groupBy(
    everything,
    ({ organization, hash, automation, list }) => `${organization} ${hash} ${automation} ${list}`,
  );
  return everything
    .filter(({ at, isQuiet }) => isQuiet && at >= rest.start && at < rest.until - MINUTE)
    .flatMap(one => {
      const { all, skips } = find(one);
      const newer = (newerOf.get(`${one.organization} ${one.hash} ${one.automation} ${one.list}`) ?? []).map(
        ({ at }) => at,
      );
      return skips
        .filter(skip => skip.list === one.list && !isRight(skip, one, { history, all, newer }))
        .map(({ reason, at }) => `${nameOf(one)}: ${reason} at ${new Date(at).toISOString()}`);
    });
};

type Known = { history: History; all: Claimed[]; newer: number[] };

function isRight({ reason, at }: Skipped, one: Owed, { history, all, newer }: Known): boolean {
  const configuration = `ORG#${one.organization}`;
  switch (reason) {
    case 'stale':
      return at - one.at > 24 * HOUR;
    case 'superseded':
      return newer.some(other => other > one.at && other <= at);
    case 'no_key':
      return history
        .during(configuration, `LIST#${one.list}`, at - MINUTE, at)
        .some(list => list?.sending_key === undefined);
    case 'no_first':
      return one.copy > 1;
    case 'no_content':
    case 'dead':
      return true;
    default:
      return (
        reason.startsWith('capped:') && isCapped(reason.slice('capped:'.length), at, one, { history, all })
      );
  }
}

/** Whether so many emails had been claimed, and not released before, when one more was refused. */
function isCapped(
  field: string,
  at: number,
  { organization, at: due }: Owed,
  { history, all }: Omit<Known, 'newer'>,
): boolean {
  const window = WINDOWS.find(one => one.field === field);
  if (!window) return false;
  const limits = history.during(`ORG#${organization}`, 'SAFEGUARDS', at - MINUTE, at);
  return limits.some(set => {
    if (set?.enabled === false) return false;
    const within = all.filter(({ claim, change, releasedAt }) => {
      const instant = Date.parse(claim.at);
      const isCounted = change.at <= at && (releasedAt === undefined || releasedAt > at - MINUTE);
      return isCounted && instant > due - window.length && instant <= at + CLOCKS_APART;
    });
    return within.length >= Number(set?.[window.field] ?? window.initial);
  });
}
